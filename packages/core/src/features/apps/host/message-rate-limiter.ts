import { pageLimits as limits } from '../../../page-limits.ts';
import { deniedError } from './app-error.ts';

/** A view that exceeds the rate limit this many times over is ended immediately, because it would block its host. */
const floodTimes = 10;

/** The consecutive seconds above the rate limit that end a view. */
const floodSeconds = 5;

/** The verdict on a message: accept it, reject it, or end the view. */
export type RateVerdict = 'accepted' | 'rejected' | 'ended';

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
      if (this.#badSeconds >= floodSeconds) return 'ended';
    }
    this.#count += 1;
    if (this.#count <= this.#maxPerSecond) return 'accepted';
    if (this.#count - this.#weight > this.#maxPerSecond * floodTimes) return 'ended';
    return this.#badSeconds + 1 >= floodSeconds ? 'ended' : 'rejected';
  }

  /** Counts an accepted message by its length. */
  addWeight(length: number): void {
    const more = Math.floor(length / limits.appHost.weight.value);
    this.#count += more;
    this.#weight += more;
  }
}

/** The pause after a declined question, in which the view may ask no other. */
const rejectedMs = 2000;

/** The maximum open questions of a view: to open a link, save files or send a message. */
const maxOpenQuestions = 5;

/** Limits the questions of a view to a person: a maximum at a time, and a pause after a rejection. */
export class QuestionLimiter {
  #open = 0;
  #rejectedAt = Number.NEGATIVE_INFINITY;

  async run(question: () => Promise<object>): Promise<object> {
    if (performance.now() - this.#rejectedAt < rejectedMs)
      throw deniedError('The person has just declined: ask again later');
    if (this.#open >= maxOpenQuestions) throw deniedError('Too many questions are open already');
    this.#open += 1;
    try {
      const answer: { isError?: boolean } = await question();
      if (answer.isError === true) this.#rejectedAt = performance.now();
      return answer;
    } finally {
      this.#open -= 1;
    }
  }
}
