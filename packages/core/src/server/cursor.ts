import { invalidParams } from '../jsonrpc/errors.ts';
import { limits } from '../limits.ts';
import { textOf } from '../jsonrpc/utf8.ts';
import { fromBase64, toBase64Url } from '../runtime/base64.ts';

const longest = limits.server.cursor.value;
const encoder = new TextEncoder();

/** Writes a position in a list as an opaque cursor. */
export function toCursor(place: readonly (string | number)[]): string {
  return toBase64Url(encoder.encode(JSON.stringify(place)));
}

/** Reads a cursor back. Refuses one of another list, and one that this server did not write. */
export function fromCursor(cursor: unknown, list: string): (string | number)[] {
  if (typeof cursor === 'string' && cursor.length > longest) {
    throw invalidParams(
      `Invalid cursor: it has ${cursor.length} characters, and none of this server has more than ${longest}`,
    );
  }
  try {
    const place: unknown = JSON.parse(textOf(fromBase64(cursor as string) as Uint8Array) as string);
    if (Array.isArray(place) && place[0] === list && toCursor(place) === cursor) return place.slice(1);
  } catch {
    // Falls through to the error: whatever it was, it is no cursor of ours.
  }
  throw invalidParams('Invalid cursor: use "nextCursor" of the previous page as it is, or none for the first page');
}
