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

/** An image or audio clip costs a model about this, whatever its bytes are. */
const mediaTokens = 2000;

/** Estimates how many tokens the content of a result, a prompt or a question costs: the text of its JSON, and a fixed number for each image or audio clip. */
export function contentTokens(content: unknown): number {
  let media = 0;
  const text = JSON.stringify(content, (name, value: unknown) => {
    if (name !== 'data' || typeof value !== 'string') return value;
    media += mediaTokens;
    return '';
  });
  return textTokens(text) + media;
}
