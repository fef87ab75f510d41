import { pageLimits as limits } from '../../../page-limits.ts';

/** What to do with a message: accept it, reject it, or end the view. */
export type RateVerdict = 'taken' | 'refused' | 'ended';

/** A flooded page handles messages late: only a longer gap counts as a pause. */
const maxGapMs = 5000;

/**
 * Limits the messages of a view per second; long ones count several times. A view that stays above the limit for
 * seconds is ended, and so is one that exceeds it many times over.
 */
export class MessageRateLimiter {
  readonly #maxPerSecond: number;
  #windowStart = Number.NEGATIVE_INFINITY;
  #count = 0;
  /** The part of the count that comes from message length. */
  #weight = 0;
  #badSeconds = 0;

  constructor(messagesPerSecond: number = limits.appHost.messagesPerSecond.value) {
    this.#maxPerSecond = messagesPerSecond;
  }

  check(now: number = performance.now()): RateVerdict {
    if (now - this.#windowStart >= 1000) {
      const follows = now - this.#windowStart < maxGapMs;
      this.#badSeconds = follows && this.#count > this.#maxPerSecond ? this.#badSeconds + 1 : 0;
      this.#windowStart = now;
      this.#count = 0;
      this.#weight = 0;
      if (this.#badSeconds >= limits.appHost.floodSeconds.value) return 'ended';
    }
    this.#count += 1;
    if (this.#count <= this.#maxPerSecond) return 'taken';
    if (this.#count - this.#weight > this.#maxPerSecond * limits.appHost.floodTimes.value) return 'ended';
    return this.#badSeconds + 1 >= limits.appHost.floodSeconds.value ? 'ended' : 'refused';
  }

  /** Counts an accepted message by its length. */
  addWeight(length: number): void {
    const more = Math.floor(length / limits.appHost.weight.value);
    this.#count += more;
    this.#weight += more;
  }
}
