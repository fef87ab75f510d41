import { type RawResponse, sendRequest } from '../http.ts';
import { urlProblem } from './document.ts';
import type { OnFinding } from './finding.ts';

/** The server's response to a request without a token. */
export interface Challenge {
  status: number;
  /** The whole header. */
  text: string;
  /** Offered schemes, in lower case. */
  schemes: readonly string[];
  metadata: string | undefined;
  scopes: readonly string[];
  /** How far the server's clock is ahead of ours, in milliseconds, according to its Date header. */
  aheadMs: number;
}

const timeoutMs = 10_000;
const question = { jsonrpc: '2.0', id: 'probe', method: 'ping' };

/** Sends a request without a token, as every client does first. */
export async function requestChallenge(url: URL, headers: Record<string, string>): Promise<Challenge> {
  const bare = Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:authorization|dpop)$/i.test(name)));
  const answer = await sendRequest(url, { method: 'POST', headers: bare, body: question, timeoutMs });
  return readChallenge(answer);
}

function readChallenge({ status, headers }: Pick<RawResponse, 'status' | 'headers'>): Challenge {
  const text = headers['www-authenticate'] ?? '';
  const scope = parseParameter(text, 'scope') ?? '';
  return {
    status,
    text,
    schemes: Array.from(text.matchAll(/(?:^|,)\s*([A-Za-z][\w-]*)(?=\s|,|$)(?!\s*=)/g), ([, name = '']) =>
      name.toLowerCase(),
    ),
    aheadMs: clockOffset(headers.date),
    metadata: parseParameter(text, 'resource_metadata'),
    scopes: scope.split(' ').filter((each) => each !== ''),
  };
}

/** Ignores small offsets: the header has whole seconds, and responses take time. */
function clockOffset(date: string | undefined): number {
  const difference = Date.parse(date ?? '') - Date.now();
  return Math.abs(difference) > 5000 ? difference : 0;
}

/** Reports problems of a challenge. */
export function checkChallenge(
  { status, text, schemes, metadata, scopes }: Challenge,
  url: URL,
  found: OnFinding,
): void {
  const step = 'challenge';
  const wanted = `WWW-Authenticate: Bearer resource_metadata="${wellKnownUrl(url)}"`;
  if (status !== 401) {
    found({
      step,
      level: 'ok',
      says: `a call without a token is answered with ${status}: some of it is for everybody`,
    });
    return;
  }
  if (text === '') {
    const says = 'it rejects with 401, but has no WWW-Authenticate header: clients do not learn where to sign in';
    found({ step, level: 'fault', says, change: `send ${wanted}` });
  } else if (!schemes.includes('bearer') && !schemes.includes('dpop')) {
    const says = `its WWW-Authenticate offers ${schemes.join(', ') || 'no scheme'}, and no Bearer`;
    found({ step, level: 'fault', says, change: `send ${wanted}` });
  } else if (metadata === undefined) {
    const says = 'its WWW-Authenticate has no resource_metadata: clients must guess where its metadata is';
    found({ step, level: 'fault', says, change: `send ${wanted}` });
  } else if (urlProblem(metadata) !== undefined) {
    const says = `its resource_metadata can't be used: ${urlProblem(metadata)}`;
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

/** Well-known URL of a server's metadata (RFC 9728). */
export function wellKnownUrl({ origin, pathname }: URL): string {
  return `${origin}/.well-known/oauth-protected-resource${pathname.replace(/\/$/, '')}`;
}

function parseParameter(challenge: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))`, 'i').exec(challenge);
  return found?.[1]?.replaceAll(/\\(.)/g, '$1') ?? found?.[2];
}
