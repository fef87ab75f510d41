import { AuthError, sanitize } from '../auth-error.ts';
import { sha256Digest, randomToken } from '../encoding.ts';
import type { Grant, GrantRequest } from './grant.ts';
import { type ClientDescription, resolveIdentity, knownIdentity } from './registration.ts';
import type { AuthorizationServer } from './server-metadata.ts';
import { requestTokens } from './token-endpoint.ts';

/** The parsed response of an authorization server, for applications that parse it themselves. */
export interface AuthorizationAnswer {
  code: string;
  iss?: string | undefined;
  state?: string | undefined;
}

/**
 * Opens a URL for the user, and returns the redirect URL or its parsed contents. The URL is https or on this machine,
 * but untrusted: never pass it through a shell.
 */
export type Authorize = (url: URL) => Promise<URL | string | AuthorizationAnswer>;

/** The authorization code grant with PKCE. */
export function authorizationCode(description: ClientDescription & { authorize: Authorize }): Grant {
  const { authorize, client } = description;

  async function obtain(request: GrantRequest) {
    const { remote, server, resource, scopes, dpop } = request;
    if (server.authorizationEndpoint === undefined) {
      throw new AuthError('invalid_answer', `${sanitize(server.issuer)} has no authorization endpoint`);
    }
    if (!server.pkce) {
      throw new AuthError(
        'pkce_unsupported',
        `${sanitize(server.issuer)} does not say that it supports PKCE with S256`,
      );
    }
    const { identity, redirectUrl } = await resolveIdentity(description, request);
    const verifier = randomToken();
    const state = randomToken();
    const url = await remote.checkPage(server.authorizationEndpoint, 'authorization_endpoint');
    const query = {
      response_type: 'code',
      client_id: identity.id,
      redirect_uri: redirectUrl,
      code_challenge: await sha256Digest(verifier),
      code_challenge_method: 'S256',
      state,
      resource,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
      // Refresh tokens require explicit consent.
      ...(scopes.includes('offline_access') ? { prompt: 'consent' } : {}),
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const place = redirectUrl === description.redirectUrl ? undefined : redirectUrl;
    const code = readAnswer(await authorize(url), { server, state, place });
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUrl,
      code_verifier: verifier,
      resource,
    };
    return requestTokens({ remote, server, client: identity, form, dpop });
  }

  return {
    bound: client !== undefined,
    obtain,
    refreshedBy: (server, stored) => knownIdentity(description, { server, stored }),
  };
}

/** Validates the state and issuer of a response, and returns its code. */
function readAnswer(
  answer: URL | string | AuthorizationAnswer,
  { server, state, place }: { server: AuthorizationServer; state: string; place: string | undefined },
): string {
  if (typeof answer === 'string' || answer instanceof URL) {
    if (!URL.canParse(String(answer))) throw new AuthError('invalid_answer', 'What authorize() gave is not a URL');
    const { searchParams } = new URL(answer);
    if (place !== undefined) assertRedirectTarget(new URL(answer), new URL(place));
    const value = (name: string): string | undefined => searchParams.get(name) ?? undefined;
    if (value('state') !== state) throw stateMismatchError();
    assertIssuer(value('iss'), server);
    const code = value('code');
    const error = value('error');
    if (error !== undefined || code === undefined) throw refusalError(error, value('error_description'));
    return code;
  }
  if (answer.state !== undefined && answer.state !== state) throw stateMismatchError();
  assertIssuer(answer.iss, server);
  return answer.code;
}

/** Checks that the response arrived at the redirect URL of this authorization server. */
function assertRedirectTarget(answer: URL, place: URL): void {
  const isThere =
    answer.pathname === place.pathname &&
    Array.from(place.searchParams).every(([name, value]) => answer.searchParams.get(name) === value);
  if (!isThere) throw new AuthError('issuer_mismatch', 'The answer came back to the place of another server');
}

/** A response of another issuer is neither used nor shown. */
function assertIssuer(iss: string | undefined, { responseIssuer, sendsIssuer }: AuthorizationServer): void {
  const fits = iss === undefined ? !sendsIssuer : iss === responseIssuer;
  if (!fits)
    throw new AuthError('issuer_mismatch', 'The answer does not come from the authorization server that was asked');
}

function stateMismatchError(): AuthError {
  return new AuthError('state_mismatch', 'The answer does not belong to the question: its state is another one');
}

function refusalError(error: string | undefined, description: string | undefined): AuthError {
  const reason = [error ?? 'no code', description].filter((text) => text !== undefined).map(sanitize);
  return new AuthError('refused', `The authorization server refused: ${reason.join(': ')}`, { oauthError: error });
}
