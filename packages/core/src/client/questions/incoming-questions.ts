import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { limits } from '../../limits.ts';
import type { Params, Request, RequestId, Response } from '../../jsonrpc/message.ts';

/** Answers a question. Rejecting with a `ProtocolError` says why not. */
export type Answer = (
  method: string,
  params: Params | undefined,
  signal: AbortSignal,
  id: RequestId,
) => Promise<object>;

/** Thrown for a question that a server of this era may not ask: it gets no answer. */
export class Unanswerable extends Error {}

const mostQuestions = limits.client.questions.value;

/** The questions that come in as requests of the server: each is answered, unless the server takes it back. */
export class IncomingQuestions {
  readonly #asked = new Map<RequestId, AbortController>();
  readonly #answer: Answer;
  readonly #warn: (text: string) => void;

  constructor(answer: Answer, warn: (text: string) => void) {
    this.#answer = answer;
    this.#warn = warn;
  }

  get size(): number {
    return this.#asked.size;
  }

  /** Gives what is to be sent, or nothing where nobody wants it any more. */
  async take({ id, method, params }: Request): Promise<Response | undefined> {
    if (this.#asked.size >= mostQuestions) {
      const message = `Too many questions: at most ${mostQuestions} at a time`;
      return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } };
    }
    const controller = new AbortController();
    this.#asked.set(id, controller);
    try {
      const response = await this.#respond(id, method, params, controller.signal);
      return controller.signal.aborted ? undefined : response;
    } finally {
      if (this.#asked.get(id) === controller) this.#asked.delete(id);
    }
  }

  /** The server no longer wants an answer. */
  cancel({ requestId, reason }: Params): void {
    const text = typeof reason === 'string' ? reason : 'The server no longer wants the answer';
    this.#asked.get(requestId as RequestId)?.abort(new Error(text));
  }

  cancelAll(reason: Error): void {
    for (const controller of this.#asked.values()) controller.abort(reason);
    this.#asked.clear();
  }

  async #respond(
    id: RequestId,
    method: string,
    params: Params | undefined,
    signal: AbortSignal,
  ): Promise<Response | undefined> {
    try {
      return { jsonrpc: '2.0', id, result: await this.#answer(method, params, signal, id) };
    } catch (error) {
      if (error instanceof Unanswerable) return undefined;
      if (error instanceof ProtocolError) return { jsonrpc: '2.0', id, error: error.toBody() };
      if (!signal.aborted) this.#warn(`"${method}" could not be answered: ${(error as Error).message}`);
      return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message: 'Internal error' } };
    }
  }
}
