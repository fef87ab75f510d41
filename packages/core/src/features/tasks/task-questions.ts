import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import type { JobQuestion } from '../../server/call/background-job.ts';

/** Maximum size of a question or an answer as JSON, in characters. */
export const questionLength = 64 * 1024;

/** Maximum number of questions of one task. */
const maxTaskQuestions = 100;

/** The client's answer to a question. */
export type Answer = Record<string, unknown>;

interface PendingAnswer {
  readonly promise: Promise<Answer>;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

/** The questions of a running task whose answers its handler awaits. */
export class TaskQuestions {
  readonly #pending = new Map<string, PendingAnswer>();
  /** Questions that are not stored yet. */
  unsaved: Map<string, JobQuestion> | undefined;

  /** True while a question is open. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Resolves to the answer. The question is stored unless it was before, by the instance that ran the task then. */
  ask(question: JobQuestion, stored: { readonly isKnown: boolean; readonly answered: number }): Promise<Answer> {
    const { key } = question;
    const open = this.#pending.get(key);
    if (open !== undefined) return open.promise;
    if (!stored.isKnown) {
      assertAllowed(question, stored.answered + this.#pending.size);
      this.unsaved ??= new Map();
      this.unsaved.set(key, question);
    }
    const pending = createPendingAnswer();
    this.#pending.set(key, pending);
    return pending.promise;
  }

  /** Passes stored answers to the handler. */
  answer(answers: Readonly<Record<string, unknown>>): void {
    for (const [key, pending] of this.#pending) {
      if (!Object.hasOwn(answers, key)) continue;
      this.#pending.delete(key);
      pending.resolve(answers[key] as Answer);
    }
  }

  rejectAll(reason: unknown): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of all) reject(reason);
  }
}

function assertAllowed({ method, params }: JobQuestion, questions: number): void {
  const fail = (what: string): never => {
    throw new ProtocolError(ErrorCode.InternalError, `A task can't ask "${method}": ${what}`);
  };
  if (questions >= maxTaskQuestions) fail(`it may ask ${maxTaskQuestions} times`);
  if (JSON.stringify(params ?? {}).length > questionLength) fail(`a question may have ${questionLength} characters`);
}

function createPendingAnswer(): PendingAnswer {
  const pending = {} as { -readonly [K in keyof PendingAnswer]: PendingAnswer[K] };
  pending.promise = new Promise((resolve, reject) => {
    pending.resolve = resolve;
    pending.reject = reject;
  });
  return pending;
}
