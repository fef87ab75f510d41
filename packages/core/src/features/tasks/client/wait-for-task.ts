import type { Progress } from '../../../client/connection/pending-requests.ts';
import { onAbort } from '../../../client/abort-signals.ts';
import { type DetailedTask, isFinal, type InputRequest } from '../protocol.ts';
import type { TaskConnection, TaskWire } from './task-wire.ts';
import type { TaskPoller } from './task-poller.ts';
import { ResultError } from '../../../client/errors.ts';
import type { Params } from '../../../jsonrpc/message.ts';
import { withRetry } from './retry.ts';

/** Maximum number of questions of one task. */
const mostQuestions = 1000;

/** Answers each question of a task once, as soon as its answer is ready. */
class QuestionAnswerer {
  readonly #connection: TaskConnection;
  readonly #wire: TaskWire;
  readonly #onFailure: (error: Error) => void;
  readonly #seen = new Set<string>();
  readonly #open = new Map<string, AbortController>();
  #waitingForQuestions: AbortController | undefined;

  /** `failed` is called when a question can't be answered. */
  constructor(connection: TaskConnection, wire: TaskWire, failed: (error: Error) => void) {
    this.#connection = connection;
    this.#wire = wire;
    this.#onFailure = failed;
  }

  /** Answers new questions, and cancels those the server has withdrawn. */
  update({ status, inputRequests = {} }: DetailedTask): void {
    for (const [key, controller] of this.#open) {
      if (!Object.hasOwn(inputRequests, key)) controller.abort(new Error('The server no longer wants the answer'));
    }
    for (const [key, question] of Object.entries(inputRequests)) {
      if (this.#seen.has(key)) continue;
      if (this.#seen.size >= mostQuestions) {
        return this.#onFailure(new ResultError(`The server asks more than ${mostQuestions} questions in one task`));
      }
      this.#seen.add(key);
      void this.#answer(key, question);
    }
    if (status === 'input_required') this.#awaitQuestions();
  }

  /** Cancels all questions. */
  stop(): void {
    for (const controller of this.#open.values()) controller.abort(new Error('The wait for the task has ended'));
    this.#waitingForQuestions?.abort(new Error('The wait for the task has ended'));
  }

  async #answer(key: string, { method, params }: InputRequest): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#open.set(key, controller);
    try {
      const answer = await this.#connection.answer(method, params, signal);
      if (signal.aborted) return;
      const answers: Params = { [key]: answer };
      await withRetry(async () => this.#wire.update?.(answers), [signal, this.#connection.signal]);
    } catch (error) {
      if (!signal.aborted) this.#onFailure(error as Error);
    } finally {
      this.#open.delete(key);
    }
  }

  /** A server that asks with requests may need an open request for them. */
  #awaitQuestions(): void {
    if (this.#wire.awaitQuestions === undefined || this.#waitingForQuestions !== undefined) return;
    const attending = new AbortController();
    this.#waitingForQuestions = attending;
    // The result is fetched again when the task has ended.
    void this.#wire
      .awaitQuestions(attending.signal)
      .catch(() => {})
      .finally(() => {
        this.#waitingForQuestions = undefined;
      });
  }
}

/** How to wait for a task. */
export interface TaskWaiting {
  signal?: AbortSignal | undefined;
  /** Called for each status message; `progress` counts them. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** True: questions are left to `answer`. */
  byHand?: boolean | undefined;
}

/** Waits until a task has ended, and answers its questions. */
export function waitForTask(
  poller: TaskPoller,
  { line: connection, wire }: { line: TaskConnection; wire: TaskWire },
  { signal, onProgress, byHand = false }: TaskWaiting,
): Promise<DetailedTask> {
  return new Promise((resolve, reject) => {
    let messages = 0;
    let lastMessage: string | undefined;
    const finish = (how: () => void): void => {
      unwatch();
      answerer.stop();
      for (const release of releases) release();
      how();
    };
    const failed = (error: Error): void => finish(() => reject(error));
    const answerer = new QuestionAnswerer(connection, wire, failed);
    const abort = (): void => failed(reasonOf(signal));
    const over = (): void => failed(reasonOf(connection.signal));
    const update = (task: DetailedTask): void => {
      const { statusMessage } = task;
      if (statusMessage !== undefined && statusMessage !== lastMessage) {
        messages += 1;
        lastMessage = statusMessage;
        onProgress?.({ progress: messages, message: statusMessage });
      }
      if (isFinal(task.status)) finish(() => resolve(task));
      else if (!byHand) answerer.update(task);
    };
    const unwatch = poller.watch({ changed: update, failed });
    const releases = [onAbort(connection.signal, over), ...(signal === undefined ? [] : [onAbort(signal, abort)])];
    if (signal?.aborted === true) abort();
    else if (connection.signal.aborted) over();
    else update(poller.task);
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
