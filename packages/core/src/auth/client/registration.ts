import { AuthError, sanitize } from '../auth-error.ts';
import type { ClientAuthMethod, ClientIdentity } from '../client-identity.ts';
import { stringField } from '../json-fields.ts';
import type { GrantRequest } from './grant.ts';
import { isLoopback } from '../loopback-url.ts';
import type { AuthorizationServer } from './server-metadata.ts';
import { refusal } from './token-endpoint.ts';
import type { StoredGrant } from './token-store.ts';

/** The description of a client. */
export interface ClientDescription {
  /** The redirect URL. */
  redirectUrl: string;
  /** A separate redirect URL per authorization server. */
  redirectFor?: (issuer: string) => Promise<string> | string;
  /** The name shown to the user. */
  clientName?: string;
  /** A client that the authorization server already knows. */
  client?: ClientIdentity;
  /** The https URL of a client id metadata document: the client's id at servers that read such documents. */
  clientMetadataUrl?: string;
}

type RegisteredClient = NonNullable<StoredGrant['client']>;

/** The client's identity at the server, if it has one: configured, from a metadata document, or registered earlier. */
export function knownIdentity(
  { client, clientMetadataUrl }: ClientDescription,
  { server, stored }: { server: AuthorizationServer; stored: StoredGrant },
): ClientIdentity | undefined {
  if (client !== undefined) return client;
  if (clientMetadataUrl !== undefined && server.readsClientMetadata)
    return { id: clientMetadataUrl, authMethod: 'none' };
  return stored.client;
}

/** The client's identity and redirect URL for an authorization request. Registers the client if necessary. */
export async function resolveIdentity(
  description: ClientDescription,
  request: GrantRequest,
): Promise<{ identity: ClientIdentity; redirectUrl: string }> {
  const known = knownIdentity(description, request);
  if (known !== undefined && known !== request.stored.client) {
    return { identity: known, redirectUrl: description.redirectUrl };
  }
  const redirectUrl = await redirectForServer(description, request.server);
  if (known !== undefined && !isOutdated(request.stored.client, redirectUrl)) return { identity: known, redirectUrl };
  const client = await register({ ...description, redirectUrl }, request);
  await request.keepClient(client);
  return { identity: client, redirectUrl };
}

/** A server that does not send `iss` gets its own redirect URL. */
async function redirectForServer(
  { redirectUrl, redirectFor }: ClientDescription,
  { sendsIssuer, issuer }: AuthorizationServer,
): Promise<string> {
  return sendsIssuer || redirectFor === undefined ? redirectUrl : redirectFor(issuer);
}

function isOutdated(client: RegisteredClient | undefined, redirectUrl: string): boolean {
  if (client === undefined || client.redirectUrl !== redirectUrl) return true;
  return client.expiresAt !== undefined && client.expiresAt < Date.now();
}

async function register(
  description: ClientDescription,
  { remote, server, dpop }: GrantRequest,
): Promise<RegisteredClient> {
  const { redirectUrl, clientName = 'MCP client' } = description;
  const { registrationEndpoint, authMethods } = server;
  if (registrationEndpoint === undefined) {
    throw new AuthError(
      'client_unknown',
      `${sanitize(server.issuer)} registers no clients: give one that it knows, with the client option`,
    );
  }
  const method = chooseMethod(authMethods);
  const answer = await remote.post(registrationEndpoint, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: method,
      application_type: isNative(redirectUrl) ? 'native' : 'web',
      ...(dpop === undefined ? {} : { dpop_bound_access_tokens: true }),
    }),
  });
  if (answer.status !== 200 && answer.status !== 201) {
    throw refusal('The authorization server did not register the client', answer, []);
  }
  const id = stringField(answer.body ?? {}, 'client_id');
  if (id === undefined)
    throw new AuthError('invalid_answer', 'The authorization server registered the client without id');
  return { id, redirectUrl, ...credentials(answer.body ?? {}, { method, authMethods }) };
}

/** The credentials of a registration response. */
function credentials(
  body: Readonly<Record<string, unknown>>,
  asked: { method: ClientAuthMethod; authMethods: readonly string[] | undefined },
): Omit<RegisteredClient, 'id' | 'redirectUrl'> {
  const secret = stringField(body, 'client_secret');
  if (secret === undefined) return { authMethod: 'none' };
  const given = stringField(body, 'token_endpoint_auth_method');
  const usable = given === 'none' || given === 'client_secret_basic' || given === 'client_secret_post';
  // A server that does not state the method may have ignored the request for `none`, unless it supports it.
  const unsaid = asked.method === 'none' && !asked.authMethods?.includes('none') ? 'client_secret_basic' : asked.method;
  const expires = Number(body.client_secret_expires_at);
  return {
    secret,
    authMethod: usable ? given : unsaid,
    ...(expires > 0 ? { expiresAt: expires * 1000 } : {}),
  };
}

function chooseMethod(offered: readonly string[] | undefined): ClientAuthMethod {
  if (offered === undefined || offered.includes('none')) return 'none';
  return offered.includes('client_secret_basic') || !offered.includes('client_secret_post')
    ? 'client_secret_basic'
    : 'client_secret_post';
}

/** Whether the redirect leads to a program on the user's machine. */
function isNative(redirectUrl: string): boolean {
  const url = new URL(redirectUrl);
  return !/^https?:$/.test(url.protocol) || isLoopback(url);
}
