import type { EventSink, HttpHeaders, HttpResponder, Serve } from '../bindings/binding.ts';

/** How many answers were given, by status. */
export type StatusCounts = Map<number, number>;

/** Counts the answers to all requests that are served. */
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

  get unread(): boolean {
    return this.#responder.unread;
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

  onGone(listener: () => void): void {
    this.#responder.onGone(listener);
  }

  #count(status: number): void {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
  }
}
