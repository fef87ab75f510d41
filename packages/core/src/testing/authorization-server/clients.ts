import { createPublicKey } from 'node:crypto';
import type { ServerState } from './server-state.ts';
import type { Answer, Seen } from './http.ts';
import { decodeJwt } from './jwt.ts';
import { isAlgorithm, verifySignature } from './keys.ts';
import type { KnownClient } from './settings.ts';

type Method = NonNullable<KnownClient['method']>;

/** Registers a client. */
export function register({ clients, settings }: ServerState, { body }: Seen): Answer {
  const asked = JSON.parse(body) as { token_endpoint_auth_method?: Method; redirect_uris?: string[] };
  const { token_endpoint_auth_method: method = 'none', redirect_uris: redirectUris } = asked;
  const client: KnownClient = { id: `client-${clients.size + 1}`, method, ...(redirectUris && { redirectUris }) };
  if (method !== 'none') client.secret = `secret of ${client.id}`;
  clients.set(client.id, client);
  const json = { ...asked, client_id: client.id, ...(client.secret ? { client_secret: client.secret } : {}) };
  return { status: 201, json, ...settings.registration };
}

/** Authenticates the client of a token request. */
export function clientOf({ clients, settings }: ServerState, seen: Seen): KnownClient | undefined {
  return authenticateClient(seen, (id) => {
    const known = clients.get(id) ?? settings.clients?.find((client) => client.id === id);
    // A client id metadata document, which is not loaded here.
    return known ?? (id.startsWith('https://') ? { id, method: 'none' } : undefined);
  });
}

/** Authenticates the resource server of an introspection request. */
export function isResourceServer({ settings }: ServerState, seen: Seen): boolean {
  const { resourceServers = [{ id: 'resource-server', secret: 'secret' }] } = settings;
  const asker = authenticateClient(seen, (wanted) => resourceServers.find(({ id }) => id === wanted));
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

function authenticateClient(
  { headers, body }: Seen,
  find: (id: string) => KnownClient | undefined,
): KnownClient | undefined {
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

function verifyAssertion(assertion: string, find: (id: string) => KnownClient | undefined): KnownClient | undefined {
  const parts = decodeJwt(assertion);
  const client = find(String(parts?.claims.sub));
  const algorithm = parts?.header.alg;
  if (parts === undefined || client?.publicKey === undefined || !isAlgorithm(algorithm)) return undefined;
  const publicKey = createPublicKey({ key: client.publicKey, format: 'jwk' });
  return verifySignature(parts.content, parts.signature, { algorithm, publicKey }) ? client : undefined;
}
