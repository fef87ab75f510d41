import type { RateLimit } from '../../server/define/feature-options.ts';
import type { Rated } from '../../server/peer.ts';
import type { Store, TokenBucket } from '../../stores/store.ts';
import { type CallerRates, type RateCounter, TokenBuckets } from './rate-limit.ts';
import { type RateNames, type RateSpec, toBucket } from './rate-spec.ts';
import { SharedRates } from './shared-rates.ts';

/** Counts calls against one rate limit: in this process, or in a store that all instances share. */
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

/** Creates the counter of a rate limit, if there is one. */
export function rateCounter(spec: RateSpec | undefined): RateCounter | undefined {
  return spec && new LimitCounter(spec.limit, spec.names);
}

/** The header field needs whole seconds, at least one, and whole calls. */
function policyOf({ calls, perMs = 1000 }: RateLimit, name: string): string {
  const seconds = Math.max(1, Math.round(perMs / 1000));
  return `"${name}";q=${Math.max(1, Math.floor((calls * seconds * 1000) / perMs))};w=${seconds}`;
}
