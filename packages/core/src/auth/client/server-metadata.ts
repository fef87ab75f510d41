import { AuthError, sanitize } from '../auth-error.ts';
import { stringField, stringListField } from '../json-fields.ts';
import { hasDocument, type Remote, findServerDocument } from '../remote.ts';

/** Authorization server metadata. */
export interface AuthorizationServer {
  /** The verified issuer, under which credentials are stored. */
  readonly issuer: string;
  /** The expected `iss` of an authorization response. */
  readonly responseIssuer: string;
  readonly sendsIssuer: boolean;
  readonly authorizationEndpoint: string | undefined;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint: string | undefined;
  readonly authMethods: readonly string[] | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly pkce: boolean;
  readonly readsClientMetadata: boolean;
  readonly dpop: boolean;
}

/** Loads the metadata of an authorization server. */
export async function findServerMetadata(remote: Remote, issuer: string): Promise<AuthorizationServer> {
  const body = await findServerDocument(remote, issuer);
  // Without this member, PKCE is not supported.
  const methods = stringListField(body, 'code_challenge_methods_supported') ?? [];
  return read(remote, body, { issuer, responseIssuer: issuer, methods });
}

/** The metadata of a server without resource metadata, which is its own authorization server. */
export async function findOwnServer(remote: Remote, serverUrl: string): Promise<AuthorizationServer> {
  const { origin } = remote.check(serverUrl, 'address of the server');
  const place = `${origin}/.well-known/oauth-authorization-server`;
  const answer = await remote.get(place);
  const body = hasDocument(answer, place)
    ? answer.body
    : {
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      };
  // Such servers need not list methods; PKCE is always used.
  const methods = stringListField(body, 'code_challenge_methods_supported') ?? ['S256'];
  return read(remote, body, { issuer: origin, responseIssuer: stringField(body, 'issuer') ?? origin, methods });
}

function read(
  remote: Remote,
  body: Readonly<Record<string, unknown>>,
  known: { issuer: string; responseIssuer: string; methods: readonly string[] },
): AuthorizationServer {
  const endpoint = (name: string): string | undefined => {
    const text = stringField(body, name);
    return text === undefined ? undefined : remote.check(text, name).href;
  };
  const tokenEndpoint = endpoint('token_endpoint');
  if (tokenEndpoint === undefined) {
    throw new AuthError('invalid_answer', `The metadata of ${sanitize(known.issuer)} names no token_endpoint`);
  }
  return {
    issuer: known.issuer,
    responseIssuer: known.responseIssuer,
    sendsIssuer: body.authorization_response_iss_parameter_supported === true,
    authorizationEndpoint: endpoint('authorization_endpoint'),
    tokenEndpoint,
    registrationEndpoint: endpoint('registration_endpoint'),
    authMethods: stringListField(body, 'token_endpoint_auth_methods_supported'),
    scopes: stringListField(body, 'scopes_supported'),
    pkce: known.methods.includes('S256'),
    readsClientMetadata: body.client_id_metadata_document_supported === true,
    dpop: stringListField(body, 'dpop_signing_alg_values_supported')?.includes('ES256') ?? false,
  };
}
