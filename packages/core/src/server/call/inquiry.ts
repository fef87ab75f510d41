import type { Params } from '../../jsonrpc/message.ts';

/** A question that could not be answered yet. */
export interface PendingQuestion {
  method: string;
  params: Params | undefined;
  reject(reason: unknown): void;
}

/** The questions of a call, and the answers to them. */
export class Inquiry {
  /** The number of questions so far, which numbers those without a key. */
  count = 0;
  /** The number of pending questions that a handler awaits directly. */
  waiting = 0;
  /** The answers of earlier rounds of the same request, by the key of the question. */
  answers: Readonly<Record<string, unknown>> | undefined;
  /** State that middleware signed in an earlier round. */
  state: unknown;
  /** Questions that the next response carries. */
  pending: Map<string, PendingQuestion> | undefined;
  #abort: AbortController | undefined;

  /** Aborted when the request is over: open questions are cancelled. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  cancel(): void {
    this.#abort?.abort(new DOMException('The request is over', 'AbortError'));
  }
}
