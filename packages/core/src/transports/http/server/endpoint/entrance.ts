import type { AuthRefusal } from '../../../../auth/server/authenticator.ts';
import { challengeBy } from '../../../../auth/server/authenticator.ts';
import type { ErrorBody } from '../../../../jsonrpc/errors.ts';
import type { Entrance } from '../../../../server/exchange.ts';
import { requiredBy } from '../../../../server/scopes/insufficient-scope.ts';
import type { Refusal } from '../answer/refusal.ts';
import type { Endpoint, Visit } from './endpoint.ts';

type Guest = Pick<Visit, 'http' | 'auth'>;

/** The way in over HTTP. `isTold`: a status can't say anything any more, because the answer has begun or is not one's own. */
export function entranceOf({ auth }: Pick<Endpoint, 'auth'>, visit: Guest, isTold: () => boolean): Entrance {
  const { http, auth: caller } = visit;
  return {
    asks: auth !== undefined,
    mixed: auth?.anonymous === true,
    refusalForm: () => (isTold() || auth?.form?.(http) === 'result' ? 'result' : 'error'),
    challenges: (needed) => (auth === undefined ? [] : challengesIn(challengeBy(auth, http, { needed, caller }))),
  };
}

/** The status and headers of an answer to a caller who lacks scopes; undefined for any other. */
export function scopesStatus(
  { auth }: Pick<Endpoint, 'auth'>,
  { http, auth: caller }: Guest,
  error: ErrorBody,
): Pick<Refusal, 'status' | 'headers'> | undefined {
  const lacking = requiredBy(error);
  if (lacking === undefined) return undefined;
  return auth === undefined ? { status: 403 } : challengeBy(auth, http, { needed: lacking.requiredScopes, caller });
}

function challengesIn({ headers = {} }: AuthRefusal): readonly string[] {
  return Object.entries(headers).flatMap(([name, values]) => (name.toLowerCase() === 'www-authenticate' ? values : []));
}
