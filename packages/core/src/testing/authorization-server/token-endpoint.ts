import { createHash, randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import type { Answer, RecordedRequest } from './http.ts';
import { type Draft, encodeJwt, nowInSeconds, overlay, type TestKey } from './jwt.ts';
import {
  type Granted,
  issuerOf,
  type KnownClient,
  type ScopeClaim,
  type ServerState,
  type TokenWish,
} from './options.ts';
import { applyFault } from './token-faults.ts';

const invalidGrant: Answer = { status: 400, json: { error: 'invalid_grant' } };

/** Answers a token request. */
export async function answerToken(state: ServerState, seen: RecordedRequest): Promise<Answer> {
  const form = new URLSearchParams(seen.body);
  const instead = await state.settings.onToken?.(form, seen);
  if (instead !== undefined) return instead;
  const client = await clientOf(state, seen);
  if (client === undefined) return { status: 401, json: { error: 'invalid_client' } };
  const proof = await proofKeyOf(state, seen);
  if ('rejection' in proof) return proof.rejection;
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(state, { form, client, jkt: proof.jkt });
    case 'refresh_token':
      return redeemRefreshToken(state, { form, client, jkt: proof.jkt });
    case 'client_credentials': {
      const granted = { client: client.id, subject: client.id, scope: form.get('scope') ?? '', jkt: proof.jkt };
      return issue(state, { ...granted, resource: form.get('resource') });
    }
    default:
      return { status: 400, json: { error: 'unsupported_grant_type' } };
  }
}

interface Request {
  form: URLSearchParams;
  client: KnownClient;
  jkt: string | undefined;
}

/** The thumbprint to bind the token to, if any. */
async function proofKeyOf(
  { settings, origin }: ServerState,
  { headers, method }: RecordedRequest,
): Promise<{ jkt?: string } | { rejection: Answer }> {
  const { dpop = 'accept', dpopNonce } = settings;
  const proof = headers.dpop;
  if (dpop === 'off' || (proof === undefined && dpop === 'accept')) return {};
  const checked = await checkProof(String(proof), { method, url: `${origin}/token`, nonce: dpopNonce });
  if ('jkt' in checked) return checked;
  const headersOut = dpopNonce === undefined ? {} : { 'DPoP-Nonce': dpopNonce };
  return { rejection: { status: 400, headers: headersOut, json: checked } };
}

function redeemCode(state: ServerState, { form, client, jkt }: Request): Answer {
  const code = form.get('code') ?? '';
  const question = state.codes.get(code);
  state.codes.delete(code);
  const verified = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const resource = form.get('resource');
  const good =
    question?.code_challenge === verified &&
    question.code_challenge_method === 'S256' &&
    question.client_id === client.id &&
    question.redirect_uri === form.get('redirect_uri') &&
    (question.resource ?? null) === resource;
  if (!good) return invalidGrant;
  const { subject = 'user-1' } = state.settings;
  return issue(state, { client: client.id, subject, scope: question.scope ?? '', resource, jkt }, randomUUID());
}

function redeemRefreshToken(state: ServerState, { form, client, jkt }: Request): Answer {
  const known = state.refreshTokens.get(form.get('refresh_token') ?? '');
  if (known === undefined) return invalidGrant;
  if (known.used) {
    for (const [token, { family }] of state.refreshTokens) {
      if (family === known.family) state.refreshTokens.delete(token);
    }
    return invalidGrant;
  }
  known.used = true;
  const good = known.client === client.id && known.resource === form.get('resource') && known.jkt === jkt;
  return good ? issue(state, known, known.family) : invalidGrant;
}

function issue(state: ServerState, granted: Granted, family?: string): Answer {
  const { settings, refreshTokens } = state;
  const { client, subject, scope, resource, jkt } = granted;
  const token = issueToken(state, {
    subject,
    clientId: client,
    scopes: scope === '' ? [] : scope.split(' '),
    ...(resource === null ? {} : { audience: resource }),
    ...(jkt === undefined ? {} : { boundTo: jkt }),
  });
  const refreshToken = `refresh-${randomUUID()}`;
  const isRefreshed = family !== undefined && settings.refreshTokens !== false;
  if (isRefreshed) refreshTokens.set(refreshToken, { ...granted, used: false, family });
  const { lifetime = 3600 } = settings;
  return {
    headers: { 'Cache-Control': 'no-store' },
    json: {
      access_token: token,
      token_type: jkt === undefined ? 'Bearer' : 'DPoP',
      ...(lifetime === null ? {} : { expires_in: lifetime }),
      ...(isRefreshed ? { refresh_token: refreshToken } : {}),
      ...(scope === '' ? {} : { scope }),
    },
  };
}

/** Issues a token. */
export function issueToken(state: ServerState, wish: TokenWish): string {
  const { settings, tokens, foreign, origin } = state;
  const draft = draftOf(state, wish);
  const made =
    wish.fault === undefined ? draft : applyFault(draft, wish.fault, { foreign, foreignKeys: `${origin}/foreign` });
  const token = (wish.opaque ?? settings.tokens === 'opaque') ? `token-${randomUUID()}` : encodeJwt(made);
  const { audience, scopes = [] } = wish;
  const resource = typeof audience === 'string' ? audience : (audience?.[0] ?? null);
  tokens.set(token, { scope: scopes.join(' '), resource, claims: made.claims });
  return token;
}

