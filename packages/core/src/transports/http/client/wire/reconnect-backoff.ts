import { limits } from '../../../../limits.ts';

const usualMs = limits.clientHttp.retryMs.value;
const shortestMs = limits.clientHttp.shortestRetryMs.value;
const longestMs = limits.clientHttp.longestRetryMs.value;
const maxFruitless = limits.clientHttp.fruitlessStreams.value;
/** A stream that lasted this long was not closed at once. */
const lastingMs = 1000;

/**
 * The backoff before a stream is reopened: the server's delay, with a minimum, and exponentially longer after failures
 * or streams that bring nothing.
 */
export class ReconnectBackoff {
  #serverDelayMs = usualMs;
  #failures = 0;
  #fruitless = 0;
  #openedAt = 0;
  #hadMessage = false;

  get failures(): number {
    return this.#failures;
  }

  setServerDelay(milliseconds: number): void {
    this.#serverDelayMs = Math.max(milliseconds, shortestMs);
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
    const isFruitful = this.#hadMessage || performance.now() - this.#openedAt >= lastingMs;
    this.#fruitless = isFruitful ? 0 : this.#fruitless + 1;
  }

  onFailure(): void {
    this.#failures += 1;
  }

  onSuccess(): void {
    this.#failures = 0;
  }

  get delayMs(): number {
    const doublings = this.#failures + Math.max(0, this.#fruitless - maxFruitless);
    const pause = Math.min(this.#serverDelayMs * 2 ** doublings, Math.max(this.#serverDelayMs, longestMs));
    // Jitter of up to a half, so that clients that fail together do not retry together.
    return pause - (pause - Math.max(this.#serverDelayMs, pause / 2)) * Math.random();
  }
}
