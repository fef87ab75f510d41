import { limits } from '../../../../limits.ts';

const usualMs = limits.clientHttp.retryMs.value;
const shortestMs = limits.clientHttp.shortestRetryMs.value;
const longestMs = limits.clientHttp.longestRetryMs.value;
const patience = limits.clientHttp.fruitlessStreams.value;
/** A stream that lasts so long was not closed at once. */
const lastingMs = 1000;

/**
 * How long to wait before a stream is opened again: as long as the server wants, but never so short that it keeps both
 * sides busy, and ever longer where it fails, or where the server opens streams only to close them.
 */
export class RetryPause {
  #wishMs = usualMs;
  #failures = 0;
  #fruitless = 0;
  #openedAt = 0;
  #brought = false;

  get failures(): number {
    return this.#failures;
  }

  wish(milliseconds: number): void {
    this.#wishMs = Math.max(milliseconds, shortestMs);
  }

  opened(): void {
    this.#openedAt = performance.now();
    this.#brought = false;
  }

  /** A message came. */
  brought(): void {
    this.#brought = true;
  }

  ended(): void {
    const isFruitful = this.#brought || performance.now() - this.#openedAt >= lastingMs;
    this.#fruitless = isFruitful ? 0 : this.#fruitless + 1;
  }

  failed(): void {
    this.#failures += 1;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  get milliseconds(): number {
    const doublings = this.#failures + Math.max(0, this.#fruitless - patience);
    const pause = Math.min(this.#wishMs * 2 ** doublings, Math.max(this.#wishMs, longestMs));
    // Shorter by chance, by up to a half: those who fail together need not try again together.
    return pause - (pause - Math.max(this.#wishMs, pause / 2)) * Math.random();
  }
}
