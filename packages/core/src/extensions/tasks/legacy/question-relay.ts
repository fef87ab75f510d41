import { NotAsked, ProtocolError } from '../../../jsonrpc/errors.ts';
import type { Operation } from '../../../server/operation.ts';
import { answered } from '../methods.ts';
import type { InputRequest } from '../protocol.ts';
import type { TaskRecord } from '../task-record.ts';
import type { Workshop } from '../task-runner.ts';
import { relatedTo } from './wire-format.ts';

type Answer = Record<string, unknown>;

/** Asks the questions of a task: while a client waits for its result, or as soon as they come up. */
export class Asker {
  readonly #way: () => Operation['askNow'];
  readonly #workshop: Workshop;
  readonly #asked = new Map<string, AbortController>();

  /** `way` gives how the client can be asked at the moment. */
  constructor(way: () => Operation['askNow'], workshop: Workshop) {
    this.#way = way;
    this.#workshop = workshop;
  }

  /** Asks what waits for an answer and was not asked here yet, and takes back what others have answered. */
  ask({ id, questions }: TaskRecord): void {
    for (const [key, asking] of this.#asked) {
      if (!Object.hasOwn(questions, key)) asking.abort(over());
    }
    const ask = this.#way();
    if (ask === undefined) return;
    for (const [key, question] of Object.entries(questions)) {
      if (this.#asked.has(key)) continue;
      const asking = new AbortController();
      this.#asked.set(key, asking);
      this.#put(id, key, { question, ask }, asking.signal).catch((error: unknown) => {
        this.#workshop.reportError('An answer to a question of a task is lost', error);
      });
    }
  }

  /** Nobody waits any more. */
  stop(): void {
    for (const asking of this.#asked.values()) asking.abort(over());
  }

  async #put(id: string, key: string, asked: Asked, signal: AbortSignal): Promise<void> {
    const answer = await answerTo(id, asked, signal);
    if (answer === undefined) return;
    const { store } = this.#workshop;
    const record = await store.change(id, (now) => answered(now, { [key]: answer }));
    if (record !== undefined) await store.tell(record);
  }
}

/** A question, and how it is asked. */
interface Asked {
  readonly question: InputRequest;
  readonly ask: NonNullable<Operation['askNow']>;
}

/** Undefined where the client did not say anything: the question goes on waiting, for whoever comes next. */
async function answerTo(
  id: string,
  { question: { method, params }, ask }: Asked,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  try {
    return await ask(method, relatedTo(id, params ?? {}), signal);
  } catch (error) {
    return signal.aborted || !isRefusal(error) ? undefined : refusal(method);
  }
}

/** True for an error that the client answered with. */
function isRefusal(error: unknown): boolean {
  return error instanceof ProtocolError && !(error instanceof NotAsked);
}

/** What a handler gets where the client answers with an error: a person who gave up, or else nothing that it can use. */
function refusal(method: string): Answer {
  return method === 'elicitation/create' ? { action: 'cancel' } : {};
}

function over(): DOMException {
  return new DOMException('The question is answered, or nobody waits for it any more', 'AbortError');
}
