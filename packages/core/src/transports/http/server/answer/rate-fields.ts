import type { Rated, RateCounter } from '../../../../server/quotas/rate-limit.ts';
import type { HttpHeaders } from '../bindings/binding.ts';

/** How a call was counted by one limit. */
export interface CountedRate {
  readonly counter: RateCounter;
  readonly rated: Rated;
}

/** The fields `RateLimit-Policy` and `RateLimit`, as the draft of the IETF has them: what is allowed, and what is left of it. */
export function rateFields(rates: readonly CountedRate[]): HttpHeaders {
  let policies = '';
  let states = '';
  for (const { counter, rated } of rates) {
    const { left, waitMs, fullMs } = rated;
    const separator = policies === '' ? '' : ', ';
    policies += separator + counter.policy;
    // Until then one more can't be had; else, until as many as ever can.
    const seconds = Math.ceil((waitMs > 0 ? waitMs : fullMs) / 1000);
    states += `${separator}"${counter.name}";r=${left};t=${seconds}`;
  }
  return ['RateLimit-Policy', policies, 'RateLimit', states];
}
