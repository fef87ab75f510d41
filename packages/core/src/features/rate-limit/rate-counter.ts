import type { RateLimit } from '../../server/define/feature-options.ts';
import type { Rated } from '../../server/peer.ts';
import type { Store, TokenBucket } from '../../stores/store.ts';
import { toBucket, type CallerRates, type RateCounter, TokenBuckets } from './rate-limit.ts';
import { SharedRates } from './shared-rates.ts';

/** The names of a limit: `name` for clients, and `key`, which is unique, for the store. */
export interface RateNames {
  name: string;
  key: string;
}

/** Counts by one limit: in this process, or in a store with all instances that share it. */
class LimitCounter implements RateCounter {
  readonly name: string;
  readonly policy: string;
  readonly #bucket: TokenBucket;
  readonly #key: string;
  readonly #local: CallerRates;
  readonly #shared = new WeakMap<Store, CallerRates>();
  #last: { store: Store; rates: CallerRates } | undefined;

  constructor(limit: RateLimit, { name, key }: RateNames) {
    this.#bucket = toBucket(limit);
    this.#local = new TokenBuckets(this.#bucket);
    this.#key = key;
    this.name = name;
    this.policy = policyOf(limit, name);
  }

  take(key: string, store?: Store): Rated | Promise<Rated> {
    return (store === undefined ? this.#local : this.#ratesIn(store)).take(key);
  }

  #ratesIn(store: Store): CallerRates {
    if (this.#last?.store === store) return this.#last.rates;
    let rates = this.#shared.get(store);
    if (rates === undefined) {
      rates = new SharedRates({ store, bucket: this.#bucket, prefix: `rate/${this.#key}/` });
      this.#shared.set(store, rates);
    }
    this.#last = { store, rates };
    return rates;
  }
}

/** Creates the counter of a limit, if there is one. Throws if the limit is invalid. */
export function rateCounter(limit: RateLimit | undefined, names: RateNames): RateCounter | undefined {
  return limit === undefined ? undefined : new LimitCounter(limit, names);
}

/** The header field needs whole seconds, at least one, and whole calls. */
function policyOf({ calls, perMs = 1000 }: RateLimit, name: string): string {
  const seconds = Math.max(1, Math.round(perMs / 1000));
  return `"${name}";q=${Math.max(1, Math.floor((calls * seconds * 1000) / perMs))};w=${seconds}`;
}
