import { PreparedResult } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Call } from '../call/call.ts';
import type { ServerSettings } from '../settings.ts';
import type { Registered } from '../define/registry.ts';
import type { Listed, ListView } from './list-view.ts';
import { remainingLength } from '../call/result-size.ts';
import { invalidParams } from '../../jsonrpc/errors.ts';
import { textOf } from '../../jsonrpc/text.ts';
import { fromBase64, toBase64Url } from '../../runtime/base64.ts';

/** Maximum characters of a cursor. */
const longest = 64 * 1024;
const encoder = new TextEncoder();

/** Encodes a position in a list as an opaque pagination cursor. */
export function toCursor(place: readonly (string | number)[]): string {
  return toBase64Url(encoder.encode(JSON.stringify(place)));
}

/** Decodes a cursor. Rejects cursors of another list or server. */
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
    // Falls through to the error: not one of our cursors.
  }
  throw invalidParams('Invalid cursor: use "nextCursor" of the previous page as it is, or none for the first page');
}

/** Characters reserved for the members of a result besides its entries. */
const ENVELOPE = 1024;

/** Maximum cached variants of lists that depend on the caller; others are encoded for each request. */
const maxVariants = 16;

/** A page of a registry's listings, in the newest revision. */
export function page(
  { list }: { readonly list: readonly Listed[] },
  { after, settings }: { after: number; settings: ServerSettings },
): { listings: object[]; last: number; more: boolean } {
  const listings: object[] = [];
  let last = after;
  let room = settings.maxResult - ENVELOPE;
  for (let each = indexAfter(list, after); each < list.length; each++) {
    const isFirst = listings.length === 0;
    if (!isFirst && listings.length >= settings.pageSize) return { listings, last, more: true };
    const { position, listing } = list[each] as Listed;
    room = remainingLength(listing, room);
    // A single entry that exceeds the limit is tried alone, and rejected as a result.
    if (!isFirst && room < 0) return { listings, last, more: true };
    listings.push(listing);
    last = position;
  }
  return { listings, last, more: false };
}

/** Serves a list request. First pages are cached as text until a listed entry changes. */
export function listFrom(call: Call, member: string, view: ListView): Result | PreparedResult {
  if (call.params.cursor !== undefined) return pageFrom(call, member, view);
  const pages = pagesFor(call, view);
  const key = keyOf(call, view);
  const kept = pages.get(key);
  if (kept !== undefined) return kept;
  const { list } = view;
  const text = wholeText(call, member, list) ?? JSON.stringify(call.finalizeResult(pageFrom(call, member, { list })));
  const prepared = new PreparedResult(text);
  // Evicts the oldest variant: there may be many.
  if (view.variant !== '' && pages.size >= maxVariants) pages.delete(pages.keys().next().value as string);
  pages.set(key, prepared);
  return prepared;
}

/** True if the requested page is cached as text. */
export function isKept(call: Call, view: ListView): boolean {
  return call.params.cursor === undefined && pagesFor(call, view).has(keyOf(call, view));
}

function pagesFor({ server }: Call, { variant }: ListView): Map<string, PreparedResult> {
  return variant === '' ? server.catalog.pages : server.catalog.variants;
}

/** The candidates of the requested page; it ends earlier if entries are long. */
export function rowsFor<Entry extends Registered>(
  call: Call,
  { list }: { readonly list: readonly Entry[] },
): readonly Entry[] {
  const first = indexAfter(list, startPosition(call));
  const end = first + call.server.settings.pageSize;
  return first === 0 && end >= list.length ? list : list.slice(first, end);
}

function pageFrom(call: Call, member: string, registry: { readonly list: readonly Listed[] }): Result {
  const { server, method } = call;
  const { listings, last, more } = page(registry, { after: startPosition(call), settings: server.settings });
  return { [member]: listings, ...(more && { nextCursor: toCursor([method, last]) }) };
}

/** A list that fits on one page, as most do. Measured after encoding, since measuring first takes as long. */
function wholeText(call: Call, member: string, list: readonly Listed[]): string | undefined {
  const { pageSize, maxResult } = call.server.settings;
  if (list.length > pageSize) return undefined;
  const listings: object[] = [];
  for (const { listing } of list) listings.push(listing);
  const text = encodeResult(call.finalizeResult({ [member]: listings }));
  return text === undefined || text.length > maxResult - ENVELOPE ? undefined : text;
}

/** Undefined if it exceeds the maximum string length. */
function encodeResult(result: Result): string | undefined {
  try {
    return JSON.stringify(result);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Positions are ascending. */
function indexAfter(list: readonly Registered[], after: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as Registered).position <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** No two variants are the same text. A private list has other cache hints than a public one. */
function keyOf({ method, revision, cache }: Call, { variant }: ListView): string {
  const key = cache === undefined ? `${method} ${revision.version}` : `${method} ${revision.version} ${cache.scope}`;
  return variant === '' ? key : `${key} ${variant}`;
}

/** The position after which the requested page starts. */
function startPosition({ params: { cursor }, method }: Call): number {
  return cursor === undefined ? 0 : Number(fromCursor(cursor, method)[0]);
}
