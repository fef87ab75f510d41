import type { Usage } from '../../../../features/quotas/quota.ts';

/*
 * The memory of requests counts against a quota of their callers: bodies that are being read, and messages that are
 * scheduled or being served.
 */

/** Bodies up to this length are not counted. */
export const shortText = 1024;

/** Approximate bytes per element of a list or object in memory, besides its text. */
const perPart = 48;

/**
 * Whose quota a body of this length exceeds; undefined if it fits. `more` is the part of it that is not counted yet.
 */
export function bodyQuotaExceeded(usage: Usage, length: number, more: number = length): Usage | undefined {
  return length > shortText ? usage.full('incoming', more) : undefined;
}

/** Counts a chunk of a body that has this length by now. Returns whose quota it exceeds instead, where it does. */
export function countChunk(usage: Usage, bytes: number, length: number): Usage | undefined {
  const full = bodyQuotaExceeded(usage, length, bytes);
  if (full === undefined) usage.take('incoming', bytes);
  return full;
}

/** Counts a message until it is served. */
export function countUntilServed(usage: Usage, serving: Promise<void>, text: string): Promise<void> {
  if (text.length <= shortText) return serving;
  const bytes = text.length + perPart * partsOf(text);
  usage.take('incoming', bytes);
  return serving.finally(() => usage.release('incoming', bytes));
}

const comma = 44;
const bracket = 91;
const brace = 123;

/** About how many parts lists and objects in a JSON text have. */
function partsOf(text: string): number {
  let parts = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === comma || code === bracket || code === brace) parts += 1;
  }
  return parts;
}
