import type { Rated, RateName } from '../../server/peer.ts';
import type { Store, TokenBucket } from '../../stores/store.ts';
import { epsilon } from '../../stores/take-tokens.ts';

/** Counts calls of many callers against one rate limit. */
export interface RateCounter extends RateName {
  /** Counts a call: with all instances that share the store, if there is one. */
  take(key: string, store?: Store): Rated | Promise<Rated>;
}

/** The rate limits of an endpoint. */
export interface RateTerms {
  /** Counts the requests of each caller, if the endpoint has a rate limit. */
  rates?: RateCounter | undefined;
  /** The store shared by all instances; undefined: this process counts alone. */
  store?: Store | undefined;
}

/** The usage of a caller of an endpoint. A transport without limits has only its key. */
export interface RatedUsage {
  readonly rateKey: string;
  readonly terms: RateTerms;
  /** Counts a request that was rejected. */
  countRejection(reason: 'rate', scope: 'caller'): void;
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

/** Maximum number of callers per limit. */
export const maxBuckets = 10_000;

/** A token bucket per caller: a call takes one token; tokens refill at a constant rate. */
export class TokenBuckets implements CallerRates {
  readonly #size: number;
  readonly #perMs: number;
  readonly #now: () => number;
  /** In the order of last use. */
  readonly #buckets = new Map<string, Bucket>();
  /** The last caller: calls often come in bursts, and then the order is already right. */
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
    return { waitMs, left: wholeTokens(bucket.tokens), fullMs: (this.#size - bucket.tokens) / this.#perMs };
  }

  #putLast(key: string, bucket: Bucket): void {
    this.#latest = key;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    // Evicts the least recently used bucket: it is most likely full, so nothing is lost.
    if (this.#buckets.size > maxBuckets) this.#buckets.delete(this.#buckets.keys().next().value as string);
  }

  /** Number of callers in memory. */
  get size(): number {
    return this.#buckets.size;
  }
}

/** Milliseconds until a whole token is available; 0: now. */
export function waitFor(tokens: number, perMs: number): number {
  const missing = 1 - tokens;
  return missing > epsilon ? Math.ceil(missing / perMs - epsilon) : 0;
}

/** Number of calls that the tokens allow. */
export function wholeTokens(tokens: number): number {
  return Math.max(0, Math.floor(tokens + epsilon));
}
