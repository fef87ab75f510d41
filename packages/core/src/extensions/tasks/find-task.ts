import { invalidParams, type ProtocolError } from '../../jsonrpc/errors.ts';
import type { Operation } from '../../server/operation.ts';
import type { TaskChanges, TaskRecord } from './task-record.ts';
import { expired, hasExpired } from './task-transitions.ts';
import { keptIds } from './task-id.ts';
import type { Workshop } from './task-runner.ts';

/** The id of the task that a request is about. */
export function taskIdOf({ params: { taskId } }: Operation): string {
  if (typeof taskId !== 'string') throw invalidParams('"taskId" must be a string: the task that is meant');
  return taskId;
}

/** The task that a request is about, where its caller may know of it. */
export async function taskFor(operation: Operation, workshop: Workshop): Promise<TaskRecord> {
  const found = await findTask(operation, workshop, taskIdOf(operation));
  if (found === undefined) throw unknownTask();
  return found;
}

/**
 * A task that a caller may know of, as it is now. Somebody else's, or one for which they lack scopes by now, is as unknown as
 * one that never was.
 */
export async function findTask(
  operation: Operation,
  workshop: Workshop,
  taskId: string,
): Promise<TaskRecord | undefined> {
  for (const id of keptIds(taskId, operation.auth?.principal)) {
    const found = await keptTask(operation, workshop, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same for one whose id is known as it is kept. */
export async function keptTask(operation: Operation, workshop: Workshop, id: string): Promise<TaskRecord | undefined> {
  const record = await workshop.store.read(id);
  if (record === undefined || !mayKnow(operation, record)) return undefined;
  if (hasExpired(record)) return await endExpired(workshop, record);
  workshop.suspect(record);
  return record;
}

/** The error for a task that is not there, or not for this caller. */
export function unknownTask(): ProtocolError {
  return invalidParams('Unknown task: it never was, it has expired, or it is not yours');
}

function mayKnow({ auth, has }: Operation, { principal, scopes }: TaskRecord): boolean {
  return (principal === undefined || principal === auth?.principal) && has(scopes);
}

async function endExpired({ store }: Workshop, known: TaskRecord): Promise<TaskRecord | undefined> {
  const change = (record: TaskRecord): TaskChanges | undefined => (hasExpired(record) ? expired(record) : undefined);
  const record = await store.change(known.id, change, known);
  if (record !== undefined && record.version !== known.version) await store.tell(record);
  return record;
}
