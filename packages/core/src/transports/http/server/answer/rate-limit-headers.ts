import type { Rated, RateName } from '../../../../server/peer.ts';
import type { HttpHeaders } from '../bindings/binding.ts';

/** How a call was counted by one rate limit. */
export interface CountedRate {
  readonly limit: RateName;
  readonly rated: Rated;
}

/** Makes the headers `RateLimit-Policy` and `RateLimit` of the IETF draft. */
export function rateLimitHeaders(rates: readonly CountedRate[]): HttpHeaders {
  let policies = '';
  let states = '';
  for (const { limit, rated } of rates) {
    const { left, waitMs, fullMs } = rated;
    const separator = policies === '' ? '' : ', ';
    policies += separator + limit.policy;
    // The seconds until the next call is allowed, or until the bucket is full.
    const seconds = Math.ceil((waitMs > 0 ? waitMs : fullMs) / 1000);
    states += `${separator}"${limit.name}";r=${left};t=${seconds}`;
  }
  return ['RateLimit-Policy', policies, 'RateLimit', states];
}
