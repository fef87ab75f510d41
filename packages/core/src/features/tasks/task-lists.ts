import { limits } from '../../limits.ts';
import type { Life, MemberChanges, Store } from '../../stores/store.ts';
import { expiryOf, maxTtlMs } from './task-id.ts';

/** Lists outlive the tasks on them. */
const listTtlMs = 2 * maxTtlMs;

/** The lifetime of a list after its last change. */
export const listLife: Life = {
  ttlMs: listTtlMs,
  kind: 'task-list',
  limit: 10 * limits.tasks.inAll.value,
  busyMs: listTtlMs,
};

/** Adds to a list with a maximum size, without what has expired. False if it is full. */
export async function addToList(store: Store, key: string, entry: string, max: number): Promise<boolean> {
  const add = { add: [entry], remove: [], ...(Number.isFinite(max) && { max: { count: max, length: max * 200 } }) };
  if ((await alterList(store, key, add)) !== 'full') return true;
  const now = Date.now();
  const expired = [...(await store.members(key))].filter((each) => expiryOf(each) <= now);
  return expired.length > 0 && (await store.alter(key, { ...add, remove: expired })) === true;
}

/** Changes a list, and creates it if needed. */
export async function alterList(store: Store, key: string, change: MemberChanges): Promise<'changed' | 'new' | 'full'> {
  const added = await store.alter(key, change);
  if (added !== false) return added === 'full' ? added : 'changed';
  await store.claim(key, listLife);
  return (await store.alter(key, change)) === 'full' ? 'full' : 'new';
}

/** Removes an entry, if it is there. */
export async function removeFromList(store: Store, key: string, entry: string): Promise<void> {
  await store.alter(key, { add: [], remove: [entry] });
}
