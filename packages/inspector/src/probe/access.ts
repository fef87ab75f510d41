import type { HttpAuth } from '@ccmcp/core/client';
import type { Finding } from './auth/finding.ts';
import type { OAuthDiscovery } from './auth/discovery.ts';
import { findEndpoint } from './endpoint.ts';
import { probeTap } from './http.ts';
import { Problem, type Report } from './report.ts';
import type { UrlTarget } from './target.ts';
import type { ProbeTexts } from './texts.ts';

/** Headers that authorize requests, and a problem with the server's authorization. */
export interface Access {
  authorized: Record<string, string>;
  problem?: Problem;
}

/** Checks how to get access: runs OAuth discovery if the server requires a token, and checks the given token. */
export async function checkAccess(
  report: Report,
  { url: address, headers: given = {}, auth }: UrlTarget,
  texts: ProbeTexts,
): Promise<Access> {
  const url = new URL(address);
  const headers = { ...given };
  const outcome = await findEndpoint(url, headers, texts).then(
    () => 'open' as const,
    (error: unknown) => error,
  );
  const isRejected = outcome instanceof Problem && (outcome.kind === 'unauthorized' || outcome.kind === 'forbidden');
  if (outcome !== 'open' && !isRejected) return { authorized: headers };
  const { hasMetadata, discoverOAuth } = await import('./auth/discovery.ts');
  if (outcome === 'open' && !(await hasMetadata(url))) return { authorized: headers };
  const faults: Finding[] = [];
  const addFinding = (finding: Finding): void => {
    if (finding.level === 'fault') faults.push(finding);
    report.add(toStep(finding));
  };
  const discovery = await discoverOAuth(url, headers, addFinding);
  if (discovery === undefined) return { authorized: headers };
  const [broken] = faults;
  const problem = broken && toProblem('broken-sign-in', broken);
  const authorized = await withLogin(url, { discovery, headers, auth, texts, addFinding });
  const token = /^Bearer (.+)$/i.exec(authorization(authorized) ?? '')?.[1];
  if (token === undefined) {
    if (outcome === 'open') return { authorized, ...(problem && { problem }) };
    // The server may accept tokens that are issued in another way.
    if (discovery.resource === undefined && discovery.challenge.metadata === undefined) throw outcome;
    throw problem ?? signInProblem(url, outcome, texts);
  }
  const tokenProblem = await checkGivenToken(token, { url, discovery, addFinding, faults });
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
  discovery: OAuthDiscovery;
  headers: Record<string, string>;
  auth: UrlTarget['auth'];
  texts: ProbeTexts;
  addFinding: (finding: Finding) => void;
}

/** The given headers, or else those of the stored login. */
async function withLogin(
  url: URL,
  { discovery, headers, auth, texts, addFinding }: LoginContext,
): Promise<Record<string, string>> {
  if (authorization(headers) !== undefined) return headers;
  const login = await auth?.(probeTap.getStore() ?? { request: () => undefined });
  if (login === undefined) return headers;
  const change = texts.login(url);
  try {
    const own = await loginHeaders(login, url, discovery.challenge.text);
    if (authorization(own) === undefined) {
      addFinding({
        step: 'login',
        level: 'note',
        says: 'the stored login for this server is no longer valid',
        change,
      });
      return headers;
    }
    addFinding({ step: 'login', level: 'ok', says: 'there is one for this server' });
    return { ...headers, ...own };
  } catch (error) {
    const { message, hint } = error as Error & { hint?: string };
    addFinding({ step: 'login', level: 'note', says: message, change: hint ?? change });
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
    addFinding,
    faults,
  }: { url: URL; discovery: OAuthDiscovery; addFinding: LoginContext['addFinding']; faults: readonly Finding[] },
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
    addFinding,
  );
  const first = faults[before];
  return first && toProblem('bad-token', first);
}

function signInProblem(url: URL, rejection: unknown, texts: ProbeTexts): Problem {
  const { kind, message } = rejection as Problem;
  return new Problem(kind, message, `Everything on the way to a token is as it must be. ${texts.signIn(url)}`);
}
