import { invalidParams } from '../jsonrpc/errors.ts';

/** Writes a position in a list as an opaque cursor. */
export function toCursor(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Reads a cursor back. Refuses one of another list, and one that this server did not write. */
export function fromCursor(cursor: unknown, list: string): (string | number)[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor as string, 'base64url').toString());
    if (Array.isArray(place) && place[0] === list && toCursor(place) === cursor) return place.slice(1);
  } catch {
    // Falls through to the error: whatever it was, it is no cursor of ours.
  }
  throw invalidParams('Invalid cursor: use "nextCursor" of the previous page as it is, or none for the first page');
}
