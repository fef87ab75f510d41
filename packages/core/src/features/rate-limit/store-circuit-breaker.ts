import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import { withTimeout } from '../../server/call/with-timeout.ts';

/** Time between two probes of a failed store. */
const probeIntervalMs = 1000;

/** A failure that took longer counts as a timeout. */
const fastFailureMs = 100;

/** A request to the store, and its handlers of success and failure. */
interface StoreRequest<A, T> {
  send(): Awaitable<A>;
  onAnswer(answer: A): T;
  fallback(): T;
}

/**
 * Circuit breaker for the store of shared limits. After a failure, calls are counted locally, and some of them probe
 * the store until it works again. After a timeout, calls do not wait for the probe.
 */
export class StoreCircuitBreaker {
  /** True while the circuit is open: from a failure of the store until its next answer. */
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
