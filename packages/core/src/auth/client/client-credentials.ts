import type { ClientKey } from '../client-identity.ts';
import { grantForm } from './grant.ts';
import type { HttpAuth } from '../../client/http-auth.ts';
import { requestTokens } from './token-endpoint.ts';
import { type TokenAuthOptions, tokenAuth } from './token-auth.ts';

/** Options of `clientCredentials`. */
export interface ClientCredentialsOptions extends TokenAuthOptions {
  clientId: string;
  /** A shared secret; a key is better. */
  clientSecret?: string;
  /** A private key whose public key the authorization server knows. */
  privateKey?: ClientKey;
  /** The authorization server that knows the client. Default: the first one the server lists. */
  issuer?: string;
}

/** Obtains tokens for an application without a user, by the client credentials grant. */
export function clientCredentials(options: ClientCredentialsOptions): HttpAuth {
  const { clientId, clientSecret, privateKey, issuer, ...rest } = options;
  if ((clientSecret === undefined) === (privateKey === undefined)) {
    throw new TypeError('clientCredentials needs either clientSecret or privateKey');
  }
  const client = { id: clientId, secret: clientSecret, key: privateKey };
  return tokenAuth(
    {
      bound: true,
      issuer,
      obtain: ({ remote, server, dpop, ...request }) =>
        requestTokens({
          remote,
          server,
          client,
          form: { grant_type: 'client_credentials', ...grantForm(request) },
          dpop,
        }),
    },
    rest,
  );
}
