import { limits } from '../../../limits.ts';
import type { Operation } from '../../../server/call/operation.ts';
import { sessionDigest } from '../../../server/call/session-digest.ts';
import type { Life } from '../../../stores/store.ts';
import { keepMs, remainingLifetime } from '../task-id.ts';

/** An anonymous caller is known by its session only: a list in the store has the tasks of the session. */

const { ttlMs, perCaller } = limits.tasks;
const most = perCaller.value;

/** Adds a task to the list of its session, if there is a session. */
export async function addSessionTask(operation: Operation, id: string): Promise<void> {
  const key = await sessionKeyOf(operation);
  if (key === undefined) return;
  const store = await operation.shared();
  const life: Life = {
    ttlMs: Math.max(ttlMs.value, remainingLifetime(id, Date.now())) + keepMs,
    kind: 'task-session',
    limit: limits.tasks.inAll.value,
  };
  // Extends the lifetime of an existing list.
  if (!(await store.claim(key, life))) await store.read(key, life);
  const change = { add: [id], remove: [] as string[], max: { count: most, length: most * 200 } };
  if ((await store.alter(key, change)) !== 'full') return;
  await store.alter(key, { ...change, remove: (await listTaskIds(operation, key)).filter(isExpired) });
}

/** The tasks of the request's session. */
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

async function sessionKeyOf(operation: Operation): Promise<string | undefined> {
  const session = await sessionDigest(operation);
  return session === undefined ? undefined : `tasks/${operation.host.info.name}/session/${session}`;
}
