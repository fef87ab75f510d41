import type { Rated, RateCounter } from '../../../../server/rate-limit.ts';
import type { HttpHeaders } from '../bindings/binding.ts';

/** The fields `RateLimit-Policy` and `RateLimit`, as the draft of the IETF has them: what is allowed, and what is left of it. */
export function rateFields(rates: ReadonlyMap<RateCounter, Rated>): HttpHeaders {
  let policies = '';
  let states = '';
  for (const [{ name, policy }, { left, waitMs, fullMs }] of rates) {
    const separator = policies === '' ? '' : ', ';
    policies += separator + policy;
    // Until then one more can't be had; else, until as many as ever can.
    const seconds = Math.ceil((waitMs > 0 ? waitMs : fullMs) / 1000);
    states += `${separator}"${name}";r=${left};t=${seconds}`;
  }
  return ['RateLimit-Policy', policies, 'RateLimit', states];
}
