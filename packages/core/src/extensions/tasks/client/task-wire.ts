import type { FollowedRequest } from '../../../client/extension.ts';
import { ResultError } from '../../../client/errors.ts';
import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import type { Params } from '../../../jsonrpc/message.ts';
import { limits } from '../../../limits.ts';
import type { Result } from '../../../protocol/results.ts';
import type { DetailedTask } from '../protocol.ts';
import { TaskGoneError, TaskCancelledError } from './task-errors.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { taskFilter, taskMethods, taskNotification, isFinal } from '../protocol.ts';
import { parseDetailedTask, type TaskFieldNames, parseTask } from './parse-task.ts';

/** What the experiment calls the times of a task. */
export const legacyFieldNames: TaskFieldNames = { ttl: 'ttl', poll: 'pollInterval' };

const noTimeout = { timeoutMs: Number.POSITIVE_INFINITY, maxTimeoutMs: Number.POSITIVE_INFINITY };

/** An experimental task: its result is fetched by a request that waits for it, and it asks by requests of the server. */
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
        // What has ended can't be cancelled here, which is refused with the same code.
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

/** What the extension calls the times of a task. */
export const extensionFieldNames: TaskFieldNames = { ttl: 'ttlMs', poll: 'pollIntervalMs' };

/** A task of the extension: it carries its questions and what came of it. */
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
        // What can't be taken for an answer is refused with the same code as a task that is not there.
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
    async listen(heard, signal) {
      const subscription = await connection.listen(
        { [taskFilter]: [taskId] },
        {
          signal,
          heard(method, params) {
            if (method !== taskNotification || params.taskId !== taskId) return;
            try {
              heard(read(params));
            } catch (error) {
              connection.warn(`A notification of a task can't be used: ${(error as Error).message}`);
            }
          },
        },
      );
      if (grantsTask(subscription.honoured.more, taskId)) return subscription;
      await subscription.close();
      throw new Error('The server does not tell of this task');
    },
  };
}

function grantsTask(granted: unknown, taskId: string): boolean {
  const ids = isObject(granted) ? granted[taskFilter] : undefined;
  return Array.isArray(ids) && ids.includes(taskId);
}

/** What is needed of a connection for the tasks on it. `signal`: aborted when the connection is over. */
export type TaskConnection = Pick<FollowedRequest, 'request' | 'answer' | 'listen' | 'signal' | 'warn'>;

/** The forms that tasks have: that of the extension, or the experiment that the last revision with a handshake made. */
export type TaskForm = 'extension' | 'experimental';

/** How one task is asked about, told and ended, in the form that it has. */
export interface TaskWire {
  readonly form: TaskForm;
  /** How the task stands. */
  get(): Promise<DetailedTask>;
  /** Asks the server to stop it. */
  cancel(): Promise<void>;
  /** What came of a task that has ended: a result, or an error. */
  outcome(ended: DetailedTask): Promise<Result>;
  /** Sends answers to questions, by key. Absent: the server asks by requests of its own. */
  update?(answers: Params): Promise<void>;
  /** Lets the server ask, as long as it wants to. Absent: it asks within the task. */
  awaitQuestions?(signal: AbortSignal): Promise<unknown>;
  /** Hears how the task stands until `signal`. Gives the end of that; rejects where the server does not tell. */
  listen?(heard: (task: DetailedTask) => void, signal: AbortSignal): Promise<{ closed: Promise<void> }>;
}

const answerMs = limits.clientTasks.answerMs.value;

/**
 * Makes a request about a task. It ends by its own time-out alone: nobody takes such a request back, as that could look like
 * taking the task back.
 */
export function requestTask(
  connection: Pick<TaskConnection, 'request'>,
  method: string,
  params: Params & { taskId: string },
): Promise<Result> {
  const { signal } = new AbortController();
  return connection.request(method, params, { signal, timeoutMs: answerMs, maxTimeoutMs: answerMs });
}

/** The same where invalid params can only mean that there is no such task. */
export async function requestKnownTask(
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

/** True where a server says that the params are invalid. */
export function isInvalidParams(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ErrorCode.InvalidParams;
}

/** Gives a task, if it is the one that was asked for. */
export function assertSameTask(taskId: string, task: DetailedTask): DetailedTask {
  if (task.taskId === taskId) return task;
  throw new ResultError('The server told of another task than it was asked for', task);
}
