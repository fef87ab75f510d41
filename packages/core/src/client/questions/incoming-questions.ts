import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import type { Params, Request, RequestId, Response } from '../../jsonrpc/message.ts';

/** Answers a question. A rejection with a `ProtocolError` is sent as an error. */
export type Answer = (
  method: string,
  params: Params | undefined,
  signal: AbortSignal,
  id: RequestId,
) => Promise<object>;

/** Thrown for a question that the server's era does not allow: it gets no answer. */
export class NotAnswerable extends Error {}

/** The maximum questions of the server at a time; further ones are rejected. */
export const maxQuestions = 100;

/** Questions that arrive as requests of the server. Each is answered unless the server cancels it. */
export class IncomingQuestions {
  readonly #open = new Map<RequestId, AbortController>();
  readonly #handler: Answer;
  readonly #warn: (text: string) => void;

  constructor(answer: Answer, warn: (text: string) => void) {
    this.#handler = answer;
    this.#warn = warn;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Returns the response, or undefined if the question was cancelled. */
  async answer({ id, method, params }: Request): Promise<Response | undefined> {
    if (this.#open.size >= maxQuestions) {
      const message = `Too many questions: at most ${maxQuestions} at a time`;
      return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } };
    }
    const controller = new AbortController();
    this.#open.set(id, controller);
    try {
      const response = await this.#respond(id, method, params, controller.signal);
      return controller.signal.aborted ? undefined : response;
    } finally {
      if (this.#open.get(id) === controller) this.#open.delete(id);
    }
  }

  /** The server cancelled a question. */
  cancel({ requestId, reason }: Params): void {
    const text = typeof reason === 'string' ? reason : 'The server no longer wants the answer';
    this.#open.get(requestId as RequestId)?.abort(new Error(text));
  }

  cancelAll(reason: Error): void {
    for (const controller of this.#open.values()) controller.abort(reason);
    this.#open.clear();
  }

  async #respond(
    id: RequestId,
    method: string,
    params: Params | undefined,
    signal: AbortSignal,
  ): Promise<Response | undefined> {
    try {
      return { jsonrpc: '2.0', id, result: await this.#handler(method, params, signal, id) };
    } catch (error) {
      if (error instanceof NotAnswerable) return undefined;
      if (error instanceof ProtocolError) return { jsonrpc: '2.0', id, error: error.toBody() };
      if (!signal.aborted) this.#warn(`"${method}" could not be answered: ${(error as Error).message}`);
      return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message: 'Internal error' } };
    }
  }
}
