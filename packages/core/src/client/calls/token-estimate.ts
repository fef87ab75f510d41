/** How tokens are estimated, in words. */
export const tokenEstimate = 'a quarter of the bytes of names, descriptions and input schemas as JSON';

/** What of a tool a client hands to its model. */
export interface ModelsTool {
  name: string;
  description?: string | undefined;
  inputSchema?: unknown;
}

/**
 * How many tokens a tool costs a model in each conversation, roughly. Every model counts in its own way; on lists of tools
 * they come within a fifth of this.
 */
export function toolTokens({ name, description, inputSchema }: ModelsTool): number {
  return textTokens(JSON.stringify({ name, description, inputSchema }));
}

/** How many tokens a text costs, roughly. */
export function textTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 4);
}
