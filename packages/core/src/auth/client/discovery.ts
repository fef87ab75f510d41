import { AuthError, sanitize } from '../auth-error.ts';
import { stringField, stringListField } from '../json-fields.ts';
import { hasDocument, type Remote } from '../remote.ts';
import { type AuthorizationServer, findOwnServer, findServerMetadata } from './server-metadata.ts';
import type { TokenStore } from './token-store.ts';

/** The result of discovery. */
export interface Discovered {
  readonly resource: string;
  readonly server: AuthorizationServer;
  readonly scopes: readonly string[] | undefined;
  /** Whether tokens must be bound to a key. */
  readonly dpop: boolean;
}

/** Input of discovery. */
export interface DiscoveryOptions {
  remote: Remote;
  store: TokenStore;
  url: string;
  challenge: Challenge;
  /** The authorization server that knows the client. */
  issuer: string | undefined;
}

/** Discovers the resource and its authorization server. */
export async function discover({ remote, store, url, challenge, issuer }: DiscoveryOptions): Promise<Discovered> {
  const found = await findResourceMetadata(remote, { url, announced: challenge.resourceMetadata });
  if (found === undefined) {
    const server = await findOwnServer(remote, url);
    assertKnownIssuer(server.issuer, issuer);
    return { resource: canonicalResource(url), server, scopes: undefined, dpop: false };
  }
  const chosen = await chooseIssuer(found.authorizationServers, { store, resource: found.resource, issuer });
  const server = await findServerMetadata(remote, chosen);
  return {
    resource: found.resource,
    server,
    scopes: found.scopes,
    dpop: server.dpop && (found.dpop || challenge.schemes.has('dpop')),
  };
}

/** Chooses an authorization server: the one that knows the client, else one with stored tokens, else the first. */
async function chooseIssuer(
  issuers: readonly string[],
  { store, resource, issuer }: { store: TokenStore; resource: string; issuer: string | undefined },
): Promise<string> {
  const [first = ''] = issuers;
  if (issuer !== undefined) {
    if (!issuers.includes(issuer)) assertKnownIssuer(first, issuer);
    return issuer;
  }
  for (const candidate of issuers) {
    if ((await store.get({ issuer: candidate, resource })) !== undefined) return candidate;
  }
  return first;
}

function assertKnownIssuer(actual: string, known: string | undefined): void {
  if (known === undefined || actual === known) return;
  throw new AuthError(
    'client_unknown',
    `The server's authorization server is ${sanitize(actual)}; the client's credentials are for ${sanitize(known)}`,
  );
}

/** The resource identifier of a server without metadata. */
function canonicalResource(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}

/** Protected resource metadata. */
export interface ResourceMetadata {
  /** The resource identifier, byte for byte, for token requests. */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[] | undefined;
  readonly dpop: boolean;
}

const wellKnown = '/.well-known/oauth-protected-resource';

/** Finds the metadata of the server at a URL; undefined if it has none, as in the first revisions. */
async function findResourceMetadata(
  remote: Remote,
  { url, announced }: { url: string; announced: string | undefined },
): Promise<ResourceMetadata | undefined> {
  if (announced !== undefined) {
    const answer = await remote.get(remote.check(announced, "URL of the server's metadata").href);
    if (answer.status !== 200 || answer.body === undefined) {
      throw new AuthError('invalid_answer', `No metadata at ${sanitize(announced)}, where the server said it is`);
    }
    return read(answer.body, url);
  }
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/$/, '');
  for (const place of new Set([`${origin}${wellKnown}${path}`, `${origin}${wellKnown}`])) {
    const answer = await remote.get(place);
    if (hasDocument(answer, place)) return read(answer.body, url);
  }
  return undefined;
}

function read(body: Readonly<Record<string, unknown>>, url: string): ResourceMetadata {
  const resource = stringField(body, 'resource');
  const authorizationServers = stringListField(body, 'authorization_servers') ?? [];
  if (resource === undefined || authorizationServers.length === 0) {
    throw new AuthError('invalid_answer', "The server's metadata must name its resource and an authorization server");
  }
  if (!covers(resource, url)) {
    throw new AuthError('resource_mismatch', `The server's metadata is about another one: ${sanitize(resource)}`);
  }
  return {
    resource,
    authorizationServers,
    scopes: stringListField(body, 'scopes_supported'),
    dpop: body.dpop_bound_access_tokens_required === true || Array.isArray(body.dpop_signing_alg_values_supported),
  };
}

/** Whether a resource identifier covers the URL. */
function covers(resource: string, url: string): boolean {
  if (!URL.canParse(resource) || resource.includes('#')) return false;
  const whole = new URL(resource);
  const part = new URL(url);
  const path = whole.pathname.replace(/\/$/, '');
  return (
    whole.origin === part.origin &&
    (part.pathname === path || part.pathname.startsWith(`${path}/`)) &&
    (whole.search === '' || whole.search === part.search)
  );
}

/** A parsed `WWW-Authenticate` challenge. */
export interface Challenge {
  /** The offered schemes, in lower case. */
  readonly schemes: ReadonlySet<string>;
  readonly resourceMetadata: string | undefined;
  readonly scope: string | undefined;
  readonly error: string | undefined;
}

const maxLength = 8192;
const gap = /[\s,]+/y;
const parameter = /([!#$%&'*+.^_`|~\w-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]+))/y;
const scheme = /([!#$%&'*+.^_`|~\w-]+)(?=[\s,]|$)/y;
const rest = /[^\s,]+/y;

/** Parses a `WWW-Authenticate` header. Uses the parameters of Bearer and DPoP challenges. */
export function readChallenge(header: string | undefined): Challenge {
  const text = (header ?? '').slice(0, maxLength);
  const schemes = new Set<string>();
  const found = new Map<string, string>();
  let current = '';
  let position = 0;
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match !== null) position = pattern.lastIndex;
    return match;
  };
  while (position < text.length) {
    if (next(gap) !== null) continue;
    const pair = next(parameter);
    if (pair !== null) {
      const [, name = '', quoted, plain = ''] = pair;
      const key = name.toLowerCase();
      if ((current === 'bearer' || current === 'dpop') && !found.has(key)) {
        found.set(key, quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1'));
      }
      continue;
    }
    const name = next(scheme)?.[1];
    if (name === undefined) next(rest);
    else schemes.add((current = name.toLowerCase()));
  }
  return {
    schemes,
    resourceMetadata: found.get('resource_metadata'),
    scope: found.get('scope'),
    error: found.get('error'),
  };
}
