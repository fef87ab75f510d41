import { type AuthRejection, challengeBy } from '../../../../auth/server/authenticator.ts';
import type { ErrorBody } from '../../../../jsonrpc/errors.ts';
import type { Auth, AuthPolicy } from '../../../../server/peer.ts';
import { requiredBy } from '../../../../features/scopes/scope-check.ts';
import type { Rejection } from '../answer/reject.ts';
import type { HttpRequest } from '../bindings/binding.ts';
import type { Endpoint } from './endpoint.ts';

/** The inputs of a challenge. */
interface Challenged {
  readonly endpoint: Pick<Endpoint, 'auth'>;
  readonly http: HttpRequest;
  readonly auth?: Auth;
}

/** How a caller over HTTP authenticates. `isStatusSent`: a status can no longer ask for more scopes. */
export function authPolicyOf(
  { endpoint: { auth }, http, auth: caller }: Challenged,
  isStatusSent: () => boolean,
): AuthPolicy {
  return {
    authenticates: auth !== undefined,
    allowsAnonymous: auth?.anonymous === true,
    scopeErrorForm: () => (isStatusSent() || auth?.form?.(http) === 'result' ? 'result' : 'error'),
    challenges: (needed) => (auth === undefined ? [] : challengesIn(challengeBy(auth, http, { needed, caller }))),
  };
}

/** The status and headers of a response to a caller who lacks scopes; undefined for any other error. */
export function scopeStatus(
  { endpoint: { auth }, http, auth: caller }: Challenged,
  error: ErrorBody,
): Pick<Rejection, 'status' | 'headers'> | undefined {
  const missing = requiredBy(error);
  if (missing === undefined) return undefined;
  return auth === undefined ? { status: 403 } : challengeBy(auth, http, { needed: missing.requiredScopes, caller });
}

function challengesIn({ headers = {} }: AuthRejection): readonly string[] {
  return Object.entries(headers).flatMap(([name, values]) => (name.toLowerCase() === 'www-authenticate' ? values : []));
}