function draftOf(state: ServerState, wish: TokenWish): Draft {
  const { audience, subject = state.settings.subject ?? 'user-1', clientId = 'client-1', scopes, boundTo } = wish;
  const now = nowInSeconds();
  const key = keyFor(state, wish.algorithm);
  const claims = {
    iss: issuerOf(state),
    sub: subject,
    aud: audience,
    client_id: clientId,
    iat: now,
    exp: now + (wish.lifetime ?? state.settings.lifetime ?? 3600),
    jti: randomUUID(),
    ...(scopes === undefined ? {} : scopeFields[wish.scopeClaim ?? 'scope'](scopes)),
    cnf: boundTo === undefined ? undefined : { jkt: boundTo },
  };
  return {
    key,
    header: overlay({ alg: key.algorithm, typ: 'at+jwt', kid: key.id }, wish.header),
    claims: overlay(claims, wish.claims),
  };
}

const scopeFields: Readonly<Record<ScopeClaim, (scopes: readonly string[]) => Record<string, unknown>>> = {
  scope: (scopes) => ({ scope: scopes.join(' ') }),
  scp: (scopes) => ({ scp: scopes.join(' ') }),
  'scp-list': (scopes) => ({ scp: scopes }),
  permissions: (scopes) => ({ permissions: scopes }),
};

function keyFor({ keys }: ServerState, algorithm = keys.at(0)?.algorithm): TestKey {
  const key = keys.findLast((known) => known.algorithm === algorithm);
  if (key === undefined) {
    throw new TypeError(`This authorization server has no key for ${algorithm}: start it with that in its algorithms`);
  }
  return key;
}

type Method = NonNullable<KnownClient['method']>;

/** Registers a client. */
export function register({ clients, settings }: ServerState, { body }: RecordedRequest): Answer {
  const asked = JSON.parse(body) as { token_endpoint_auth_method?: Method; redirect_uris?: string[] };
  const { token_endpoint_auth_method: method = 'none', redirect_uris: redirectUris } = asked;
  const client: KnownClient = { id: `client-${clients.size + 1}`, method, ...(redirectUris && { redirectUris }) };
  if (method !== 'none') client.secret = `secret of ${client.id}`;
  clients.set(client.id, client);
  const json = { ...asked, client_id: client.id, ...(client.secret ? { client_secret: client.secret } : {}) };
  return { status: 201, json, ...settings.registration };
}

/** Authenticates the client of a token request. */
function clientOf({ clients, settings }: ServerState, seen: RecordedRequest): Promise<KnownClient | undefined> {
  return authenticateClient(seen, (id) => {
    const known = clients.get(id) ?? settings.clients?.find((client) => client.id === id);
    // A client id metadata document, which is not loaded here.
    return known ?? (id.startsWith('https://') ? { id, method: 'none' } : undefined);
  });
}

/** Authenticates the resource server of an introspection request. */
export async function isResourceServer({ settings }: ServerState, seen: RecordedRequest): Promise<boolean> {
  const { resourceServers = [{ id: 'resource-server', secret: 'secret' }] } = settings;
  const asker = await authenticateClient(seen, (wanted) => resourceServers.find(({ id }) => id === wanted));
  return asker !== undefined && (asker.secret !== undefined || asker.publicKey !== undefined);
}

/** Whether a redirect URI is registered; loopback ports may differ. */
export function isAllowedRedirect(client: KnownClient | undefined, redirectUri: string): boolean {
  return client?.redirectUris?.some((uri) => isSameRedirect(uri, redirectUri)) ?? true;
}

function isSameRedirect(one: string, other: string): boolean {
  const plain = (uri: string): string => uri.replace(/^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+/, 'http://$1');
  return plain(one) === plain(other);
}

async function authenticateClient(
  { headers, body }: RecordedRequest,
  find: (id: string) => KnownClient | undefined,
): Promise<KnownClient | undefined> {
  const form = new URLSearchParams(body);
  const assertion = form.get('client_assertion');
  if (assertion !== null) return verifyAssertion(assertion, find);
  const header = headers.authorization;
  const isBasic = header?.startsWith('Basic ') === true;
  const [id = '', secret] = isBasic
    ? Buffer.from(header.slice(6), 'base64').toString().split(':').map(decodeURIComponent)
    : [form.get('client_id') ?? '', form.get('client_secret') ?? undefined];
  const method: Method = isBasic ? 'client_secret_basic' : secret === undefined ? 'none' : 'client_secret_post';
  const client = find(id);
  return client !== undefined && (client.method ?? method) === method && client.secret === secret ? client : undefined;
}

async function verifyAssertion(
  assertion: string,
  find: (id: string) => KnownClient | undefined,
): Promise<KnownClient | undefined> {
  const { decodeJwt, jwtVerify } = await import('jose');
  try {
    const client = find(String(decodeJwt(assertion).sub));
    if (client?.publicKey === undefined) return undefined;
    await jwtVerify(assertion, client.publicKey as JWK);
    return client;
  } catch {
    return undefined;
  }
}

/** Checks a DPoP proof; returns the thumbprint of its key or an error. */
async function checkProof(
  proof: string,
  { method, url, nonce }: { method: string; url: string; nonce: string | undefined },
): Promise<{ jkt: string } | { error: string }> {
  const { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } = await import('jose');
  try {
    const terms = { typ: 'dpop+jwt', maxTokenAge: 300, clockTolerance: 5, requiredClaims: ['jti'] };
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, terms);
    if (payload.htm !== method || payload.htu !== url) return { error: 'invalid_dpop_proof' };
    if (nonce !== undefined && payload.nonce !== nonce) return { error: 'use_dpop_nonce' };
    return { jkt: await calculateJwkThumbprint(protectedHeader.jwk ?? {}) };
  } catch {
    return { error: 'invalid_dpop_proof' };
  }
}
