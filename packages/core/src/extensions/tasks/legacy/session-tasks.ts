import { limits } from '../../../limits.ts';
import { toHex } from '../../../runtime/hex.ts';
import type { Operation } from '../../../server/operation.ts';
import type { Life } from '../../../stores/store.ts';
import { remainingLifetime } from '../task-id.ts';

/*
 * Of a caller who does not say who they are, only the session is known: a list in the store names the tasks that were made
 * in it.
 */

const { ttlMs, keepMs, perCaller } = limits.tasks;
const most = perCaller.value;

/** Notes that a task was made in a session. Does nothing where there is none. */
export async function addSessionTask(operation: Operation, id: string): Promise<void> {
  const key = await sessionKeyOf(operation);
  if (key === undefined) return;
  const store = await operation.shared();
  const life: Life = {
    ttlMs: Math.max(ttlMs.value, remainingLifetime(id, Date.now())) + keepMs.value,
    kind: 'task-session',
    limit: limits.tasks.inAll.value,
  };
  // Prolonged where it is there already.
  if (!(await store.claim(key, life))) await store.read(key, life);
  const change = { add: [id], remove: [] as string[], max: { count: most, length: most * 200 } };
  if ((await store.alter(key, change)) !== 'full') return;
  await store.alter(key, { ...change, remove: (await listTaskIds(operation, key)).filter(isExpired) });
}

/** The tasks that were made in the session of a request. */
export async function sessionTaskIds(operation: Operation): Promise<string[]> {
  const key = await sessionKeyOf(operation);
  return key === undefined ? [] : (await listTaskIds(operation, key)).filter((id) => !isExpired(id));
}

async function listTaskIds(operation: Operation, key: string): Promise<string[]> {
  const store = await operation.shared();
  return [...(await store.members(key))];
}

function isExpired(id: string): boolean {
  return remainingLifetime(id, Date.now()) <= 0;
}

/** The id of a session is a secret, and nothing for the store. */
async function sessionKeyOf({ host, sessionKey }: Operation): Promise<string | undefined> {
  if (sessionKey === undefined) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sessionKey));
  return `tasks/${host.info.name}/session/${toHex(new Uint8Array(digest, 0, 16))}`;
}
