import { unref } from '../../runtime/timers.ts';
import type { Life, Store, TokenBucketResult, TokenBucket } from '../../stores/store.ts';
import { StoreCircuitBreaker } from './store-circuit-breaker.ts';
import type { Rated } from '../../server/peer.ts';
import { type CallerRates, TokenBuckets, waitFor, wholeTokens, maxBuckets } from './rate-limit.ts';
import { epsilon } from '../../stores/take-tokens.ts';

/*
 * Instances share one token bucket per caller in their store. An instance takes a share of several tokens at a time and
 * serves calls from it without a round trip. Invariant: no more calls are served than one bucket would allow, so the
 * bucket and all shares together never hold more than the bucket's size. Therefore a share loses value over time: it is
 * worth at most what was missing in the bucket after it was taken, minus what was refilled since. Bucket and share are
 * then full together at most; and since later shares find less in the bucket, the invariant holds for all shares.
 */

interface Share {
  tokens: number;
  /** The tokens left in the bucket when the share was taken, and when it was requested. */
  left: number;
  at: number;
  /** The bucket is empty until then. */
  emptyUntil: number;
  usedAt: number;
  /** The request for a new share, while it runs. */
  pending: Promise<unknown> | undefined;
}

/** A share is at most this fraction of the bucket, or the refill of this many milliseconds. */
const parts = 8;
const prefetchMs = 20;
const maxShares = maxBuckets;
/** Time after which an instance returns unused tokens of a shared limit. */
export const idleMs = 500;

/** A rate limit shared by instances. */
export interface SharedRatesOptions {
  store: Store;
  bucket: TokenBucket;
  /** Prefix of the keys of the buckets. */
  prefix: string;
  now?: () => number;
}

/** Counts calls with all instances that share a store. Falls back to counting locally while the store fails. */
export class SharedRates implements CallerRates {
  readonly #store: Store;
  readonly #bucket: TokenBucket;
  readonly #prefix: string;
  readonly #now: () => number;
  readonly #life: Life;
  readonly #local: TokenBuckets;
  readonly #shares = new Map<string, Share>();
  readonly #breaker: StoreCircuitBreaker;
  #sweeper: NodeJS.Timeout | undefined;

  constructor({ store, bucket, prefix, now = () => performance.now() }: SharedRatesOptions) {
    this.#store = store;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#now = now;
    this.#local = new TokenBuckets(bucket, now);
    this.#breaker = new StoreCircuitBreaker(now);
    // A bucket unused for this long is full, as is one without a record.
    this.#life = { ttlMs: Math.max(1000, Math.ceil(bucket.size / bucket.perMs)), kind: 'rate', limit: maxShares };
  }

  take(key: string): Rated | Promise<Rated> {
    const now = this.#now();
    const share = this.#shareOf(key, now);
    if (!this.#breaker.isOpen) {
      if (this.#currentTokens(share, now) >= 1 - epsilon) return this.#spend(share, now);
      if (now < share.emptyUntil) return this.#reject(share, now);
      if (share.pending !== undefined) return share.pending.then(() => this.take(key));
    }
    return this.#requestShare(key, share, now);
  }

  #shareOf(key: string, now: number): Share {
    const known = this.#shares.get(key);
    const share = known ?? {
      tokens: 0,
      left: this.#bucket.size,
      at: now,
      emptyUntil: now,
      usedAt: now,
      pending: undefined,
    };
    share.usedAt = now;
    if (known === undefined) {
      if (this.#shares.size >= maxShares) this.#shares.delete(this.#shares.keys().next().value as string);
      this.#shares.set(key, share);
      this.#sweeper ??= unref(setInterval(() => this.#sweep(), idleMs));
    }
    return share;
  }

  /** Reduces a share to its current value. */
  #currentTokens(share: Share, now: number): number {
    const { size, perMs } = this.#bucket;
    share.tokens = Math.max(0, Math.min(share.tokens, size - share.left - (now - share.at) * perMs));
    return share.tokens;
  }

  #spend(share: Share, now: number): Rated {
    share.tokens -= 1;
    return this.#allow(share, now);
  }

  #allow(share: Share, now: number): Rated {
    const { size, perMs } = this.#bucket;
    const all = Math.min(size, share.tokens + share.left + (now - share.at) * perMs);
    return { waitMs: 0, left: wholeTokens(all), fullMs: (size - all) / perMs };
  }

  #reject({ emptyUntil }: Share, now: number): Rated {
    const { size, perMs } = this.#bucket;
    return { waitMs: Math.max(1, Math.ceil(emptyUntil - now)), left: 0, fullMs: size / perMs };
  }

  /** Takes a share from the bucket; the call gets its first token. */
  #requestShare(key: string, share: Share, at: number): Rated | Promise<Rated> {
    const { size, perMs } = this.#bucket;
    const available = Math.min(size, share.left + (at - share.at) * perMs);
    const wanted = Math.max(1, Math.floor(Math.max(available / parts, Math.min(perMs * prefetchMs, size / parts))));
    const rated = this.#breaker.request({
      send: () => this.#store.take(this.#prefix + key, wanted, this.#bucket, this.#life),
      onAnswer: ({ taken, left }: TokenBucketResult): Rated => {
        // The rest of the previous share is worth less than one call.
        Object.assign(share, { tokens: Math.max(0, taken - 1), left, at });
        if (taken > 0) return this.#allow(share, at);
        share.emptyUntil = at + waitFor(left, perMs);
        return this.#reject(share, at);
      },
      fallback: () => this.#local.take(key),
    });
    if (!(rated instanceof Promise)) return rated;
    share.pending = rated.finally(() => (share.pending = undefined));
    return rated;
  }

  /** Returns the tokens of unused shares, while the store works. */
  #sweep(): void {
    if (this.#breaker.isOpen) return;
    const now = this.#now();
    for (const [key, share] of this.#shares) {
      if (share.pending !== undefined || now - share.usedAt < idleMs) continue;
      const unused = wholeTokens(this.#currentTokens(share, now));
      this.#shares.delete(key);
      if (unused > 0) void this.#returnTokens(key, unused);
    }
    if (this.#shares.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  async #returnTokens(key: string, unused: number): Promise<void> {
    try {
      await this.#store.take(this.#prefix + key, -unused, this.#bucket, this.#life);
    } catch {
      // The bucket refills anyway.
    }
  }
}
