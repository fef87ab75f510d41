import { utf8Length } from '../../runtime/utf8-length.ts';

/** How tokens are estimated, for people to read. */
export const tokenEstimate = 'a quarter of the bytes of names, descriptions and input schemas as JSON';

/** The parts of a tool that a client passes to its model. */
export interface ModelsTool {
  name: string;
  description?: string | undefined;
  inputSchema?: unknown;
}

/**
 * Roughly how many tokens a tool costs in each conversation. Models count differently; on lists of tools they come
 * within a fifth of this.
 */
export function toolTokens({ name, description, inputSchema }: ModelsTool): number {
  return textTokens(JSON.stringify({ name, description, inputSchema }));
}

/** How many bytes of text count as a token. */
export const bytesPerToken = 4;

/** Roughly how many tokens a text costs. */
export function textTokens(text: string): number {
  return Math.ceil(utf8Length(text) / bytesPerToken);
}
