import { limits } from '../../limits.ts';
import type { Store, TokenBucket } from '../../stores/store.ts';

/** How often one caller may call. */
export interface RateLimit {
  /** So many calls within the time of `perMs`. */
  calls: number;
  /** Default: 1000, so that `calls` are those of a second. */
  perMs?: number;
  /** So many at once after a pause. Default: as many as `calls`. */
  burst?: number;
}

/** What came of counting a call. */
export interface Rated {
  /** 0, or how many milliseconds the caller has to wait; then it is not counted. */
  readonly waitMs: number;
  /** How many calls the caller may make right now, and after how many milliseconds as many as ever. */
  readonly left: number;
  readonly fullMs: number;
}

/** Counts calls of many callers against one limit. */
export interface RateCounter {
  /** What it counts, in a word for programs. */
  readonly name: string;
  /** The limit as the field `RateLimit-Policy` of HTTP has it. */
  readonly policy: string;
  /** Counts a call: with all who share the store where there is one, and then it may take a moment to know. */
  take(key: string, store?: Store): Rated | Promise<Rated>;
}

/** Counts the calls of each caller. */
export interface CallerRates {
  take(key: string): Rated | Promise<Rated>;
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
export class TokenBuckets implements CallerRates {
  readonly #size: number;
  readonly #perMs: number;
  readonly #now: () => number;
  /** In the order of last use. */
  readonly #buckets = new Map<string, Bucket>();
  /** Who called last: most calls come several at a time, and then the order is right already. */
  #latest: string | undefined;

  constructor({ size, perMs }: TokenBucket, now: () => number = () => performance.now()) {
    this.#size = size;
    this.#perMs = perMs;
    this.#now = now;
  }

  take(key: string): Rated {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#size, at: now };
    bucket.tokens = Math.min(this.#size, bucket.tokens + (now - bucket.at) * this.#perMs);
    bucket.at = now;
    if (key !== this.#latest) this.#putLast(key, bucket);
    const waitMs = waitFor(bucket.tokens, this.#perMs);
    if (waitMs === 0) bucket.tokens -= 1;
    return { waitMs, left: wholeOf(bucket.tokens), fullMs: (this.#size - bucket.tokens) / this.#perMs };
  }

  #putLast(key: string, bucket: Bucket): void {
    this.#latest = key;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    // The one that was used longest ago is the likeliest to be full again, and then nothing is lost with it.
    if (this.#buckets.size > maxBuckets) this.#buckets.delete(this.#buckets.keys().next().value as string);
  }

  /** How many callers are remembered. */
  get size(): number {
    return this.#buckets.size;
  }
}

/** How long it takes until there is a whole token: 0 where there is one. */
export function waitFor(tokens: number, perMs: number): number {
  const missing = 1 - tokens;
  return missing > tiny ? Math.ceil(missing / perMs - tiny) : 0;
}

/** How many calls so many tokens are enough for. */
export function wholeOf(tokens: number): number {
  return Math.max(0, Math.floor(tokens + tiny));
}

/** The bucket of each caller under a limit. Throws where a limit makes no sense. */
export function bucketOf({ calls, perMs = 1000, burst = Math.max(1, calls) }: RateLimit): TokenBucket {
  const areNumbers = [calls, perMs, burst].every((given) => typeof given === 'number' && Number.isFinite(given));
  if (!areNumbers || !(calls > 0) || !(perMs > 0) || !(burst >= 1)) {
    throw new TypeError(
      'A rateLimit needs "calls" and "perMs" above 0, and a "burst" of at least 1, all of them numbers that end',
    );
  }
  return { size: burst, perMs: calls / perMs };
}
