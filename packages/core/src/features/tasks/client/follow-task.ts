import type { FollowedRequest } from '../../../client/extension.ts';
import { ConnectionError, HttpError } from '../../../client/errors.ts';
import type { Result } from '../../../protocol/results.ts';
import { type DetailedTask, isFinal } from '../protocol.ts';
import { waitForTask } from './wait-for-task.ts';
import { legacyFieldNames, legacyWire, extensionFieldNames, extensionWire, type TaskWire } from './task-wire.ts';
import { isUnreachable, isTransient, withRetry } from './retry.ts';
import { parseHandle } from './parse-task.ts';
import { toHandle } from './remote-task.ts';
import { TaskGoneError } from './task-errors.ts';
import { saveSafely, type TaskKeeper } from './task-keeper.ts';
import { TaskPoller } from './task-poller.ts';

/** Waits for the result of a task of the extension. */
export function followTask(answer: Result, request: FollowedRequest, keeper: TaskKeeper | undefined): Promise<Result> {
  const task = parseHandle(answer, extensionFieldNames);
  return waitForResult(task, extensionWire(request, task.taskId), request, keeper);
}

/** Waits for the result of a legacy task. */
export function followLegacyTask(
  answer: unknown,
  request: FollowedRequest,
  keeper: TaskKeeper | undefined,
): Promise<Result> {
  const task = parseHandle(answer, legacyFieldNames);
  return waitForResult(task, legacyWire(request, task.taskId), request, keeper);
}

/** Aborting the call cancels the task; closing the client leaves it running, to be resumed later. */
async function waitForResult(
  task: DetailedTask,
  wire: TaskWire,
  request: FollowedRequest,
  keeper: TaskKeeper | undefined,
): Promise<Result> {
  const { signal, onProgress, params } = request;
  const tool = typeof params?.name === 'string' ? params.name : undefined;
  const drop = (): Promise<void> => saveSafely(() => keeper?.delete(task.taskId), request.warn);
  await saveSafely(() => keeper?.put(toHandle(task, wire, tool)), request.warn);
  const poller = new TaskPoller(request, wire, task);
  try {
    const ended = await waitForTask(poller, { line: request, wire }, { onProgress });
    const result = await withRetry(() => wire.outcome(ended), [signal], isTransient);
    await drop();
    return result;
  } catch (error) {
    // The task is still running.
    if (isUnreachable(error)) throw lostContact(task.taskId, error as Error);
    const isNeeded = !isFinal(poller.task.status) && !(error instanceof TaskGoneError);
    // Not awaited: the caller has stopped waiting.
    if (isNeeded) wire.cancel().catch(() => {});
    await drop();
    throw error;
  }
}

function lostContact(taskId: string, error: Error): Error {
  if (error instanceof HttpError) return error;
  const message = `The server can no longer be asked about the task ${JSON.stringify(taskId)}: ${error.message}`;
  return new ConnectionError(message, { cause: error });
}
