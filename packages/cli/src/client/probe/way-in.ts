import type { Opening } from '../open.ts';
import { Failure } from '../failure.ts';
import type { Finding } from './auth/finding.ts';
import type { Walk } from './auth/walk.ts';
import { findEndpoint } from './endpoint.ts';
import { Problem, type Report } from './report.ts';

/** The headers by which a server lets us in, and what is wrong with how it gives tokens. */
export interface WayIn {
  authorized: Record<string, string>;
  problem?: Problem;
}

/** Finds the way into a server: walks the way to a token where it wants one, and looks at the token that there is. */
export async function findWayIn(report: Report, url: URL, opening: Opening): Promise<WayIn> {
  const { headers } = opening.options;
  const outcome = await findEndpoint(url, headers).then(
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
  const authorized = await withLogin(url, { way, opening, found });
  const token = /^Bearer (.+)$/i.exec(authorization(authorized) ?? '')?.[1];
  if (token === undefined) {
    if (outcome === 'open') return { authorized, ...(problem && { problem }) };
    // It may take tokens that are handed out in another way.
    if (way.resource === undefined && way.challenge.metadata === undefined) throw outcome;
    throw problem ?? signInWanted(url, outcome);
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
  opening: Opening;
  found: (finding: Finding) => void;
}

/** The headers that were given, or else those of the login that is kept for the server. */
async function withLogin(url: URL, { way, opening, found }: Surroundings): Promise<Record<string, string>> {
  const { headers } = opening.options;
  if (authorization(headers) !== undefined) return headers;
  const { signIn } = await import('../sign-in.ts');
  const auth = await signIn({ output: opening.output, url, attended: false });
  if (auth === undefined) return headers;
  try {
    const { text } = way.challenge;
    await auth.unauthorized({ status: 401, url: url.href, wwwAuthenticate: text === '' ? undefined : text });
    const own = await auth.headers({ url: url.href, method: 'POST' });
    found({ step: 'login', level: 'ok', says: 'there is one for this server' });
    return { ...headers, ...own };
  } catch (error) {
    const { message } = error as Error;
    const hint = error instanceof Failure ? error.hint : undefined;
    found({ step: 'login', level: 'note', says: message, change: hint ?? `ccmcp login ${url.href}` });
    return headers;
  }
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

function signInWanted({ href }: URL, refusal: unknown): Problem {
  const { kind, message } = refusal as Problem;
  const advice = `Everything on the way to a token is as it must be. Sign in with "ccmcp login ${href}", or give a token with --token-env NAME.`;
  return new Problem(kind, message, advice);
}
