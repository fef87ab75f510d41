import type { FollowedRequest } from '../../../client/extension.ts';
import { ResultError } from '../../../client/errors.ts';
import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import { type Params, isObject } from '../../../jsonrpc/message.ts';
import type { Result } from '../../../protocol/results.ts';
import { type DetailedTask, taskFilter, taskMethods, taskNotification, isFinal } from '../protocol.ts';
import { TaskGoneError, TaskCancelledError } from './task-errors.ts';
import { parseDetailedTask, type TaskFieldNames, parseTask } from './parse-task.ts';

/** Field names of the legacy form. */
export const legacyFieldNames: TaskFieldNames = { ttl: 'ttl', poll: 'pollInterval' };

const noTimeout = { timeoutMs: Number.POSITIVE_INFINITY, maxTimeoutMs: Number.POSITIVE_INFINITY };

/** A legacy task: a long-lived request fetches its result, and questions arrive as requests of the server. */
export function legacyWire(connection: TaskConnection, taskId: string): TaskWire {
  const get = async (): Promise<DetailedTask> =>
    assertSameTask(taskId, parseTask(await requestKnownTask(connection, 'tasks/get', { taskId }), legacyFieldNames));
  return {
    form: 'experimental',
    get,
    async cancel() {
      try {
        await requestKnownTask(connection, 'tasks/cancel', { taskId });
      } catch (error) {
        // Cancelling a finished task is rejected with the same code as an unknown one.
        if (!(error instanceof TaskGoneError) || !isFinal((await get()).status)) throw error;
      }
    },
    async outcome({ status, statusMessage }) {
      if (status === 'cancelled') throw new TaskCancelledError(taskId, statusMessage);
      return requestTask(connection, 'tasks/result', { taskId });
    },
    awaitQuestions: (signal) => connection.request('tasks/result', { taskId }, { ...noTimeout, signal }),
  };
}

/** Field names of the extension. */
export const extensionFieldNames: TaskFieldNames = { ttl: 'ttlMs', poll: 'pollIntervalMs' };

/** A task of the extension: its questions and outcome are in its state. */
export function extensionWire(connection: TaskConnection, taskId: string): TaskWire {
  const read = (value: unknown): DetailedTask => assertSameTask(taskId, parseDetailedTask(value, extensionFieldNames));
  return {
    form: 'extension',
    get: async () => read(await requestKnownTask(connection, taskMethods.get, { taskId })),
    cancel: async () => void (await requestKnownTask(connection, taskMethods.cancel, { taskId })),
    async update(inputResponses) {
      try {
        await requestTask(connection, taskMethods.update, { taskId, inputResponses });
      } catch (error) {
        // An invalid answer is rejected with the same code as an unknown task.
        if (isInvalidParams(error)) await requestKnownTask(connection, taskMethods.get, { taskId });
        throw error;
      }
    },
    async outcome({ status, statusMessage, result, error }) {
      if (result !== undefined) return result;
      if (error !== undefined) throw new ProtocolError(error.code, error.message, error.data);
      if (status === 'cancelled') throw new TaskCancelledError(taskId, statusMessage);
      throw new TypeError('A task that has not ended has no outcome');
    },
    async listen(onTask, signal) {
      const subscription = await connection.listen(
        { [taskFilter]: [taskId] },
        {
          signal,
          onNotification(method, params) {
            if (method !== taskNotification || params.taskId !== taskId) return;
            try {
              onTask(read(params));
            } catch (error) {
              connection.warn(`A notification of a task can't be used: ${(error as Error).message}`);
            }
          },
        },
      );
      if (grantsTask(subscription.honoured.more, taskId)) return subscription;
      await subscription.close();
      throw new Error('The server does not support notifications of this task');
    },
  };
}

function grantsTask(granted: unknown, taskId: string): boolean {
  const ids = isObject(granted) ? granted[taskFilter] : undefined;
  return Array.isArray(ids) && ids.includes(taskId);
}

/** The parts of a connection that tasks use. `signal` aborts when the connection closes. */
export type TaskConnection = Pick<FollowedRequest, 'request' | 'answer' | 'listen' | 'signal' | 'warn'>;

/** The two forms of tasks: that of the extension, or the experimental one of the last handshake revision. */
export type TaskForm = 'extension' | 'experimental';

/** The requests about one task, in the form it has. */
export interface TaskWire {
  readonly form: TaskForm;
  /** Fetches the state. */
  get(): Promise<DetailedTask>;
  /** Asks the server to cancel it. */
  cancel(): Promise<void>;
  /** The outcome of a finished task: a result, or an error. */
  outcome(ended: DetailedTask): Promise<Result>;
  /** Sends answers to questions, by key. Absent: the server asks with requests. */
  update?(answers: Params): Promise<void>;
  /** Keeps a request open for the server's questions. Absent: questions are in the task. */
  awaitQuestions?(signal: AbortSignal): Promise<unknown>;
  /** Subscribes until `signal` aborts. Rejects if the server does not support that. */
  listen?(onTask: (task: DetailedTask) => void, signal: AbortSignal): Promise<{ closed: Promise<void> }>;
}

/** Timeout of a request about a task. */
const answerMs = 30 * 1000;

/** Sends a request about a task. Only its own timeout ends it: a cancellation could be taken for one of the task. */
function requestTask(
  connection: Pick<TaskConnection, 'request'>,
  method: string,
  params: Params & { taskId: string },
): Promise<Result> {
  const { signal } = new AbortController();
  return connection.request(method, params, { signal, timeoutMs: answerMs, maxTimeoutMs: answerMs });
}

/** Sends a request whose invalid params error can only mean an unknown task. */
async function requestKnownTask(
  connection: Pick<TaskConnection, 'request'>,
  method: string,
  params: Params & { taskId: string },
): Promise<Result> {
  try {
    return await requestTask(connection, method, params);
  } catch (error) {
    throw isInvalidParams(error) ? new TaskGoneError(params.taskId, 'unknown', { cause: error }) : error;
  }
}

/** True for an invalid params error of the server. */
function isInvalidParams(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ErrorCode.InvalidParams;
}

/** Returns the task if it is the requested one. */
function assertSameTask(taskId: string, task: DetailedTask): DetailedTask {
  if (task.taskId === taskId) return task;
  throw new ResultError('The server returned another task than requested', task);
}
