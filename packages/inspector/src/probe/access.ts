import type { HttpAuth } from '@ccmcp/core/client';
import type { Finding } from './auth/finding.ts';
import type { Walk } from './auth/walk.ts';
import { findEndpoint } from './endpoint.ts';
import { Problem, type Report } from './report.ts';
import type { ProbeTarget } from './target.ts';
import { probeTap } from './http.ts';
import type { ProbeWords } from './words.ts';

/** Headers that authorize requests, and a problem with the server's authorization. */
export interface Access {
  authorized: Record<string, string>;
  problem?: Problem;
}

type UrlTarget = Extract<ProbeTarget, { kind: 'url' }>;

/** Checks how to get access: runs OAuth discovery if the server requires a token, and checks the given token. */
export async function checkAccess(
  report: Report,
  { url: address, headers: given = {}, auth }: UrlTarget,
  words: ProbeWords,
): Promise<Access> {
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
    report.add(toStep(finding));
  };
  const discovery = await walk(url, headers, found);
  if (discovery === undefined) return { authorized: headers };
  const [broken] = faults;
  const problem = broken && toProblem('broken-sign-in', broken);
  const authorized = await withLogin(url, { way: discovery, headers, auth, words, found });
  const token = /^Bearer (.+)$/i.exec(authorization(authorized) ?? '')?.[1];
  if (token === undefined) {
    if (outcome === 'open') return { authorized, ...(problem && { problem }) };
    // The server may accept tokens that are issued in another way.
    if (discovery.resource === undefined && discovery.challenge.metadata === undefined) throw outcome;
    throw problem ?? signInProblem(url, outcome, words);
  }
  const tokenProblem = await checkGivenToken(token, { url, discovery, found, faults });
  const known = tokenProblem ?? problem;
  return { authorized, ...(known && { problem: known }) };
}

function toStep({ step, level, says, change }: Finding): Parameters<Report['add']>[0] {
  return {
    step,
    ok: level !== 'fault',
    says,
    ...(change !== undefined && { change }),
    ...(level === 'note' && { isNote: true as const }),
  };
}

function toProblem(
  kind: 'broken-sign-in' | 'bad-token',
  { says, change = 'See what is said of it above.' }: Finding,
): Problem {
  return new Problem(kind, says, change);
}

interface LoginContext {
  way: Walk;
  headers: Record<string, string>;
  auth: UrlTarget['auth'];
  words: ProbeWords;
  found: (finding: Finding) => void;
}

/** The given headers, or else those of the stored login. */
async function withLogin(
  url: URL,
  { way: discovery, headers, auth, words, found }: LoginContext,
): Promise<Record<string, string>> {
  if (authorization(headers) !== undefined) return headers;
  const login = await auth?.(probeTap.getStore() ?? { request: () => undefined });
  if (login === undefined) return headers;
  const change = words.login(url);
  try {
    const own = await loginHeaders(login, url, discovery.challenge.text);
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

/** Headers of a login; an unused login needs the challenge first. */
async function loginHeaders(login: HttpAuth, url: URL, challenge: string): Promise<Record<string, string>> {
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

/** Problem of a token, if any. */
async function checkGivenToken(
  token: string,
  {
    url,
    discovery,
    found,
    faults,
  }: { url: URL; discovery: Walk; found: LoginContext['found']; faults: readonly Finding[] },
): Promise<Problem | undefined> {
  const { checkToken } = await import('./auth/token.ts');
  const { resource, challenge, keys } = discovery;
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
  return first && toProblem('bad-token', first);
}

function signInProblem(url: URL, refusal: unknown, words: ProbeWords): Problem {
  const { kind, message } = refusal as Problem;
  return new Problem(kind, message, `Everything on the way to a token is as it must be. ${words.signIn(url)}`);
}
