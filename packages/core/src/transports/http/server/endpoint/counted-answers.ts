import type { EventSink, HttpHeaders, HttpResponder, Serve } from '../bindings/binding.ts';

/** Responses by status. */
export type StatusCounts = Map<number, number>;

/** Counts the responses of a handler. */
export function countAnswers(serve: Serve, counts: StatusCounts): Serve {
  return (request, responder) => serve(request, new CountingResponder(responder, counts));
}

class CountingResponder implements HttpResponder {
  readonly #responder: HttpResponder;
  readonly #counts: StatusCounts;

  constructor(responder: HttpResponder, counts: StatusCounts) {
    this.#responder = responder;
    this.#counts = counts;
  }

  get backpressured(): boolean {
    return this.#responder.backpressured;
  }

  send(status: number, headers: HttpHeaders, body?: string): void {
    this.#count(status);
    this.#responder.send(status, headers, body);
  }

  beforeSend(write: () => void): boolean {
    return this.#responder.beforeSend?.(write) === true;
  }

  stream(headers: HttpHeaders): EventSink {
    this.#count(200);
    return this.#responder.stream(headers);
  }

  onDisconnect(listener: () => void): void {
    this.#responder.onDisconnect(listener);
  }

  #count(status: number): void {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
  }
}
