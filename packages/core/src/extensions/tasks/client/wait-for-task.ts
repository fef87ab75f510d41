import type { Progress } from '../../../client/connection/pending-requests.ts';
import { whenAborted } from '../../../client/abort-signals.ts';
import { type DetailedTask, isFinal, type InputRequest } from '../protocol.ts';
import type { TaskLine, TaskWire } from './task-wire.ts';
import type { TaskWatch } from './task-poller.ts';
import { ResultError } from '../../../client/errors.ts';
import type { Params } from '../../../jsonrpc/message.ts';
import { limits } from '../../../limits.ts';
import { patiently } from './retry.ts';

const mostQuestions = limits.clientTasks.questions.value;

/** Answers the questions of a task, each once, as soon as its answer is there. */
class Answering {
  readonly #line: TaskLine;
  readonly #wire: TaskWire;
  readonly #failed: (error: Error) => void;
  readonly #known = new Set<string>();
  readonly #open = new Map<string, AbortController>();
  #attending: AbortController | undefined;

  /** `failed` is told where a question can't be answered. */
  constructor(line: TaskLine, wire: TaskWire, failed: (error: Error) => void) {
    this.#line = line;
    this.#wire = wire;
    this.#failed = failed;
  }

  /** Answers what is new, and takes back from the person what is not asked any more. */
  see({ status, inputRequests = {} }: DetailedTask): void {
    for (const [key, controller] of this.#open) {
      if (!Object.hasOwn(inputRequests, key)) controller.abort(new Error('The server no longer wants the answer'));
    }
    for (const [key, question] of Object.entries(inputRequests)) {
      if (this.#known.has(key)) continue;
      if (this.#known.size >= mostQuestions) {
        return this.#failed(new ResultError(`The server asks more than ${mostQuestions} questions in one task`));
      }
      this.#known.add(key);
      void this.#answer(key, question);
    }
    if (status === 'input_required') this.#attend();
  }

  /** Nobody wants answers any more. */
  stop(): void {
    for (const controller of this.#open.values()) controller.abort(new Error('Nobody waits for the task any more'));
    this.#attending?.abort(new Error('Nobody waits for the task any more'));
  }

  async #answer(key: string, { method, params }: InputRequest): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#open.set(key, controller);
    try {
      const answer = await this.#line.answer(method, params, signal);
      if (signal.aborted) return;
      const answers: Params = { [key]: answer };
      await patiently(async () => this.#wire.update?.(answers), [signal, this.#line.signal]);
    } catch (error) {
      if (!signal.aborted) this.#failed(error as Error);
    } finally {
      this.#open.delete(key);
    }
  }

  /** Where the server asks by requests of its own, it may need a way for them. */
  #attend(): void {
    if (this.#wire.attend === undefined || this.#attending !== undefined) return;
    const attending = new AbortController();
    this.#attending = attending;
    // What comes of it is asked for again when the task has ended.
    void this.#wire
      .attend(attending.signal)
      .catch(() => {})
      .finally(() => {
        this.#attending = undefined;
      });
  }
}

/** How the end of a task is waited for. */
export interface TaskWaiting {
  signal?: AbortSignal | undefined;
  /** Told of each message about how the task stands; `progress` counts them. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** True: questions are left to `answer`. */
  byHand?: boolean | undefined;
}

/** Waits until a task has ended, and answers its questions meanwhile. */
export function endOf(
  watch: TaskWatch,
  { line, wire }: { line: TaskLine; wire: TaskWire },
  { signal, onProgress, byHand = false }: TaskWaiting,
): Promise<DetailedTask> {
  return new Promise((resolve, reject) => {
    let told = 0;
    let lastMessage: string | undefined;
    const settle = (how: () => void): void => {
      unwatch();
      answering.stop();
      for (const release of releases) release();
      how();
    };
    const failed = (error: Error): void => settle(() => reject(error));
    const answering = new Answering(line, wire, failed);
    const abort = (): void => failed(reasonOf(signal));
    const over = (): void => failed(reasonOf(line.signal));
    const see = (task: DetailedTask): void => {
      const { statusMessage } = task;
      if (statusMessage !== undefined && statusMessage !== lastMessage) {
        told += 1;
        lastMessage = statusMessage;
        onProgress?.({ progress: told, message: statusMessage });
      }
      if (isFinal(task.status)) settle(() => resolve(task));
      else if (!byHand) answering.see(task);
    };
    const unwatch = watch.watch({ changed: see, failed });
    const releases = [whenAborted(line.signal, over), ...(signal === undefined ? [] : [whenAborted(signal, abort)])];
    if (signal?.aborted === true) abort();
    else if (line.signal.aborted) over();
    else see(watch.task);
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
