import type { FollowedRequest } from '../../../client/extension.ts';
import { ResultError } from '../../../client/errors.ts';
import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import type { Params } from '../../../jsonrpc/message.ts';
import { limits } from '../../../limits.ts';
import type { Result } from '../../../protocol/results.ts';
import type { DetailedTask } from '../protocol.ts';
import { TaskGoneError } from './task-errors.ts';

/** What is needed of a connection for the tasks on it. `signal`: aborted when the connection is over. */
export type TaskLine = Pick<FollowedRequest, 'request' | 'answer' | 'listen' | 'signal' | 'warn'>;

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
  attend?(signal: AbortSignal): Promise<unknown>;
  /** Hears how the task stands until `signal`. Gives the end of that; rejects where the server does not tell. */
  listen?(heard: (task: DetailedTask) => void, signal: AbortSignal): Promise<{ closed: Promise<void> }>;
}

const answerMs = limits.clientTasks.answerMs.value;

/**
 * Makes a request about a task. It ends by its own time-out alone: nobody takes such a request back, as that could look like
 * taking the task back.
 */
export function askAboutTask(
  line: Pick<TaskLine, 'request'>,
  method: string,
  params: Params & { taskId: string },
): Promise<Result> {
  const { signal } = new AbortController();
  return line.request(method, params, { signal, timeoutMs: answerMs, maxTimeoutMs: answerMs });
}

/** The same where invalid params can only mean that there is no such task. */
export async function askTask(
  line: Pick<TaskLine, 'request'>,
  method: string,
  params: Params & { taskId: string },
): Promise<Result> {
  try {
    return await askAboutTask(line, method, params);
  } catch (error) {
    throw isInvalid(error) ? new TaskGoneError(params.taskId, 'unknown', { cause: error }) : error;
  }
}

/** True where a server says that the params are invalid. */
export function isInvalid(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ErrorCode.InvalidParams;
}

/** Gives a task, if it is the one that was asked for. */
export function same(taskId: string, task: DetailedTask): DetailedTask {
  if (task.taskId === taskId) return task;
  throw new ResultError('The server told of another task than it was asked for', task);
}
