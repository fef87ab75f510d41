import type { CallToolResult, Result } from '../../protocol/results.ts';
import type { JobOutcome } from '../../server/call/background-job.ts';
import { type DetailedTask, type Task, taskResultType } from './protocol.ts';
import type { TaskRecord } from './task-record.ts';
import { publicTaskId } from './task-id.ts';

/** The answer to a call that became a task. */
export function encodeHandle(record: TaskRecord): Result {
  return { resultType: taskResultType, ...encodeTask(record) };
}

/** Encodes a task with its questions or outcome. `encodeOutcome` adapts an outcome to the reader's revision. */
export function encodeDetailedTask(
  record: TaskRecord,
  encodeOutcome: (outcome: JobOutcome) => JobOutcome,
): DetailedTask {
  const task = encodeTask(record);
  const { status, questions, outcome } = record;
  if (status === 'input_required') return { ...task, inputRequests: questions };
  if (outcome === undefined) return task;
  const encoded = encodeOutcome(outcome);
  // The result that the call would have returned is final.
  if ('result' in encoded)
    return { ...task, result: { resultType: 'complete', ...(encoded.result as CallToolResult) } };
  return { ...task, error: encoded.error };
}

function encodeTask({ id, status, statusMessage, createdAt, updatedAt, ttlMs, pollMs }: TaskRecord): Task {
  return {
    taskId: publicTaskId(id),
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs: pollMs,
  };
}
