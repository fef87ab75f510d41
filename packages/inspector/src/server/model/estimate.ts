import { textTokens } from '@ccmcp/core/client';

/** What a picture or a sound costs a model, about. */
const ofBytes = 2000;

/** What a model is asked costs it, about: a quarter of the bytes, and pictures and sounds by their number. */
export function questionTokens(params: Readonly<Record<string, unknown>>): number {
  let others = 0;
  const text = JSON.stringify(params, (name, value: unknown) => {
    if (name !== 'data' || typeof value !== 'string') return value;
    others += ofBytes;
    return '';
  });
  return textTokens(text) + others;
}
