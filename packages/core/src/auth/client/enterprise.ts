import { AuthError } from '../auth-error.ts';
import type { ClientIdentity } from '../client-identity.ts';
import { stringField } from '../json-fields.ts';
import type { HttpAuth } from '../../client/http-auth.ts';
import { createRemote, type RemoteOptions } from '../remote.ts';
import { assertCurrent } from './assert-current.ts';
import { postForm } from './token-endpoint.ts';
import type { TokenAuthOptions } from './token-auth.ts';
import { type AssertionRequest, workloadIdentity } from './workload-identity.ts';

/** The identity provider that an enterprise's users sign in at. */
export interface IdentityProvider {
  issuer: string;
  tokenEndpoint: string;
  /** Who the application is to the identity provider. */
  client: ClientIdentity;
  /** Gives the ID token of the user who signed in. */
  idToken: () => Promise<string> | string;
}

/** Who the application is to the enterprise, and to the server's own authorization server. */
export interface EnterpriseOptions extends TokenAuthOptions {
  identityProvider: IdentityProvider;
  /** Who the application is to the server's own authorization server. */
  clientId: string;
  clientSecret: string;
  /** The server's authorization server. Without it, the first one that the server names. */
  issuer?: string;
}

const idJag = 'urn:ietf:params:oauth:token-type:id-jag';

/** Gets tokens where an enterprise decides centrally who may use what: the user signs in once, at its provider. */
export function enterpriseManaged({ identityProvider, ...rest }: EnterpriseOptions): HttpAuth {
  return workloadIdentity({
    ...rest,
    assertion: (wanted) => exchange(identityProvider, wanted, rest),
  });
}

/** Exchanges the user's ID token for a permission to be shown to another authorization server. */
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
