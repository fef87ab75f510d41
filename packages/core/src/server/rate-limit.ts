import { limits } from '../limits.ts';

/** How often one caller may call. */
export interface RateLimit {
  /** So many calls within the time of `perMs`. */
  calls: number;
  /** Default: 1000, so that `calls` are those of a second. */
  perMs?: number;
  /** So many at once after a pause. Default: as many as `calls`. */
  burst?: number;
}

/** Counts calls of many callers against one limit. */
export interface RateCounter {
  /** Counts a call. Gives 0, or how many milliseconds the caller has to wait; then it is not counted. */
  take(key: string): number;
}

interface Bucket {
  tokens: number;
  /** When the tokens were counted. */
  at: number;
}

/** Sums of fractions are off by less than that. */
const tiny = 1e-6;
const maxBuckets = limits.server.rateCallers.value;

/** Counts with a bucket of tokens per caller: a call takes one, and they come back at an even pace. */
export class TokenBuckets implements RateCounter {
  readonly #burst: number;
  readonly #perMs: number;
  readonly #now: () => number;
  /** In the order of last use. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit, now: () => number = () => performance.now()) {
    const { calls, perMs = 1000, burst = Math.max(1, calls) } = limit;
    if (!(calls > 0) || !(perMs > 0) || !(burst >= 1)) {
      throw new TypeError('A rateLimit needs "calls" and "perMs" above 0, and a "burst" of at least 1');
    }
    this.#burst = burst;
    this.#perMs = calls / perMs;
    this.#now = now;
  }

  take(key: string): number {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + (now - bucket.at) * this.#perMs);
    bucket.at = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    // The one that was used longest ago is the likeliest to be full again, and then nothing is lost with it.
    if (this.#buckets.size > maxBuckets) this.#buckets.delete(this.#buckets.keys().next().value as string);
    const missing = 1 - bucket.tokens;
    if (missing > tiny) return Math.ceil(missing / this.#perMs - tiny);
    bucket.tokens -= 1;
    return 0;
  }

  /** How many callers are remembered. */
  get size(): number {
    return this.#buckets.size;
  }
}

/** Makes the counter for a limit, where there is one. */
export function rateCounter(limit: RateLimit | undefined): RateCounter | undefined {
  return limit === undefined ? undefined : new TokenBuckets(limit);
}
