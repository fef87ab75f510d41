import { AuthError, sanitize } from '../auth-error.ts';
import type { Challenge } from './challenge.ts';
import type { Remote } from '../remote.ts';
import { findResourceMetadata } from './resource-metadata.ts';
import { type AuthorizationServer, findOwnServer, findServerMetadata } from './server-metadata.ts';
import type { TokenStore } from './token-store.ts';

/** What a server that refused a request wants, and who gives it. */
export interface Discovered {
  readonly resource: string;
  readonly server: AuthorizationServer;
  readonly scopes: readonly string[] | undefined;
  /** Whether tokens shall be bound to a key. */
  readonly dpop: boolean;
}

/** What is known before the authorization server is found. */
export interface DiscoveryOptions {
  remote: Remote;
  store: TokenStore;
  url: string;
  challenge: Challenge;
  /** The authorization server that the client is known to. */
  issuer: string | undefined;
}

/** Finds out for which resource a token is wanted, and from which authorization server. */
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

/** Of several authorization servers: the one the client is known to, else one that has given something, else the first. */
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

/** The name of a server that gives itself none. */
function canonicalResource(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}
