import { ResultError } from '../../../client/errors.ts';
import type { Params } from '../../../jsonrpc/message.ts';
import { limits } from '../../../limits.ts';
import type { DetailedTask, InputRequest } from '../protocol.ts';
import { patiently } from './retry.ts';
import type { TaskLine, TaskWire } from './task-wire.ts';

const mostQuestions = limits.clientTasks.questions.value;

/** Answers the questions of a task, each once, as soon as its answer is there. */
export class Answering {
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
