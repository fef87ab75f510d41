import { invalidParams, type ProtocolError } from '../../jsonrpc/errors.ts';
import type { Operation } from '../../server/call/operation.ts';
import type { TaskChanges, TaskRecord } from './task-record.ts';
import { toExpired, hasExpired } from './task-transitions.ts';
import { storedTaskIds } from './task-id.ts';
import type { TaskRunner } from './task-runner.ts';

/** The task id in the params of a request. */
export function parseTaskId({ params: { taskId } }: Operation): string {
  if (typeof taskId !== 'string') throw invalidParams('"taskId" must be a string');
  return taskId;
}

/** The task of a request, or an error if the caller may not see it. */
export async function requireTask(operation: Operation, runner: TaskRunner): Promise<TaskRecord> {
  const found = await findTask(operation, runner, parseTaskId(operation));
  if (found === undefined) throw unknownTask();
  return found;
}

/**
 * A task that the caller may see, in its current state. Another caller's task, or one whose scopes the caller lost,
 * looks like an unknown one.
 */
export async function findTask(
  operation: Operation,
  runner: TaskRunner,
  taskId: string,
): Promise<TaskRecord | undefined> {
  for (const id of storedTaskIds(taskId, operation.auth?.principal)) {
    const found = await readTask(operation, runner, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds a task by its stored id. */
export async function readTask(operation: Operation, runner: TaskRunner, id: string): Promise<TaskRecord | undefined> {
  const record = await runner.store.read(id);
  if (record === undefined || !maySee(operation, record)) return undefined;
  if (hasExpired(record)) return await expireTask(runner, record);
  runner.takeover.checkWorker(record);
  return record;
}

/** The error for a task that does not exist, or not for this caller. */
export function unknownTask(): ProtocolError {
  return invalidParams('Unknown task: it does not exist, has expired, or belongs to another caller');
}

function maySee({ auth, has }: Operation, { principal, scopes }: TaskRecord): boolean {
  return (principal === undefined || principal === auth?.principal) && has(scopes);
}

async function expireTask({ store }: TaskRunner, known: TaskRecord): Promise<TaskRecord | undefined> {
  const change = (record: TaskRecord): TaskChanges | undefined => (hasExpired(record) ? toExpired(record) : undefined);
  const record = await store.update(known.id, change, known);
  if (record !== undefined && record.version !== known.version) await store.publish(record);
  return record;
}
