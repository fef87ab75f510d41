import { limits } from '@ccmcp/core';

/** Times of a circuit breaker, in milliseconds. */
export interface BackoffOptions {
  /** The delay after the second failure in a row; it doubles with each further one. Default: 500. */
  firstMs?: number;
  /** The longest delay. Default: 60 000. */
  maxMs?: number;
  /** A connection that lasted this long counts as a success. Default: 10 000. */
  stableMs?: number;
}

/** Counts consecutive failures, and computes when to retry. The first failure is retried at once. */
export class CircuitBreaker {
  readonly #options: Required<BackoffOptions>;
  #failures = 0;
  #retryAt = Number.NEGATIVE_INFINITY;

  constructor({
    firstMs = limits.gateway.firstBackoffMs.value,
    maxMs = limits.gateway.maxBackoffMs.value,
    stableMs = limits.gateway.stableMs.value,
  }: BackoffOptions = {}) {
    this.#options = { firstMs, maxMs, stableMs };
  }

  /** The time until the next attempt; 0: now. */
  get openForMs(): number {
    return Math.max(0, this.#retryAt - performance.now());
  }

  /** Records a failed attempt, or a connection that was lost after this time. */
  failed(lastedMs = 0): void {
    const { firstMs, maxMs, stableMs } = this.#options;
    this.#failures = lastedMs >= stableMs ? 1 : this.#failures + 1;
    const delayMs = this.#failures === 1 ? 0 : Math.min(firstMs * 2 ** (this.#failures - 2), maxMs);
    this.#retryAt = performance.now() + delayMs;
  }
}
