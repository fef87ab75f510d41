import type { FollowedRequest } from '../../../client/extension.ts';
import { ConnectionError, HttpError } from '../../../client/errors.ts';
import type { Result } from '../../../protocol/results.ts';
import { type DetailedTask, isFinal } from '../protocol.ts';
import { endOf } from './wait-for-task.ts';
import { experimentalNames, experimentalWire } from './task-wire.ts';
import { extensionNames, extensionWire } from './task-wire.ts';
import { isOutOfReach, mayComeBack, patiently } from './retry.ts';
import { readHandle } from './parse-task.ts';
import { handleOf } from './remote-task.ts';
import { TaskGoneError } from './task-errors.ts';
import { keep, type TaskKeeper } from './task-keeper.ts';
import { TaskWatch } from './task-poller.ts';
import type { TaskWire } from './task-wire.ts';

/** Waits for the result of a task of the extension, which a call was answered with. */
export function followTask(answer: Result, request: FollowedRequest, keeper: TaskKeeper | undefined): Promise<Result> {
  const task = readHandle(answer, extensionNames);
  return resultOf(task, extensionWire(request, task.taskId), request, keeper);
}

/** Waits for the result of an experimental task. */
export function followExperimental(
  answer: unknown,
  request: FollowedRequest,
  keeper: TaskKeeper | undefined,
): Promise<Result> {
  const task = readHandle(answer, experimentalNames);
  return resultOf(task, experimentalWire(request, task.taskId), request, keeper);
}

/** Whoever gives up on the call gives up on the task; whoever closes the client may come back to it. */
async function resultOf(
  task: DetailedTask,
  wire: TaskWire,
  request: FollowedRequest,
  keeper: TaskKeeper | undefined,
): Promise<Result> {
  const { signal, onProgress, params } = request;
  const tool = typeof params?.name === 'string' ? params.name : undefined;
  const drop = (): Promise<void> => keep(() => keeper?.delete(task.taskId), request.warn);
  await keep(() => keeper?.put(handleOf(task, wire, tool)), request.warn);
  const watch = new TaskWatch(request, wire, task);
  try {
    const ended = await endOf(watch, { line: request, wire }, { onProgress });
    const result = await patiently(() => wire.outcome(ended), [signal], mayComeBack);
    await drop();
    return result;
  } catch (error) {
    // The task goes on.
    if (isOutOfReach(error)) throw outOfSight(task.taskId, error as Error);
    const isNeeded = !isFinal(watch.task.status) && !(error instanceof TaskGoneError);
    // Not waited for: nobody is there any more who would.
    if (isNeeded) wire.cancel().catch(() => {});
    await drop();
    throw error;
  }
}

function outOfSight(taskId: string, error: Error): Error {
  if (error instanceof HttpError) return error;
  const message = `The server can't be asked any more about the task ${JSON.stringify(taskId)}: ${error.message}`;
  return new ConnectionError(message, { cause: error });
}
