import { AuthError, sanitize } from '../auth-error.ts';
import type { Challenge } from './challenge.ts';
import type { Remote } from '../remote.ts';
import { findResourceMetadata } from './resource-metadata.ts';
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
