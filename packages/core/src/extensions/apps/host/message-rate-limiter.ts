import { pageLimits as limits } from '../../../page-limits.ts';

/** What to do with a message: take it, refuse it, or end the view that floods. */
export type RateVerdict = 'taken' | 'refused' | 'ended';

/** A page that is flooded comes to its messages late: a view pauses only where nothing comes for longer than that. */
const maxGapMs = 5000;

/**
 * Counts the messages of a view, a long one as several. More than so many in a second are refused; a view that goes on for seconds
 * is ended, and so is one that sends many times as many.
 */
export class MessageRateLimiter {
  readonly #maxPerSecond: number;
  #windowStart = Number.NEGATIVE_INFINITY;
  #count = 0;
  /** How many of that there are by weight alone. */
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

  /** The message that was taken is so long: what comes after it in the same second has less room. */
  addWeight(length: number): void {
    const more = Math.floor(length / limits.appHost.weight.value);
    this.#count += more;
    this.#weight += more;
  }
}
