import { utf8Length } from '../../runtime/utf8-length.ts';

/** The estimation method in words, for reports. */
export const tokenEstimate = 'a quarter of the bytes of names, descriptions and input schemas as JSON';

/** The parts of a tool that a client passes to its model. */
export interface ModelsTool {
  name: string;
  description?: string | undefined;
  inputSchema?: unknown;
}

/**
 * Estimates how many tokens a tool costs in each conversation. Models count differently; for lists of tools the
 * estimate is within a fifth of their counts.
 */
export function toolTokens({ name, description, inputSchema }: ModelsTool): number {
  return textTokens(JSON.stringify({ name, description, inputSchema }));
}

/** Bytes of text per token. */
export const bytesPerToken = 4;

/** Estimates how many tokens a text costs. */
export function textTokens(text: string): number {
  return Math.ceil(utf8Length(text) / bytesPerToken);
}
