import { limits } from '@ccmcp/core';

/** Times of a circuit breaker, in milliseconds. */
export interface BackoffOptions {
  /** The delay after the second failure in a row; it doubles with each further one. Default: 500. */
  firstMs?: number;
  /** The longest delay. Default: 60 000. */
  maxMs?: number;
  /** A connection that lasted this long was no failure. Default: 10 000. */
  stableMs?: number;
}

/** Counts failures in a row, and says when the next attempt may be made. The first failure is followed by one at once. */
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

  /** How long no attempt is to be made; 0: one may be made now. */
  get openForMs(): number {
    return Math.max(0, this.#retryAt - performance.now());
  }

  /** An attempt failed, or a connection was lost that had lasted this long. */
  failed(lastedMs = 0): void {
    const { firstMs, maxMs, stableMs } = this.#options;
    this.#failures = lastedMs >= stableMs ? 1 : this.#failures + 1;
    const delayMs = this.#failures === 1 ? 0 : Math.min(firstMs * 2 ** (this.#failures - 2), maxMs);
    this.#retryAt = performance.now() + delayMs;
  }
}
