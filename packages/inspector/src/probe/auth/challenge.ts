import { type Answer, ask } from '../http.ts';
import { unsafety } from './document.ts';
import type { Found } from './finding.ts';

/** What a server says to whoever sends no token. */
export interface Challenge {
  status: number;
  /** The whole header. */
  text: string;
  /** The schemes that it offers, in lower case. */
  schemes: readonly string[];
  metadata: string | undefined;
  scopes: readonly string[];
  /** How far the server's clock is ahead of ours, in milliseconds, as far as its answer tells. */
  aheadMs: number;
}

const patienceMs = 10_000;
const question = { jsonrpc: '2.0', id: 'probe', method: 'ping' };

/** Calls without a token, as every client does first. */
export async function challengeAt(url: URL, headers: Record<string, string>): Promise<Challenge> {
  const bare = Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:authorization|dpop)$/i.test(name)));
  const answer = await ask(url, { method: 'POST', headers: bare, body: question, patienceMs });
  return readChallenge(answer);
}

function readChallenge({ status, headers }: Pick<Answer, 'status' | 'headers'>): Challenge {
  const text = headers['www-authenticate'] ?? '';
  const scope = parameter(text, 'scope') ?? '';
  return {
    status,
    text,
    schemes: Array.from(text.matchAll(/(?:^|,)\s*([A-Za-z][\w-]*)(?=\s|,|$)(?!\s*=)/g), ([, name = '']) =>
      name.toLowerCase(),
    ),
    aheadMs: ahead(headers.date),
    metadata: parameter(text, 'resource_metadata'),
    scopes: scope.split(' ').filter((each) => each !== ''),
  };
}

/** A header has whole seconds, and an answer takes a while. */
function ahead(date: string | undefined): number {
  const difference = Date.parse(date ?? '') - Date.now();
  return Math.abs(difference) > 5000 ? difference : 0;
}

/** Says what is wrong with a challenge. */
export function checkChallenge({ status, text, schemes, metadata, scopes }: Challenge, url: URL, found: Found): void {
  const step = 'challenge';
  const wanted = `WWW-Authenticate: Bearer resource_metadata="${wellKnownFor(url)}"`;
  if (status !== 401) {
    found({
      step,
      level: 'ok',
      says: `a call without a token is answered with ${status}: some of it is for everybody`,
    });
    return;
  }
  if (text === '') {
    const says = 'it refuses with 401, but has no WWW-Authenticate header: clients do not learn where to sign in';
    found({ step, level: 'fault', says, change: `send ${wanted}` });
  } else if (!schemes.includes('bearer') && !schemes.includes('dpop')) {
    const says = `its WWW-Authenticate offers ${schemes.join(', ') || 'no scheme'}, and no Bearer`;
    found({ step, level: 'fault', says, change: `send ${wanted}` });
  } else if (metadata === undefined) {
    const says = 'its WWW-Authenticate has no resource_metadata: clients must guess where its metadata is';
    found({ step, level: 'fault', says, change: `send ${wanted}` });
  } else if (unsafety(metadata) !== undefined) {
    const says = `its resource_metadata can't be used: ${unsafety(metadata)}`;
    found({ step, level: 'fault', says, change: `send ${wanted}` });
  } else if (new URL(metadata).origin !== url.origin) {
    const says = `its resource_metadata leads to ${new URL(metadata).origin}, not to ${url.origin}`;
    const change = `send ${wanted}; behind a proxy, say the public address (the resource option)`;
    found({ step, level: 'note', says, change });
  } else {
    const asked = scopes.length === 0 ? 'no scope' : `the scope ${scopes.join(' ')}`;
    found({ step, level: 'ok', says: `401 names the metadata, and ${asked}` });
  }
}

/** Where the metadata of a server is, by the standard. */
export function wellKnownFor({ origin, pathname }: URL): string {
  return `${origin}/.well-known/oauth-protected-resource${pathname.replace(/\/$/, '')}`;
}

function parameter(challenge: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))`, 'i').exec(challenge);
  return found?.[1]?.replaceAll(/\\(.)/g, '$1') ?? found?.[2];
}
