import { NotAsked, ProtocolError } from '../../../jsonrpc/errors.ts';
import type { Operation } from '../../../server/call/operation.ts';
import { applyAnswers } from '../methods.ts';
import type { InputRequest } from '../protocol.ts';
import type { TaskRecord } from '../task-record.ts';
import type { TaskRunner } from '../task-runner.ts';
import { withRelatedTask } from './wire-format.ts';

type Answer = Record<string, unknown>;

/** Relays the questions of a task to its client: while it waits for the result, or as soon as they come up. */
export class QuestionRelay {
  readonly #getAsk: () => Operation['askNow'];
  readonly #runner: TaskRunner;
  readonly #open = new Map<string, AbortController>();

  /** `getAsk` returns how the client can be asked at the moment. */
  constructor(getAsk: () => Operation['askNow'], runner: TaskRunner) {
    this.#getAsk = getAsk;
    this.#runner = runner;
  }

  /** Asks new questions, and cancels those that were answered elsewhere. */
  ask({ id, questions }: TaskRecord): void {
    for (const [key, asking] of this.#open) {
      if (!Object.hasOwn(questions, key)) asking.abort(abortError());
    }
    const ask = this.#getAsk();
    if (ask === undefined) return;
    for (const [key, question] of Object.entries(questions)) {
      if (this.#open.has(key)) continue;
      const asking = new AbortController();
      this.#open.set(key, asking);
      this.#relay(id, key, { question, ask }, asking.signal).catch((error: unknown) => {
        this.#runner.reportError('An answer to a question of a task was lost', error);
      });
    }
  }

  /** Cancels all open questions. */
  stop(): void {
    for (const asking of this.#open.values()) asking.abort(abortError());
  }

  async #relay(id: string, key: string, asked: RelayedQuestion, signal: AbortSignal): Promise<void> {
    const answer = await relayQuestion(id, asked, signal);
    if (answer === undefined) return;
    const { store } = this.#runner;
    const record = await store.update(id, (now) => applyAnswers(now, { [key]: answer }));
    if (record !== undefined) await store.publish(record);
  }
}

/** A question, and how to ask it. */
interface RelayedQuestion {
  readonly question: InputRequest;
  readonly ask: NonNullable<Operation['askNow']>;
}

/** Undefined if the client did not answer: the question stays open for the next client. */
async function relayQuestion(
  id: string,
  { question: { method, params }, ask }: RelayedQuestion,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  try {
    return await ask(method, withRelatedTask(id, params ?? {}), signal);
  } catch (error) {
    return signal.aborted || !isRejection(error) ? undefined : toRejection(method);
  }
}

/** True for an error that the client sent. */
function isRejection(error: unknown): boolean {
  return error instanceof ProtocolError && !(error instanceof NotAsked);
}

/** The answer for a handler if the client responds with an error: a cancelled form, or an empty answer. */
function toRejection(method: string): Answer {
  return method === 'elicitation/create' ? { action: 'cancel' } : {};
}

function abortError(): DOMException {
  return new DOMException('The question is answered, or nobody waits for it any more', 'AbortError');
}
