import type { HttpAuth } from '@ccmcp/core/client';
import type { Finding } from './auth/finding.ts';
import type { Walk } from './auth/walk.ts';
import { findEndpoint } from './endpoint.ts';
import { Problem, type Report } from './report.ts';
import type { ProbeTarget } from './target.ts';
import { probeTap } from './http.ts';
import type { ProbeWords } from './words.ts';

/** The headers by which a server lets us in, and what is wrong with how it gives tokens. */
export interface WayIn {
  authorized: Record<string, string>;
  problem?: Problem;
}

type UrlTarget = Extract<ProbeTarget, { kind: 'url' }>;

/** Finds the way into a server: walks the way to a token where it wants one, and looks at the token that there is. */
export async function findWayIn(
  report: Report,
  { url: address, headers: given = {}, auth }: UrlTarget,
  words: ProbeWords,
): Promise<WayIn> {
  const url = new URL(address);
  const headers = { ...given };
  const outcome = await findEndpoint(url, headers, words).then(
    () => 'open' as const,
    (error: unknown) => error,
  );
  const isRefused = outcome instanceof Problem && (outcome.kind === 'unauthorized' || outcome.kind === 'forbidden');
  if (outcome !== 'open' && !isRefused) return { authorized: headers };
  const { hasMetadata, walk } = await import('./auth/walk.ts');
  if (outcome === 'open' && !(await hasMetadata(url))) return { authorized: headers };
  const faults: Finding[] = [];
  const found = (finding: Finding): void => {
    if (finding.level === 'fault') faults.push(finding);
    report.add(stepOf(finding));
  };
  const way = await walk(url, headers, found);
  if (way === undefined) return { authorized: headers };
  const [broken] = faults;
  const problem = broken && problemOf('broken-sign-in', broken);
  const authorized = await withLogin(url, { way, headers, auth, words, found });
  const token = /^Bearer (.+)$/i.exec(authorization(authorized) ?? '')?.[1];
  if (token === undefined) {
    if (outcome === 'open') return { authorized, ...(problem && { problem }) };
    // It may take tokens that are handed out in another way.
    if (way.resource === undefined && way.challenge.metadata === undefined) throw outcome;
    throw problem ?? signInWanted(url, outcome, words);
  }
  const tokenProblem = await lookAt(token, { url, way, found, faults });
  const known = tokenProblem ?? problem;
  return { authorized, ...(known && { problem: known }) };
}

function stepOf({ step, level, says, change }: Finding): Parameters<Report['add']>[0] {
  return {
    step,
    ok: level !== 'fault',
    says,
    ...(change !== undefined && { change }),
    ...(level === 'note' && { isNote: true as const }),
  };
}

function problemOf(
  kind: 'broken-sign-in' | 'bad-token',
  { says, change = 'See what is said of it above.' }: Finding,
): Problem {
  return new Problem(kind, says, change);
}

interface Surroundings {
  way: Walk;
  headers: Record<string, string>;
  auth: UrlTarget['auth'];
  words: ProbeWords;
  found: (finding: Finding) => void;
}

/** The headers that were given, or else those of the login that is kept for the server. */
async function withLogin(
  url: URL,
  { way, headers, auth, words, found }: Surroundings,
): Promise<Record<string, string>> {
  if (authorization(headers) !== undefined) return headers;
  const login = await auth?.(probeTap.getStore() ?? { request: () => undefined });
  if (login === undefined) return headers;
  const change = words.login(url);
  try {
    const own = await headersOf(login, url, way.challenge.text);
    if (authorization(own) === undefined) {
      found({
        step: 'login',
        level: 'note',
        says: 'the one that there is for this server does not do any more',
        change,
      });
      return headers;
    }
    found({ step: 'login', level: 'ok', says: 'there is one for this server' });
    return { ...headers, ...own };
  } catch (error) {
    const { message, hint } = error as Error & { hint?: string };
    found({ step: 'login', level: 'note', says: message, change: hint ?? change });
    return headers;
  }
}

/** What a login sends; one that has not been used yet has to be told first what is wanted. */
async function headersOf(login: HttpAuth, url: URL, challenge: string): Promise<Record<string, string>> {
  const request = { url: url.href, method: 'POST' as const };
  const known = await login.headers(request);
  if (authorization(known) !== undefined) return known;
  await login.unauthorized({ status: 401, url: url.href, wwwAuthenticate: challenge === '' ? undefined : challenge });
  return login.headers(request);
}

function authorization(headers: Readonly<Record<string, string>>): string | undefined {
  const name = Object.keys(headers).find((each) => /^authorization$/i.test(each));
  return name === undefined ? undefined : headers[name];
}

/** What is wrong with a token, if anything. */
async function lookAt(
  token: string,
  { url, way, found, faults }: { url: URL; way: Walk; found: Surroundings['found']; faults: readonly Finding[] },
): Promise<Problem | undefined> {
  const { checkToken } = await import('./auth/token.ts');
  const { resource, challenge, keys } = way;
  const before = faults.length;
  checkToken(
    token,
    {
      resource: resource?.resource ?? url.href,
      issuers: resource?.issuers ?? [],
      keys,
      scopes: challenge.scopes,
      aheadMs: challenge.aheadMs,
    },
    found,
  );
  const first = faults[before];
  return first && problemOf('bad-token', first);
}

function signInWanted(url: URL, refusal: unknown, words: ProbeWords): Problem {
  const { kind, message } = refusal as Problem;
  return new Problem(kind, message, `Everything on the way to a token is as it must be. ${words.signIn(url)}`);
}
