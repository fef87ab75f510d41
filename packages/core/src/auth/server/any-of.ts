import { type Awaitable, isThenable } from '../../jsonrpc/awaitable.ts';
import type { Auth } from '../../server/peer.ts';
import {
  type Authenticator,
  type AuthRejection,
  challengeBy,
  type CredentialsRequest,
  type NeededScopes,
} from './authenticator.ts';

/**
 * Combines authenticators: tries each in turn until one recognizes the credentials. Its decision is final: invalid
 * credentials are not retried with another.
 */
export function anyOf(...ways: readonly Authenticator[]): Authenticator {
  if (ways.length === 0) throw new TypeError('anyOf needs at least one authenticator');
  /** The authenticator of each caller, which also creates their challenges. */
  const authenticatedBy = new WeakMap<Auth, Authenticator>();

  function accept(way: Authenticator, answer: Auth | AuthRejection): Auth | AuthRejection {
    if ('principal' in answer && !authenticatedBy.has(answer)) authenticatedBy.set(answer, way);
    return answer;
  }

  function ask(request: CredentialsRequest, from: number): Awaitable<Auth | AuthRejection | undefined> {
    for (let index = from; index < ways.length; index++) {
      const way = ways[index] as Authenticator;
      const answer = way.authenticate(request);
      if (isThenable(answer)) {
        return Promise.resolve(answer).then((known) =>
          known === undefined ? ask(request, index + 1) : accept(way, known),
        );
      }
      if (answer !== undefined) return accept(way, answer);
    }
    return undefined;
  }

  return {
    header: ways.flatMap(({ header }) => header ?? []),
    anonymous: ways.some(({ anonymous }) => anonymous === true),
    leewayMs: Math.max(...ways.map(({ leewayMs = 0 }) => leewayMs)),
    documents: ways.flatMap(({ documents }) => documents ?? []),
    authenticate: (request) => ask(request, 0),
    challenge(request, missing) {
      const way = missing.caller === undefined ? undefined : authenticatedBy.get(missing.caller);
      return way === undefined ? allChallenges(ways, request, missing) : challengeBy(way, request, missing);
    },
    form: (request) => ways.find(({ form }) => form !== undefined)?.form?.(request) ?? 'http',
    answerHeaders: (request) => {
      const headers = ways.flatMap((way) => Object.entries(way.answerHeaders?.(request) ?? {}));
      return headers.length === 0 ? undefined : Object.fromEntries(headers);
    },
    at: (endpoint) => anyOf(...ways.map((way) => way.at?.(endpoint) ?? way)),
  };
}

/** The rejection of the first, with the challenges of all, one header each. */
function allChallenges(
  ways: readonly Authenticator[],
  request: CredentialsRequest,
  missing: NeededScopes,
): AuthRejection {
  const rejections = ways.map((way) => challengeBy(way, request, missing));
  const challenges = rejections.flatMap(({ headers }) => headers?.['WWW-Authenticate'] ?? []);
  const [first] = rejections as [AuthRejection];
  return { ...first, headers: { ...first.headers, 'WWW-Authenticate': challenges } };
}
