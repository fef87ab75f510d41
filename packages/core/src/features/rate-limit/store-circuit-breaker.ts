import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import { withTimeout } from '../../server/call/with-timeout.ts';

/** Time between two probes of a failed store. */
const probeIntervalMs = 1000;

/** A failure that took longer counts as a timeout. */
const fastFailureMs = 100;

/** A request to the store, and what is done with its answer or without one. */
interface StoreRequest<A, T> {
  send(): Awaitable<A>;
  onAnswer(answer: A): T;
  fallback(): T;
}

/**
 * Circuit breaker for the store of shared limits. Once the store failed, calls are counted locally, and now and then one of
 * them probes the store until it answers again. Where the store timed out, the call does not wait for the probe.
 */
export class StoreCircuitBreaker {
  /** True from a failure of the store until its next answer. */
  isOpen = false;
  /** True if the last failure was a timeout. */
  #isUnresponsive = false;
  #probeAt = 0;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Asks the store, unless it failed a moment ago. */
  request<A, T>(request: StoreRequest<A, T>): Awaitable<T> {
    if (!this.isOpen) return this.#send(request);
    if (this.#now() < this.#probeAt) return request.fallback();
    // No other probe until this one has succeeded or failed.
    this.#probeAt = Number.POSITIVE_INFINITY;
    const isUnresponsive = this.#isUnresponsive;
    const answer = this.#send(request);
    return isUnresponsive ? request.fallback() : answer;
  }

  #send<A, T>({ send, onAnswer, fallback }: StoreRequest<A, T>): Awaitable<T> {
    const sentAt = this.#now();
    const succeed = (answer: A): T => {
      this.isOpen = false;
      return onAnswer(answer);
    };
    const fail = (): T => {
      const now = this.#now();
      this.isOpen = true;
      this.#isUnresponsive = now - sentAt > fastFailureMs;
      this.#probeAt = now + probeIntervalMs;
      return fallback();
    };
    try {
      const answer = send();
      return answer instanceof Promise ? withTimeout(answer).then(succeed, fail) : succeed(answer);
    } catch {
      return fail();
    }
  }
}
