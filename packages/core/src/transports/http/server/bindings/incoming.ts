import { limits } from '../../../../limits.ts';
import type { Usage } from '../../../../server/quotas/quota.ts';

/*
 * What requests take in memory is counted for their callers: bodies that are being read, and messages that wait for their
 * turn or are being served.
 */

/** A body of this length is read, and a request of this length served, whatever else there is. */
const shortText = limits.http.shortRequest.value;

/** What a list or object takes in memory for each of its parts, beside the text: about so many bytes. */
const perPart = 48;

/**
 * Whose room is used up, so that a request of so many characters can't be taken; undefined where there is room. `more` is
 * what of it is not counted yet.
 */
export function noRoomFor(usage: Usage, length: number, more: number = length): Usage | undefined {
  return length > shortText ? usage.full('incoming', more) : undefined;
}

/** Counts a part of a body that has this length by now. Gives whose room is used up, where it is. */
export function takePart(usage: Usage, bytes: number, length: number): Usage | undefined {
  const full = noRoomFor(usage, length, bytes);
  if (full === undefined) usage.take('incoming', bytes);
  return full;
}

/** Counts a message until it is served. */
export function untilServed(usage: Usage, serving: Promise<void>, text: string): Promise<void> {
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
