import type { CallToolResult, Result } from '../../protocol/results.ts';
import type { AsideOutcome } from '../../server/aside.ts';
import { type DetailedTask, type Task, taskResultType } from './protocol.ts';
import type { TaskRecord } from './task-record.ts';
import { toldId } from './task-id.ts';

/** The answer to a call that became a task. */
export function handleOf(record: TaskRecord): Result {
  return { resultType: taskResultType, ...taskOf(record) };
}

/** A task with what has come of it so far. `told` makes an outcome what the reader's revision has. */
export function detailedOf(record: TaskRecord, told: (outcome: AsideOutcome) => AsideOutcome): DetailedTask {
  const task = taskOf(record);
  const { status, questions, outcome } = record;
  if (status === 'input_required') return { ...task, inputRequests: questions };
  if (outcome === undefined) return task;
  const known = told(outcome);
  // What the call would have been answered with says of itself that it is the end.
  if ('result' in known) return { ...task, result: { resultType: 'complete', ...(known.result as CallToolResult) } };
  return { ...task, error: known.error };
}

function taskOf({ id, status, statusMessage, createdAt, updatedAt, ttlMs, pollMs }: TaskRecord): Task {
  return {
    taskId: toldId(id),
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs: pollMs,
  };
}
