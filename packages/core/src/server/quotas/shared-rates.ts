import { limits } from '../../limits.ts';
import { letEnd } from '../../runtime/timers.ts';
import type { Life, Store, Taken, TokenBucket } from '../../stores/store.ts';
import { withTimeout } from '../call/with-timeout.ts';
import { StoreCircuitBreaker } from './store-circuit-breaker.ts';
import { type CallerRates, type Rated, TokenBuckets, waitFor, wholeOf } from './rate-limit.ts';

/*
 * Instances share one bucket for each caller, which is in their store. An instance takes some tokens at a time, its share,
 * and serves calls from that without asking.
 *
 * Never are more calls served than one bucket would let through. What has to be shown for that is that the bucket and all
 * shares together hold no more than the bucket alone may. A share is therefore worth the less, the longer it is kept: at most
 * what was missing in the bucket after it was taken out, less what has come in since. Then bucket and share are full
 * together, at most; and since whoever takes a share later finds less in the bucket, the same holds for all shares.
 */

interface Share {
  tokens: number;
  /** What was in the bucket when the share was taken, and when that was asked for. */
  left: number;
  at: number;
  /** Until then there is nothing to be had. */
  emptyUntil: number;
  usedAt: number;
  /** Who waits for a share that was asked for. */
  asking: Promise<unknown> | undefined;
}

/** A share is at most one of so many parts of what is in the bucket, or what comes in so many milliseconds. */
const parts = 8;
const aheadMs = 20;
const tiny = 1e-6;
const maxShares = limits.server.rateCallers.value;
const idleMs = limits.server.idleShareMs.value;

/** What is known of a limit that instances share. */
export interface SharedRatesOptions {
  store: Store;
  bucket: TokenBucket;
  /** What the keys of the buckets begin with. */
  prefix: string;
  now?: () => number;
}

/** Counts calls with all instances that share a store. Where the store can't be asked, this instance counts for itself. */
export class SharedRates implements CallerRates {
  readonly #store: Store;
  readonly #bucket: TokenBucket;
  readonly #prefix: string;
  readonly #now: () => number;
  readonly #life: Life;
  readonly #alone: TokenBuckets;
  readonly #shares = new Map<string, Share>();
  readonly #doubt = new StoreCircuitBreaker();
  #sweeper: NodeJS.Timeout | undefined;

  constructor({ store, bucket, prefix, now = () => performance.now() }: SharedRatesOptions) {
    this.#store = store;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#now = now;
    this.#alone = new TokenBuckets(bucket, now);
    // A bucket that nobody has used for so long is full, and full is what one without a record is.
    this.#life = { ttlMs: Math.max(1000, Math.ceil(bucket.size / bucket.perMs)), kind: 'rate', limit: maxShares };
  }

  take(key: string): Rated | Promise<Rated> {
    const now = this.#now();
    if (this.#doubt.isAway) {
      if (!this.#doubt.isDue(now)) return this.#alone.take(key);
      const { isSilent } = this.#doubt;
      const asked = this.#ask(key, this.#shareOf(key, now));
      return isSilent ? this.#alone.take(key) : asked;
    }
    const share = this.#shareOf(key, now);
    if (this.#worth(share, now) >= 1 - tiny) return this.#spend(share, now);
    if (now < share.emptyUntil) return this.#refused(share, now);
    return share.asking === undefined ? this.#ask(key, share) : share.asking.then(() => this.take(key));
  }

  #shareOf(key: string, now: number): Share {
    const known = this.#shares.get(key);
    const share = known ?? {
      tokens: 0,
      left: this.#bucket.size,
      at: now,
      emptyUntil: now,
      usedAt: now,
      asking: undefined,
    };
    share.usedAt = now;
    if (known === undefined) {
      if (this.#shares.size >= maxShares) this.#shares.delete(this.#shares.keys().next().value as string);
      this.#shares.set(key, share);
      this.#sweeper ??= letEnd(setInterval(() => this.#sweep(), idleMs));
    }
    return share;
  }

  /** What a share is worth by now. What it has lost in the meantime it has lost for good. */
  #worth(share: Share, now: number): number {
    const { size, perMs } = this.#bucket;
    share.tokens = Math.max(0, Math.min(share.tokens, size - share.left - (now - share.at) * perMs));
    return share.tokens;
  }

  #spend(share: Share, now: number): Rated {
    share.tokens -= 1;
    return this.#served(share, now);
  }

  #served(share: Share, now: number): Rated {
    const { size, perMs } = this.#bucket;
    const all = Math.min(size, share.tokens + share.left + (now - share.at) * perMs);
    return { waitMs: 0, left: wholeOf(all), fullMs: (size - all) / perMs };
  }

  #refused({ emptyUntil }: Share, now: number): Rated {
    const { size, perMs } = this.#bucket;
    return { waitMs: Math.max(1, Math.ceil(emptyUntil - now)), left: 0, fullMs: size / perMs };
  }

  /** Asks for a share, of which the call has the first token. */
  #ask(key: string, share: Share): Rated | Promise<Rated> {
    const { size, perMs } = this.#bucket;
    const at = this.#now();
    const there = Math.min(size, share.left + (at - share.at) * perMs);
    const wanted = Math.max(1, Math.floor(Math.max(there / parts, Math.min(perMs * aheadMs, size / parts))));
    const take = ({ taken, left }: Taken): Rated => {
      this.#doubt.answered();
      // What is left of the share before is less than one call is worth.
      Object.assign(share, { tokens: Math.max(0, taken - 1), left, at });
      if (taken > 0) return this.#served(share, at);
      share.emptyUntil = at + waitFor(left, perMs);
      return this.#refused(share, at);
    };
    const fail = (): Rated => {
      this.#doubt.failed(this.#now(), at);
      return this.#alone.take(key);
    };
    try {
      const answer = this.#store.take(this.#prefix + key, wanted, this.#bucket, this.#life);
      if (!(answer instanceof Promise)) return take(answer);
      const rated = withTimeout(answer)
        .then(take, fail)
        .finally(() => (share.asking = undefined));
      share.asking = rated;
      return rated;
    } catch {
      return fail();
    }
  }

  /** Gives back what nobody uses. */
  #sweep(): void {
    const now = this.#now();
    for (const [key, share] of this.#shares) {
      if (share.asking !== undefined || now - share.usedAt < idleMs) continue;
      const unused = wholeOf(this.#worth(share, now));
      this.#shares.delete(key);
      if (unused > 0 && !this.#doubt.isAway) void this.#giveBack(key, unused);
    }
    if (this.#shares.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  async #giveBack(key: string, unused: number): Promise<void> {
    try {
      await this.#store.take(this.#prefix + key, -unused, this.#bucket, this.#life);
    } catch {
      // They come back by themselves, as all tokens do.
    }
  }
}
