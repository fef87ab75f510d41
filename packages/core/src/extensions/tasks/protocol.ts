import type { ErrorBody } from '../../jsonrpc/errors.ts';
import type { Params } from '../../jsonrpc/message.ts';
import type { CallToolResult } from '../../protocol/results.ts';

/** The name by which both sides declare that they have tasks. */
export const tasksId = 'io.modelcontextprotocol/tasks';

/** The type of result that stands for a task. */
export const taskResultType = 'task';

/** The requests about a task. */
export const taskMethods = { get: 'tasks/get', update: 'tasks/update', cancel: 'tasks/cancel' } as const;

/** Tells whoever listens to a task how it stands. */
export const taskNotification = 'notifications/tasks';

/** The member of the filter of `subscriptions/listen` with the ids of tasks. */
export const taskFilter = 'taskIds';

/** How a task stands; the last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** True for a status that does not change any more. */
export function isFinal(status: TaskStatus): status is 'completed' | 'failed' | 'cancelled' {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** What both sides know of every task. Times are ISO 8601. */
export interface Task {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** For how long it is kept, from when it was made; null: that is not limited. */
  readonly ttlMs: number | null;
  /** How often to ask for it, if nobody tells. */
  readonly pollIntervalMs?: number;
}

/** A question that waits for an answer, as `tasks/get` tells of it. */
export interface InputRequest {
  readonly method: string;
  readonly params?: Params;
}

/** A task with what has come of it so far: what `tasks/get` answers, and what `notifications/tasks` tells. */
export interface DetailedTask extends Task {
  /** All questions that wait, by key, where the status is `input_required`. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  /** What the tool returned, where the status is `completed`. */
  readonly result?: CallToolResult;
  /** Why there is no result, where the status is `failed`. */
  readonly error?: ErrorBody;
}
