import { ProtocolError } from '../../../jsonrpc/errors.ts';
import type { CallToolResult, Result } from '../../../protocol/results.ts';
import { type DetailedTask, type TaskStatus, isFinal } from '../protocol.ts';
import { waitForTask, type TaskWaiting } from './wait-for-task.ts';
import { isTransient, withRetry } from './retry.ts';
import { TaskCancelledError, TaskGoneError } from './task-errors.ts';
import { saveSafely, type TaskHandle, type TaskKeeper } from './task-keeper.ts';
import { TaskPoller } from './task-poller.ts';
import type { TaskConnection, TaskWire } from './task-wire.ts';
import type { Params } from '../../../jsonrpc/message.ts';

/** A tool call that runs on the server. As an iterable it yields each change, the final state last. */
export interface RemoteTask extends AsyncIterable<DetailedTask> {
  /** The task id; undefined if the call returned its result directly. */
  readonly taskId: string | undefined;
  /** The last known status. */
  readonly status: TaskStatus;
  /** The server's message about the status. */
  readonly statusMessage: string | undefined;
  /** Questions that wait for an answer. A legacy task asks with requests of the server and has none here. */
  readonly questions: readonly TaskQuestion[];
  /** The last known state; undefined if the call returned its result directly. */
  readonly task: DetailedTask | undefined;
  /** The handle for resuming it later; undefined if the call returned its result directly. */
  readonly handle: TaskHandle | undefined;
  /** Fetches the status from the server. */
  refresh(): Promise<TaskStatus>;
  /**
   * Waits for the result of the tool. Questions are answered as the client's options say, unless `byHand`. The `signal`
   * ends the waiting, not the task.
   */
  result(waiting?: TaskWaiting): Promise<CallToolResult>;
  /** Answers questions by hand: results of their methods, by key. */
  answer(answers: Readonly<Record<string, object>>): Promise<void>;
  /** Asks the server to cancel it. No effect on a finished task. */
  cancel(): Promise<void>;
}

/** The parts of the client that a task uses. */
export interface TaskHost {
  readonly line: TaskConnection;
  readonly keeper: TaskKeeper | undefined;
  /** Converts a result to what the caller of a tool gets. */
  finish(tool: string | undefined, result: Result): CallToolResult | Promise<CallToolResult>;
}

/** Creates a remote task. */
export function remoteTask(host: TaskHost, wire: TaskWire, first: DetailedTask, tool: string | undefined): RemoteTask {
  const { line: connection, keeper } = host;
  const { taskId } = first;
  const poller = new TaskPoller(connection, wire, first);
  const drop = (): Promise<void> => saveSafely(() => keeper?.delete(taskId), connection.warn);
  const dropIfOver = async (error: unknown): Promise<never> => {
    const isFailed = error instanceof ProtocolError && poller.task.status === 'failed';
    if (isFailed || error instanceof TaskGoneError || error instanceof TaskCancelledError) await drop();
    throw error;
  };
  return {
    taskId,
    get status() {
      return poller.task.status;
    },
    get statusMessage() {
      return poller.task.statusMessage;
    },
    get questions() {
      return listQuestions(poller.task);
    },
    get task() {
      return poller.task;
    },
    get handle() {
      return toHandle(poller.task, wire, tool);
    },
    async refresh() {
      return (await poller.refresh().catch(dropIfOver)).status;
    },
    async result(waiting = {}) {
      const ended = await waitForTask(poller, { line: connection, wire }, waiting).catch(dropIfOver);
      const result = await withRetry(() => wire.outcome(ended), [connection.signal], isTransient).catch(dropIfOver);
      await drop();
      return host.finish(tool, result);
    },
    async answer(answers) {
      if (wire.update === undefined) {
        throw new TypeError('This server asks with requests: pass "elicit" and similar handlers to "connect"');
      }
      await withRetry(async () => wire.update?.(answers as Record<string, unknown>), [connection.signal]);
    },
    async cancel() {
      await withRetry(() => wire.cancel(), [connection.signal]).catch(dropIfOver);
      await drop();
    },
    [Symbol.asyncIterator]: () => iterateChanges(poller),
  };
}

/** Wraps an immediate result in the same interface. */
export function completedTask(result: CallToolResult): RemoteTask {
  return {
    taskId: undefined,
    status: 'completed',
    statusMessage: undefined,
    questions: [],
    task: undefined,
    handle: undefined,
    refresh: async () => 'completed',
    result: async () => result,
    async answer() {
      throw new TypeError('The tool answered at once and has no questions');
    },
    async cancel() {},
    async *[Symbol.asyncIterator]() {},
  };
}

/** The handle for resuming a task. */
export function toHandle(
  { taskId, createdAt, ttlMs }: DetailedTask,
  { form }: Pick<TaskWire, 'form'>,
  tool: string | undefined,
): TaskHandle {
  return { taskId, form, ...(tool !== undefined && { tool }), createdAt, ttlMs };
}

/** Yields the current state and each change. A slow reader skips states in between. */
function iterateChanges(poller: TaskPoller): AsyncIterator<DetailedTask, undefined, undefined> {
  let last: DetailedTask | undefined;
  let failure: Error | undefined;
  let isOver = false;
  let wake = (): void => {};
  const unwatch = poller.watch({
    changed: () => wake(),
    failed(error) {
      failure = error;
      wake();
    },
  });
  const end = (): { done: true; value: undefined } => {
    isOver = true;
    unwatch();
    wake();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      for (;;) {
        if (isOver || (last !== undefined && isFinal(last.status))) return end();
        if (poller.task !== last) {
          last = poller.task;
          return { done: false, value: last };
        }
        if (failure !== undefined) {
          end();
          throw failure;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    // A generator would wait for the next change first.
    return: async () => end(),
  };
}

/** A question of a task. */
export interface TaskQuestion {
  /** Unique within the task; answers use it. */
  readonly key: string;
  readonly method: string;
  readonly params: Params | undefined;
}

/** The open questions of a task. */
function listQuestions({ inputRequests = {} }: DetailedTask): TaskQuestion[] {
  return Object.entries(inputRequests).map(([key, { method, params }]) => ({ key, method, params }));
}
