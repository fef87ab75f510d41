/** The delay before reconnecting, if the server sets none; doubled at each failure. */
const defaultDelayMs = 1000;
/** The minimum delay, whatever the server sets. */
const minDelayMs = 100;
/** The maximum delay. */
const maxDelayMs = 30 * 1000;
/** Consecutive short streams without a message before the delay grows. */
const maxEmptyStreams = 20;
/** A stream that lasted this long does not count as short. */
const shortStreamMs = 1000;

/**
 * The backoff before a stream is reopened: the server's delay, with a minimum, and exponentially longer after failures
 * or empty streams.
 */
export class ReconnectBackoff {
  #serverDelayMs = defaultDelayMs;
  #failures = 0;
  #emptyStreams = 0;
  #openedAt = 0;
  #hadMessage = false;

  get failures(): number {
    return this.#failures;
  }

  setServerDelay(milliseconds: number): void {
    this.#serverDelayMs = Math.max(milliseconds, minDelayMs);
  }

  onOpen(): void {
    this.#openedAt = performance.now();
    this.#hadMessage = false;
  }

  /** A message arrived. */
  onMessage(): void {
    this.#hadMessage = true;
  }

  onEnd(): void {
    const isUseful = this.#hadMessage || performance.now() - this.#openedAt >= shortStreamMs;
    this.#emptyStreams = isUseful ? 0 : this.#emptyStreams + 1;
  }

  onFailure(): void {
    this.#failures += 1;
  }

  onSuccess(): void {
    this.#failures = 0;
  }

  get delayMs(): number {
    const doublings = this.#failures + Math.max(0, this.#emptyStreams - maxEmptyStreams);
    const delayMs = Math.min(this.#serverDelayMs * 2 ** doublings, Math.max(this.#serverDelayMs, maxDelayMs));
    // Jitter of up to a half, so that clients that fail together do not retry together.
    return delayMs - (delayMs - Math.max(this.#serverDelayMs, delayMs / 2)) * Math.random();
  }
}
