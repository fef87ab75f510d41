import { AuthError } from '../auth-error.ts';
import type { ClientIdentity } from '../client-identity.ts';
import { stringField } from '../json-fields.ts';
import type { HttpAuth } from '../../client/http-auth.ts';
import { createRemote, type RemoteOptions } from '../remote.ts';
import { assertCurrent } from './assert-current.ts';
import { postForm } from './token-endpoint.ts';
import type { TokenAuthOptions } from './token-auth.ts';
import { type AssertionRequest, workloadIdentity } from './workload-identity.ts';

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
