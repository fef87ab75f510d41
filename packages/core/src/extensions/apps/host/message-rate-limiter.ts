import { pageLimits as limits } from '../../../page-limits.ts';

/** What to do with a message: take it, refuse it, or end the view that floods. */
export type Passage = 'taken' | 'refused' | 'ended';

/** A page that is flooded comes to its messages late: a view pauses only where nothing comes for longer than that. */
const lateMs = 5000;

/**
 * Counts the messages of a view, a long one as several. More than so many in a second are refused; a view that goes on for seconds
 * is ended, and so is one that sends many times as many.
 */
export class FloodGate {
  readonly #most: number;
  #begun = Number.NEGATIVE_INFINITY;
  #count = 0;
  /** How many of that there are by weight alone. */
  #weight = 0;
  #bad = 0;

  constructor(messagesPerSecond: number = limits.appHost.messagesPerSecond.value) {
    this.#most = messagesPerSecond;
  }

  next(now: number = performance.now()): Passage {
    if (now - this.#begun >= 1000) {
      const follows = now - this.#begun < lateMs;
      this.#bad = follows && this.#count > this.#most ? this.#bad + 1 : 0;
      this.#begun = now;
      this.#count = 0;
      this.#weight = 0;
      if (this.#bad >= limits.appHost.floodSeconds.value) return 'ended';
    }
    this.#count += 1;
    if (this.#count <= this.#most) return 'taken';
    if (this.#count - this.#weight > this.#most * limits.appHost.floodTimes.value) return 'ended';
    return this.#bad + 1 >= limits.appHost.floodSeconds.value ? 'ended' : 'refused';
  }

  /** The message that was taken is so long: what comes after it in the same second has less room. */
  weigh(length: number): void {
    const more = Math.floor(length / limits.appHost.weight.value);
    this.#count += more;
    this.#weight += more;
  }
}
