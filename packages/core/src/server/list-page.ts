import { PreparedResult } from '../jsonrpc/message.ts';
import type { Result } from '../protocol/results.ts';
import type { Call } from './call.ts';
import { fromCursor, toCursor } from './cursor.ts';
import type { Registered } from './registry.ts';

/** A page of a registry's listings, in the newest shape. */
export function page<Entry extends Registered & { readonly listing: object }>(
  registry: { entries(): Iterable<Entry> },
  { after, size }: { after: number; size: number },
): { listings: object[]; last: number; more: boolean } {
  const all = [...registry.entries()];
  const left = after === 0 ? all : all.filter(({ position }) => position > after);
  const shown = left.length > size ? left.slice(0, size) : left;
  const listings = shown.map(({ listing }) => listing);
  return { listings, last: shown.at(-1)?.position ?? after, more: left.length > size };
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
  const { listings, last, more } = page(registry, { after, size: server.pageSize });
  const result = { [member]: listings, ...(more && { nextCursor: toCursor([method, last]) }) };
  if (cursor !== undefined) return result;
  const prepared = new PreparedResult(JSON.stringify(call.dress(result)));
  server.pages.set(key, prepared);
  return prepared;
}

function place(cursor: unknown, list: string): number {
  return Number(fromCursor(cursor, list)[0]);
}
