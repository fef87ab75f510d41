import { serving as kernel, type Serving } from '../server/serving.ts';
import type { Feature } from '../server/engine.ts';
import { offersToCaller, routeToParts } from './compose/route-to-parts.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import { idempotency } from './idempotency/idempotent-call.ts';
import { observation } from './observe/observe-request.ts';
import { serverRateLimit } from './rate-limit/limit-rate.ts';
import { countToolCalls } from './rate-limit/count-call.ts';
import { rateCounter } from './rate-limit/rate-counter.ts';
import type { RateSpec } from './rate-limit/rate-spec.ts';
import { authorization } from './scopes/authorize.ts';
import { ScopeAccess } from './scopes/scope-access.ts';
import type { ScopeRules } from './scopes/scope-rules.ts';

/** The validated options of the features of a server. */
export interface FeatureSettings {
  readonly access: ScopeAccess;
  readonly rates: RateSpec | undefined;
  readonly idempotency: Idempotency | undefined;
}

/** The kernel's part, and the features that every server has. */
export interface FeatureServing extends Serving {
  readonly offersToCaller: typeof offersToCaller;
  readonly routeToParts: typeof routeToParts;
  readonly countToolCalls: typeof countToolCalls;
  createAccess(rules: ScopeRules): ScopeAccess;
  features(settings: FeatureSettings): Feature[];
}

/** Serves requests, with the features that every server has. */
export const serving: FeatureServing = {
  ...kernel,
  offersToCaller,
  routeToParts,
  countToolCalls,
  createAccess: (rules) => new ScopeAccess(rules),
  features: ({ access, rates, idempotency: settings }) => [
    observation,
    serverRateLimit(rateCounter(rates)),
    authorization(access),
    idempotency(settings),
  ],
};
