import type { ErrorBody } from '../../jsonrpc/errors.ts';
import type { Params } from '../../jsonrpc/message.ts';
import type { CallToolResult } from '../../protocol/results.ts';

/** The id of the extension. */
export const tasksId = 'io.modelcontextprotocol/tasks';

/** The result type of a task. */
export const taskResultType = 'task';

/** The requests about a task. */
export const taskMethods = { get: 'tasks/get', update: 'tasks/update', cancel: 'tasks/cancel' } as const;

/** Notifies subscribers of a task's state. */
export const taskNotification = 'notifications/tasks';

/** The member of the `subscriptions/listen` filter with task ids. */
export const taskFilter = 'taskIds';

/** The status of a task; the last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** True for a status that never changes again. */
export function isFinal(status: TaskStatus): status is 'completed' | 'failed' | 'cancelled' {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** The fields of every task. Times are ISO 8601. */
export interface Task {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Its lifetime after creation; null: unlimited. */
  readonly ttlMs: number | null;
  /** The polling interval, without notifications. */
  readonly pollIntervalMs?: number;
}

/** A question that waits for an answer. */
export interface InputRequest {
  readonly method: string;
  readonly params?: Params;
}

/** A task with its questions or outcome: the answer to `tasks/get`, and the params of `notifications/tasks`. */
export interface DetailedTask extends Task {
  /** All open questions, by key, if the status is `input_required`. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  /** The result of the tool, if the status is `completed`. */
  readonly result?: CallToolResult;
  /** The error, if the status is `failed`. */
  readonly error?: ErrorBody;
}
