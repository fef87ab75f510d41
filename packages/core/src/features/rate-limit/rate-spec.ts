import type { RateLimit } from '../../server/define/feature-options.ts';
import type { TokenBucket } from '../../stores/store.ts';

/** The names of a rate limit: `name` for clients, and the unique `key` for the store. */
export interface RateNames {
  name: string;
  key: string;
}

/** A validated rate limit. `rateCounter`, which is loaded lazily, counts against it. */
export interface RateSpec {
  readonly limit: RateLimit;
  readonly names: RateNames;
}

/** Validates the rate limit of an author, if there is one. Throws if it is invalid. */
export function rateSpec(limit: RateLimit | undefined, names: RateNames): RateSpec | undefined {
  if (limit === undefined) return undefined;
  toBucket(limit);
  return { limit, names };
}

/** Creates the token bucket of a rate limit. Throws if the limit is invalid. */
export function toBucket({ calls, perMs = 1000, burst = Math.max(1, calls) }: RateLimit): TokenBucket {
  const areNumbers = [calls, perMs, burst].every((given) => typeof given === 'number' && Number.isFinite(given));
  if (!areNumbers || !(calls > 0) || !(perMs > 0) || !(burst >= 1)) {
    throw new TypeError(
      'A rateLimit needs "calls" and "perMs" above 0, and a "burst" of at least 1, all of them numbers that end',
    );
  }
  return { size: burst, perMs: calls / perMs };
}
