import type { Store, TokenBucket } from '../../stores/store.ts';
import {
  bucketOf,
  type CallerRates,
  type Rated,
  type RateCounter,
  type RateLimit,
  TokenBuckets,
} from './rate-limit.ts';
import { SharedRates } from './shared-rates.ts';

/** What a limit is called: in a word for clients, and, for the store, by a name that no other limit has. */
export interface RateNames {
  name: string;
  key: string;
}

/** Counts by one limit: in this process, and for each store with all who share it. */
class LimitCounter implements RateCounter {
  readonly name: string;
  readonly policy: string;
  readonly #bucket: TokenBucket;
  readonly #key: string;
  readonly #alone: CallerRates;
  readonly #shared = new WeakMap<Store, CallerRates>();
  #last: { store: Store; rates: CallerRates } | undefined;

  constructor(limit: RateLimit, { name, key }: RateNames) {
    this.#bucket = bucketOf(limit);
    this.#alone = new TokenBuckets(this.#bucket);
    this.#key = key;
    this.name = name;
    this.policy = policyOf(limit, name);
  }

  take(key: string, store?: Store): Rated | Promise<Rated> {
    return (store === undefined ? this.#alone : this.#in(store)).take(key);
  }

  #in(store: Store): CallerRates {
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

/** Makes the counter for a limit, where there is one. Throws where it makes no sense. */
export function rateCounter(limit: RateLimit | undefined, names: RateNames): RateCounter | undefined {
  return limit === undefined ? undefined : new LimitCounter(limit, names);
}

/** The field has whole seconds, at least one, and whole calls. */
function policyOf({ calls, perMs = 1000 }: RateLimit, name: string): string {
  const seconds = Math.max(1, Math.round(perMs / 1000));
  return `"${name}";q=${Math.max(1, Math.floor((calls * seconds * 1000) / perMs))};w=${seconds}`;
}
