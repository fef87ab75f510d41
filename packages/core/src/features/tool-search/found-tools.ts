import type { Operation } from '../../server/call/operation.ts';
import { sessionDigest } from '../../server/call/session-digest.ts';
import type { Life } from '../../stores/store.ts';

/** So many tools that a session found stay in its list. */
const maxFound = 50;

/** How long they do after the last search or list. */
const life: Life = { ttlMs: 60 * 60 * 1000, kind: 'tool-search', limit: 100_000 };

/** The tools that this session found. A caller without a session has none: nothing tells its requests from those of others. */
export async function listFound(operation: Operation): Promise<ReadonlySet<string>> {
  const key = await keyOf(operation);
  if (key === undefined) return new Set();
  const store = await operation.shared();
  return (await store.read(key, life)) === undefined ? new Set() : store.members(key);
}

/** Adds tools to those that this session found. True if its list of tools is another now. */
export async function addFound(operation: Operation, names: readonly string[]): Promise<boolean> {
  const key = await keyOf(operation);
  if (key === undefined) return false;
  const store = await operation.shared();
  const known = await listFound(operation);
  const added = names.filter((name) => !known.has(name));
  if (added.length === 0) return false;
  await store.claim(key, life);
  const excess = Math.max(0, known.size + added.length - maxFound);
  const max = { count: maxFound, length: maxFound * 1000 };
  return (await store.alter(key, { add: added, remove: [...known].slice(0, excess), max })) === true;
}

async function keyOf(operation: Operation): Promise<string | undefined> {
  const session = operation.era === 'stateless' ? undefined : await sessionDigest(operation);
  return session === undefined ? undefined : `tool-search/${operation.host.info.name}/${session}`;
}
