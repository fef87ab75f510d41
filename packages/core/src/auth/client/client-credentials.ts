import type { ClientKey } from '../client-identity.ts';
import { grantForm } from './grant.ts';
import type { HttpAuth } from '../../client/http-auth.ts';
import { requestTokens } from './token-endpoint.ts';
import { type TokenAuthOptions, tokenAuth } from './token-auth.ts';

/** Who the application is to the authorization server, and how it proves that. */
export interface ClientCredentialsOptions extends TokenAuthOptions {
  clientId: string;
  /** A shared secret; a key is better. */
  clientSecret?: string;
  /** A private key that the authorization server knows the public half of. */
  privateKey?: ClientKey;
  /** The authorization server that knows the client. Without it, the first one that the server names. */
  issuer?: string;
}

/** Gets tokens for an application that acts for itself, without a user. */
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
