import { type Challenge, checkChallenge, requestChallenge } from './challenge.ts';
import { type Document, fetchDocument } from './document.ts';
import { DiscoveryFailed, type OnFinding } from './finding.ts';
import { checkMetadata, findIssuer, findKeys, type Issuer, type Jwk } from './issuer.ts';
import { findResource, type Resource } from './resource.ts';

/** Result of OAuth discovery. */
export interface OAuthDiscovery {
  challenge: Challenge;
  resource?: Resource;
  issuer?: Issuer;
  keys: Jwk[];
}

/** Runs OAuth discovery as clients do. Undefined if the server needs no token, or another kind of credentials. */
export async function discoverOAuth(
  url: URL,
  headers: Record<string, string>,
  found: OnFinding,
): Promise<OAuthDiscovery | undefined> {
  const challenge = await requestChallenge(url, headers);
  if (!(await usesTokens(url, challenge))) return undefined;
  const discovery: OAuthDiscovery = { challenge, keys: [] };
  checkChallenge(challenge, url, found);
  try {
    discovery.resource = await findResource(url, challenge, found);
    const { issuers, scopes } = discovery.resource;
    for (const each of issuers) {
      const issuer = await findIssuer(each, found);
      discovery.issuer ??= issuer;
      checkMetadata(issuer, challenge.scopes.length > 0 ? challenge.scopes : scopes, found);
      discovery.keys.push(...(await findKeys(issuer, found)));
    }
  } catch (error) {
    if (!(error instanceof DiscoveryFailed)) throw error;
  }
  if (challenge.status === 401) await checkSlash(url, headers, found);
  checkCors([discovery.resource?.document, discovery.issuer?.document], found);
  return discovery;
}

/** Whether the server uses tokens: a bearer challenge, or metadata at a well-known URL. API keys have neither. */
async function usesTokens(url: URL, { schemes, metadata }: Challenge): Promise<boolean> {
  return schemes.includes('bearer') || schemes.includes('dpop') || metadata !== undefined || hasMetadata(url);
}

/** Whether a server publishes its authorization servers at a well-known URL. */
export async function hasMetadata(url: URL): Promise<boolean> {
  const place = `${url.origin}/.well-known/oauth-protected-resource`;
  for (const each of new Set([`${place}${url.pathname.replace(/\/$/, '')}`, place])) {
    if ((await fetchDocument(each)).fields?.authorization_servers !== undefined) return true;
  }
  return false;
}

/** Load balancers often route a trailing slash differently. */
async function checkSlash(url: URL, headers: Record<string, string>, found: OnFinding): Promise<void> {
  const step = 'slash';
  const other = new URL(url);
  other.pathname = url.pathname.endsWith('/') ? url.pathname.replace(/\/+$/, '') || '/' : `${url.pathname}/`;
  if (other.href === url.href) return;
  const { status } = await requestChallenge(other, headers).catch(() => ({ status: 0 }));
  if (status === 401) {
    found({ step, level: 'ok', says: `${other.pathname} answers as ${url.pathname} does` });
    return;
  }
  const how = status === 0 ? 'is not answered' : `is answered with ${status}`;
  const says = `${other.pathname} ${how}, ${url.pathname} with 401: some clients add or drop the slash`;
  found({
    step,
    level: 'note',
    says,
    change: 'the path of the server, and of the balancer before it: with and without a slash',
  });
}

/** Browser clients need CORS on the documents. */
function checkCors(documents: readonly (Document | undefined)[], found: OnFinding): void {
  const step = 'browsers';
  const known = documents.flatMap((each) => each ?? []);
  const closed = known.filter(({ open }) => !open);
  for (const { url } of closed) {
    found({
      step,
      level: 'note',
      says: `pages may not read ${url}`,
      change: 'Access-Control-Allow-Origin: * on that document',
    });
  }
  if (known.length > 0 && closed.length === 0) found({ step, level: 'ok', says: 'pages may read all documents' });
}
