import { limits } from '../../limits.ts';

const pauseMs = limits.server.retryMs.value;

/** A failure that took longer is one of a store that does not answer. */
const atOnceMs = 100;

/**
 * Whether limits can be asked for at a store. Once it failed, calls are counted here alone, and now and then one of them asks,
 * until the store answers again. Where it did not answer in time, that one does not wait for it either.
 */
export class StoreCircuitBreaker {
  /** True from when the store failed until it has answered again. */
  isAway = false;
  /** True where the store is away and takes its time to say so. */
  isSilent = false;
  #dueAt = 0;

  /** True for one call at a time: that one is to ask. */
  isDue(now: number): boolean {
    if (!this.isAway || now < this.#dueAt) return false;
    // Whoever asks tells how it went; before that, nobody else does.
    this.#dueAt = Number.POSITIVE_INFINITY;
    return true;
  }

  /** `since`: when it was asked. */
  failed(now: number, since: number): void {
    this.isAway = true;
    this.isSilent = now - since > atOnceMs;
    this.#dueAt = now + pauseMs;
  }

  answered(): void {
    this.isAway = false;
  }
}
