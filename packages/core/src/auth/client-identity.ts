import { toBase64 } from '../runtime/base64.ts';
import { AuthError } from './auth-error.ts';
import { nowInSeconds, randomToken, readPrivateKey, type SigningAlgorithm, signJwt } from './jwt.ts';

/** The lifetime of a signed client assertion, in seconds. */
const assertionLifetime = 120;

/** How a client authenticates at the token endpoint. */
export type ClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';

/** A private key whose public key the authorization server knows. */
export interface ClientKey {
  /** PEM of the kind "PRIVATE KEY" (PKCS #8). */
  pem: string;
  algorithm: SigningAlgorithm;
  /** The key's name in the client's key set. */
  id?: string;
}

/** The identity of a client at an authorization server. */
export interface ClientIdentity {
  readonly id: string;
  readonly secret?: string | undefined;
  readonly key?: ClientKey | undefined;
  /** Default: the best method the authorization server supports. */
  readonly authMethod?: ClientAuthMethod | undefined;
}

/** The client authentication of a token request. */
export interface IdentityProof {
  readonly headers: Record<string, string>;
  readonly form: Record<string, string>;
}

/** Creates the client authentication for one token request. */
export async function proveIdentity(
  client: ClientIdentity,
  server: { readonly issuer: string; readonly authMethods: readonly string[] | undefined },
): Promise<IdentityProof> {
  const { id, secret, key } = client;
  const method = client.authMethod ?? chooseMethod(client, server.authMethods);
  switch (method) {
    case 'private_key_jwt':
      if (key === undefined) throw missingCredential(method, 'key');
      return {
        headers: {},
        form: {
          client_id: id,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await createAssertion(id, key, server.issuer),
        },
      };
    case 'client_secret_basic': {
      if (secret === undefined) throw missingCredential(method, 'secret');
      const credentials = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
      return { headers: { Authorization: `Basic ${toBase64(new TextEncoder().encode(credentials))}` }, form: {} };
    }
    case 'client_secret_post':
      if (secret === undefined) throw missingCredential(method, 'secret');
      return { headers: {}, form: { client_id: id, client_secret: secret } };
    case 'none':
      return { headers: {}, form: { client_id: id } };
  }
}

function chooseMethod({ secret, key }: ClientIdentity, offered: readonly string[] | undefined): ClientAuthMethod {
  if (key !== undefined) return 'private_key_jwt';
  if (secret === undefined) return 'none';
  // The default of the standard for servers that list no methods.
  if (offered === undefined || offered.includes('client_secret_basic')) return 'client_secret_basic';
  if (offered.includes('client_secret_post')) return 'client_secret_post';
  return offered.includes('none') ? 'none' : 'client_secret_basic';
}

async function createAssertion(clientId: string, { pem, algorithm, id }: ClientKey, audience: string): Promise<string> {
  const now = nowInSeconds();
  return signJwt(await readPrivateKey(pem, algorithm), {
    header: { alg: algorithm, typ: 'JWT', ...(id === undefined ? {} : { kid: id }) },
    claims: { iss: clientId, sub: clientId, aud: audience, jti: randomToken(), iat: now, exp: now + assertionLifetime },
  });
}

function missingCredential(method: ClientAuthMethod, what: string): AuthError {
  return new AuthError('client_unknown', `The client needs a ${what} for ${method}`);
}
