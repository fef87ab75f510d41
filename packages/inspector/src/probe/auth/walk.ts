import { type Challenge, challengeAt, checkChallenge } from './challenge.ts';
import { type Document, look } from './document.ts';
import { DeadEnd, type Found } from './finding.ts';
import { checkSignIn, findIssuer, type Issuer } from './issuer.ts';
import { findKeys, type Jwk } from './keys.ts';
import { findResource, type Resource } from './resource.ts';

/** What was found on the way to a token, as far as that goes. */
export interface Walk {
  challenge: Challenge;
  resource?: Resource;
  issuer?: Issuer;
  keys: Jwk[];
}

/** Walks the way that clients go to a token. Undefined where a server wants none, or another kind of credentials. */
export async function walk(url: URL, headers: Record<string, string>, found: Found): Promise<Walk | undefined> {
  const challenge = await challengeAt(url, headers);
  if (!(await wantsTokens(url, challenge))) return undefined;
  const way: Walk = { challenge, keys: [] };
  checkChallenge(challenge, url, found);
  try {
    way.resource = await findResource(url, challenge, found);
    const { issuers, scopes } = way.resource;
    for (const each of issuers) {
      const issuer = await findIssuer(each, found);
      way.issuer ??= issuer;
      checkSignIn(issuer, challenge.scopes.length > 0 ? challenge.scopes : scopes, found);
      way.keys.push(...(await findKeys(issuer, found)));
    }
  } catch (error) {
    if (!(error instanceof DeadEnd)) throw error;
  }
  if (challenge.status === 401) await checkSlash(url, headers, found);
  noteBrowsers([way.resource?.document, way.issuer?.document], found);
  return way;
}

/** A challenge of tokens, or metadata at the place for it. An API key is asked for in other words. */
async function wantsTokens(url: URL, { schemes, metadata }: Challenge): Promise<boolean> {
  return schemes.includes('bearer') || schemes.includes('dpop') || metadata !== undefined || hasMetadata(url);
}

/** Whether a server says at a well-known place who gives tokens for it. */
export async function hasMetadata(url: URL): Promise<boolean> {
  const place = `${url.origin}/.well-known/oauth-protected-resource`;
  for (const each of new Set([`${place}${url.pathname.replace(/\/$/, '')}`, place])) {
    if ((await look(each)).fields?.authorization_servers !== undefined) return true;
  }
  return false;
}

/** Balancers often serve a path with a slash at its end otherwise than without. */
async function checkSlash(url: URL, headers: Record<string, string>, found: Found): Promise<void> {
  const step = 'slash';
  const other = new URL(url);
  other.pathname = url.pathname.endsWith('/') ? url.pathname.replace(/\/+$/, '') || '/' : `${url.pathname}/`;
  if (other.href === url.href) return;
  const { status } = await challengeAt(other, headers).catch(() => ({ status: 0 }));
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

/** Pages can't use a server whose documents they may not read. */
function noteBrowsers(documents: readonly (Document | undefined)[], found: Found): void {
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
