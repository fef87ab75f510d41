import { limits } from '../../../../limits.ts';

const usualMs = limits.clientHttp.retryMs.value;
const shortestMs = limits.clientHttp.shortestRetryMs.value;
const longestMs = limits.clientHttp.longestRetryMs.value;
const maxFruitless = limits.clientHttp.fruitlessStreams.value;
/** A stream that lasts so long was not closed at once. */
const lastingMs = 1000;

/**
 * How long to wait before a stream is opened again: as long as the server wants, but never so short that it keeps both
 * sides busy, and ever longer where it fails, or where the server opens streams only to close them.
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

  /** A message came. */
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
    // Shorter by chance, by up to a half: those who fail together need not try again together.
    return pause - (pause - Math.max(this.#serverDelayMs, pause / 2)) * Math.random();
  }
}
