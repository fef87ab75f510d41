import type { HttpAuth } from '../../client/http-auth.ts';
import { fromBase64 } from '../../runtime/base64.ts';
import { AuthError } from '../auth-error.ts';
import type { ClientIdentity } from '../client-identity.ts';
import { stringField } from '../json-fields.ts';
import { nowInSeconds } from '../jwt.ts';
import { createRemote, type RemoteOptions } from '../remote.ts';
import { grantForm } from './grant.ts';
import { tokenAuth, type TokenAuthOptions } from './token-auth.ts';
import { postForm, requestTokens } from './token-endpoint.ts';

/** The purpose of an assertion. */
export interface AssertionRequest {
  /** The authorization server. */
  readonly audience: string;
  readonly resource: string;
  /** Space-separated; undefined if the authorization server decides. */
  readonly scope: string | undefined;
}

/** Options of `workloadIdentity`. */
export interface WorkloadIdentityOptions extends TokenAuthOptions {
  /** Returns a JWT of the platform for the authorization server (`audience`). */
  assertion: (wanted: AssertionRequest) => Promise<string> | string;
  clientId: string;
  clientSecret?: string;
  /** The authorization server that trusts the platform. Default: the first one the server lists. */
  issuer?: string;
}

/** Obtains tokens with the workload identity of the platform, by the JWT bearer grant. Tried once. */
export function workloadIdentity(options: WorkloadIdentityOptions): HttpAuth {
  const { assertion, clientId, clientSecret, issuer, ...rest } = options;
  return tokenAuth(
    {
      bound: true,
      issuer,
      async obtain({ remote, server, dpop, ...request }) {
        const wanted = grantForm(request);
        const audience = server.issuer;
        const jwt = await assertion({ audience, resource: request.resource, scope: wanted.scope });
        assertCurrent(jwt, 'assertion');
        const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: jwt, ...wanted };
        return requestTokens({ remote, server, client: { id: clientId, secret: clientSecret }, form, dpop });
      },
    },
    rest,
  );
}

/** The identity provider of an enterprise. */
export interface IdentityProvider {
  issuer: string;
  tokenEndpoint: string;
  /** The application's identity at the identity provider. */
  client: ClientIdentity;
  /** Returns the ID token of the signed-in user. */
  idToken: () => Promise<string> | string;
}

/** Options of `enterpriseManaged`. */
export interface EnterpriseOptions extends TokenAuthOptions {
  identityProvider: IdentityProvider;
  /** The application's identity at the server's authorization server. */
  clientId: string;
  clientSecret: string;
  /** The server's authorization server. Default: the first one the server lists. */
  issuer?: string;
}

const idJag = 'urn:ietf:params:oauth:token-type:id-jag';

/** Obtains tokens by enterprise-managed authorization: the user signs in once, at the identity provider. */
export function enterpriseManaged({ identityProvider, ...rest }: EnterpriseOptions): HttpAuth {
  return workloadIdentity({
    ...rest,
    assertion: (wanted) => exchange(identityProvider, wanted, rest),
  });
}

/** Exchanges the user's ID token for an ID-JAG for another authorization server. */
async function exchange(
  { issuer, tokenEndpoint, client, idToken }: IdentityProvider,
  { audience, resource, scope }: AssertionRequest,
  options: RemoteOptions,
): Promise<string> {
  const subject = await idToken();
  assertCurrent(subject, 'ID token');
  const body = await postForm({
    remote: createRemote({ url: tokenEndpoint }, options),
    server: { issuer, tokenEndpoint, authMethods: undefined },
    client,
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: idJag,
      subject_token: subject,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      audience,
      resource,
      ...(scope === undefined ? {} : { scope }),
    },
    dpop: undefined,
  });
  const permission = stringField(body, 'access_token');
  if (permission === undefined || body.issued_token_type !== idJag) {
    throw new AuthError('invalid_answer', 'The identity provider gave no permission for another authorization server');
  }
  return permission;
}

/** The tolerated clock skew of the issuer of an assertion or ID token, in seconds. */
const leeway = 30;

/**
 * Throws if a JWT was issued in the future, is not valid yet, or has expired. The recipient should reject it too: a
 * postdated one could be stored and used later. Ignores tokens that are not JWTs.
 */
export function assertCurrent(token: string, what: string): void {
  const { iat, nbf, exp } = claimsIn(token);
  const now = nowInSeconds();
  if (typeof iat === 'number' && iat > now + leeway) throw notCurrent(what, 'was made in the future');
  if (typeof nbf === 'number' && nbf > now + leeway) throw notCurrent(what, 'is not good yet');
  if (typeof exp === 'number' && exp < now - leeway) throw notCurrent(what, 'is no longer good');
}

function notCurrent(what: string, how: string): AuthError {
  return new AuthError('untimely', `The ${what} says that it ${how}: are the clocks right?`);
}

function claimsIn(token: string): Readonly<Record<string, unknown>> {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return {};
  try {
    const claims: unknown = JSON.parse(new TextDecoder().decode(fromBase64(payload)));
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
