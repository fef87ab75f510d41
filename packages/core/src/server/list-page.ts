import { PreparedResult } from '../jsonrpc/message.ts';
import type { Result } from '../protocol/results.ts';
import type { Call } from './call.ts';
import { fromCursor, toCursor } from './cursor.ts';
import type { Engine } from './engine.ts';
import type { Registered } from './registry.ts';
import { roomAfter } from './result-size.ts';

/** What stands around the rows of a page. */
const ENVELOPE = 1024;

/** A page of a registry's listings, in the newest shape. */
export function page<Entry extends Registered & { readonly listing: object }>(
  registry: { entries(): Iterable<Entry> },
  { after, server }: { after: number; server: Pick<Engine, 'pageSize' | 'maxResult'> },
): { listings: object[]; last: number; more: boolean } {
  const listings: object[] = [];
  let last = after;
  let room = server.maxResult - ENVELOPE;
  for (const { position, listing } of registry.entries()) {
    if (position <= after) continue;
    room = roomAfter(listing, room);
    // A row that is too large by itself is tried alone, and refused as a result.
    if (listings.length > 0 && (listings.length >= server.pageSize || room < 0)) return { listings, last, more: true };
    listings.push(listing);
    last = position;
  }
  return { listings, last, more: false };
}

/** Answers a list request from a registry. First pages are kept as text until the registry changes. */
export function listFrom<Entry extends Registered & { readonly listing: object }>(
  call: Call,
  member: string,
  registry: { entries(): Iterable<Entry> },
): Result | PreparedResult {
  const { cursor } = call.params;
  const { server, method, revision } = call;
  const key = `${method} ${revision.version}`;
  const kept = cursor === undefined ? server.pages.get(key) : undefined;
  if (kept !== undefined) return kept;

  const after = cursor === undefined ? 0 : place(cursor, method);
  const { listings, last, more } = page(registry, { after, server });
  const result = { [member]: listings, ...(more && { nextCursor: toCursor([method, last]) }) };
  if (cursor !== undefined) return result;
  const prepared = new PreparedResult(JSON.stringify(call.dress(result)));
  server.pages.set(key, prepared);
  return prepared;
}

function place(cursor: unknown, list: string): number {
  return Number(fromCursor(cursor, list)[0]);
}
