import { AuthError, sanitize } from '../auth-error.ts';
import type { ClientAuthMethod, ClientIdentity } from '../client-identity.ts';
import { randomToken, sha256Digest } from '../jwt.ts';
import { stringField } from '../json-fields.ts';
import { isLoopback } from '../address-kind.ts';
import type { NamingServer } from '../remote.ts';
import type { Grant, GrantRequest } from './grant.ts';
import type { AuthorizationServer } from './server-metadata.ts';
import { rejection, requestTokens, type Tokens } from './token-endpoint.ts';
import type { StoredGrant } from './token-store.ts';

/** The parsed response of an authorization server, for applications that parse it themselves. */
export interface AuthorizationAnswer {
  code: string;
  iss?: string | undefined;
  state?: string | undefined;
}

/**
 * An authorization request, for an application whose redirect may arrive in another process: `completeAuthorization` redeems
 * its code there. Plain data, all of it secret.
 */
export interface PendingAuthorization {
  readonly server: AuthorizationServer;
  readonly namedBy: NamingServer;
  readonly client: ClientIdentity;
  readonly redirectUrl: string;
  /** True if the redirect URL is that of this authorization server alone. */
  readonly hasOwnRedirect: boolean;
  readonly verifier: string;
  readonly state: string;
  readonly resource: string;
  readonly scopes: readonly string[];
}

/**
 * Opens a URL for the user, and returns the redirect URL or its parsed contents. The URL is https or on this machine,
 * but untrusted: never pass it through a shell. `pending` is absent if tokens are bound to a key of this process.
 */
export type Authorize = (url: URL, pending?: PendingAuthorization) => Promise<URL | string | AuthorizationAnswer>;

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
    const current = await resolveDescription(description);
    const { identity, redirectUrl } = await resolveIdentity(current, request);
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
    const hasOwnRedirect = redirectUrl !== current.redirectUrl;
    const { namedBy } = remote;
    const sent = { server, namedBy, client: identity, redirectUrl, hasOwnRedirect, verifier, state, resource, scopes };
    const answer = await authorize(url, dpop === undefined ? sent : undefined);
    return redeemCode(sent, answer, { remote, dpop });
  }

  return {
    bound: client !== undefined,
    obtain,
    refreshedBy: (server, stored) => knownIdentity(description, { server, stored }),
  };
}

/** Validates the response to an authorization request, and redeems its code. */
export async function redeemCode(
  pending: PendingAuthorization,
  answer: URL | string | AuthorizationAnswer,
  { remote, dpop }: Pick<GrantRequest, 'remote' | 'dpop'>,
): Promise<Tokens> {
  const { server, client, redirectUrl, verifier, resource } = pending;
  const form = {
    grant_type: 'authorization_code',
    code: readAnswer(answer, pending),
    redirect_uri: redirectUrl,
    code_verifier: verifier,
    resource,
  };
  return requestTokens({ remote, server, client, form, dpop });
}

/** Validates the state and issuer of a response, and returns its code. */
function readAnswer(
  answer: URL | string | AuthorizationAnswer,
  { server, state, redirectUrl, hasOwnRedirect }: PendingAuthorization,
): string {
  if (typeof answer === 'string' || answer instanceof URL) {
    if (!URL.canParse(String(answer))) throw new AuthError('invalid_answer', 'What authorize() gave is not a URL');
    const { searchParams } = new URL(answer);
    if (hasOwnRedirect) assertRedirectTarget(new URL(answer), new URL(redirectUrl));
    const value = (name: string): string | undefined => searchParams.get(name) ?? undefined;
    if (value('state') !== state) throw stateMismatchError();
    assertIssuer(value('iss'), server);
    const code = value('code');
    const error = value('error');
    if (error !== undefined || code === undefined) throw rejectionError(error, value('error_description'));
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

function rejectionError(error: string | undefined, description: string | undefined): AuthError {
  const reason = [error ?? 'no code', description].filter((text) => text !== undefined).map(sanitize);
  return new AuthError('refused', `The authorization server rejected the request: ${reason.join(': ')}`, {
    oauthError: error,
  });
}

/** The description of a client. */
export interface ClientDescription {
  /** The redirect URL: https, loopback, or a custom scheme of the application. */
  redirectUrl: string;
  /** Returns the redirect URL when a sign-in begins, instead of `redirectUrl`: for a port that is found then. */
  resolveRedirectUrl?: () => Promise<string> | string;
  /**
   * Returns a separate redirect URL per issuer. Used to prevent mix-up attacks when the client registers at a server
   * that does not send `iss` in its responses.
   */
  redirectFor?: (issuer: string) => Promise<string> | string;
  /** The name of the application, for users. */
  clientName?: string;
  /** A client that the authorization server already knows; `issuer` says which server that is. */
  client?: ClientIdentity & { issuer?: string };
  /** The https URL of the application's client id metadata document: its id at servers that read such documents. */
  clientMetadataUrl?: string;
}

type RegisteredClient = NonNullable<StoredGrant['client']>;

/** The client's identity at the server, if it has one: configured, from a metadata document, or registered earlier. */
function knownIdentity(
  { client, clientMetadataUrl }: ClientDescription,
  { server, stored }: { server: AuthorizationServer; stored: StoredGrant },
): ClientIdentity | undefined {
  if (client !== undefined) return client;
  if (clientMetadataUrl !== undefined && server.readsClientMetadata)
    return { id: clientMetadataUrl, authMethod: 'none' };
  return stored.client;
}

/** The description with the redirect URL of this sign-in. */
async function resolveDescription(description: ClientDescription): Promise<ClientDescription> {
  const { redirectUrl, resolveRedirectUrl } = description;
  return { ...description, redirectUrl: (await resolveRedirectUrl?.()) ?? redirectUrl };
}

/** The client's identity and redirect URL for an authorization request. Registers the client if necessary. */
async function resolveIdentity(
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
    throw rejection('The authorization server did not register the client', answer, []);
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
