import { serving as kernel, type Serving } from '../server/serving.ts';
import type { Feature } from '../server/engine.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import { idempotency } from './idempotency/idempotent-call.ts';
import { observation } from './observe/observe-request.ts';
import { serverRateLimit } from './rate-limit/limit-rate.ts';
import type { RateCounter } from './rate-limit/rate-limit.ts';
import { authorization } from './scopes/authorize.ts';
import type { ScopeAccess } from './scopes/scope-access.ts';

/** The validated options of the features of a server. */
export interface FeatureSettings {
  readonly access: ScopeAccess;
  readonly rates: RateCounter | undefined;
  readonly idempotency: Idempotency | undefined;
}

/** The kernel's part, and the features that every server has. */
export interface FeatureServing extends Serving {
  features(settings: FeatureSettings): Feature[];
}

/** What serves requests, with the features that every server has. */
export const serving: FeatureServing = {
  ...kernel,
  features: ({ access, rates, idempotency: settings }) => [
    observation,
    serverRateLimit(rates),
    authorization(access),
    idempotency(settings),
  ],
};
