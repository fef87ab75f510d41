import type { StoredGrant } from '@ccmcp/core/client';
import { type Claims, readJwt, scopesIn } from '@ccmcp/inspector/probe';
import type { TargetCall } from '../client/context.ts';
import { Failure } from '../command/failure.ts';
import { type StoredLogin, openLoginStore } from '../client/sign-in/login-store.ts';
import type { Target } from '../client/connection/target.ts';

/** `ccmcp logout URL`: deletes the login for a server. */
export async function logout({ target, output }: TargetCall): Promise<number> {
  const kept = await findLogin(requireUrl('logout', target), output, () => undefined);
  await forget(kept);
  output.value({ forgotten: [kept.resource] }, () => `The login for ${kept.resource} is forgotten.`);
  return 0;
}

/** `ccmcp logout --all`: deletes every login. */
export async function logoutAll({ options, output }: Pick<TargetCall, 'options' | 'output'>): Promise<number> {
  const all = await allLogins(output);
  if (!options.all) {
    throw new Failure('usage', 'logout needs the URL of a server, or --all', {
      hint: all.length === 0 ? 'There are no logins.' : `There are logins for ${all.map(({ url }) => url).join(', ')}`,
    });
  }
  for (const kept of all) await forget(kept);
  output.value({ forgotten: all.map(({ resource }) => resource) }, () =>
    all.length === 1 ? 'One login is forgotten.' : `${all.length} logins are forgotten.`,
  );
  return 0;
}

/** `ccmcp whoami URL`: shows who the user is to a server. */
export async function whoami({ target, output }: TargetCall): Promise<number> {
  const kept = await findLogin(requireUrl('whoami', target), output, ({ href }) => `Sign in: ccmcp login ${href}`);
  const who = identityOf(kept, (await openLoginStore().get(kept)) ?? {});
  output.value(who, () => formatIdentity(who));
  return 0;
}

/** `ccmcp whoami`: shows every login. */
export async function whoamiAll({ output }: Pick<TargetCall, 'output'>): Promise<number> {
  const logins = openLoginStore();
  const known: Identity[] = [];
  for (const kept of await allLogins(output)) {
    known.push(identityOf(kept, (await logins.get(kept).catch(() => undefined)) ?? {}));
  }
  output.value({ logins: known }, () =>
    known.length === 0 ? 'There are no logins.' : known.map(formatIdentity).join('\n\n'),
  );
  return 0;
}

async function allLogins(output: TargetCall['output']): Promise<StoredLogin[]> {
  const { logins, problems } = await openLoginStore().list();
  for (const problem of problems) output.note(`Warning: ${problem}`);
  return logins;
}

async function findLogin(
  url: URL,
  output: TargetCall['output'],
  hintFor: (url: URL) => string | undefined,
): Promise<StoredLogin> {
  const { login, problems } = await openLoginStore().find(url);
  for (const problem of problems) output.note(`Warning: ${problem}`);
  if (login !== undefined) return login;
  throw new Failure('unauthorized', `There is no login for ${url.href}`, { hint: hintFor(url) });
}

/** Waits for a pending refresh, which would store the login again. */
function forget(kept: StoredLogin): Promise<void> {
  const logins = openLoginStore();
  return logins.exclusively(kept, () => logins.delete(kept));
}

/** The identity of the user at a server, without secrets. */
export interface Identity {
  server: string;
  /** Whether there is a token. */
  signedIn: boolean;
  issuer: string;
  /** The id of the user at the authorization server. */
  subject?: string;
  /** The display name of the user. */
  name?: string;
  client?: string;
  scopes?: string[];
  /** The expiry of the token. */
  expires?: string;
  /** Whether the login can be refreshed. */
  renewable: boolean;
  kept: string;
}

/** The identity in a login. An opaque token has none; the requested scopes are known anyway. */
export function identityOf(
  { resource, issuer, place, clientId }: StoredLogin,
  { tokens, client, scope }: StoredGrant,
): Identity {
  const { claims = {} } = readJwt(tokens?.accessToken ?? '') ?? {};
  const subject = textClaim(claims, 'sub', 'oid');
  const name = textClaim(claims, 'email', 'preferred_username', 'upn', 'name');
  const known = textClaim(claims, 'client_id', 'azp', 'appid', 'cid') ?? clientId ?? client?.id;
  const scopes = scopesIn(claims) ?? scope?.split(' ').filter((each) => each !== '');
  const ends = typeof claims.exp === 'number' ? claims.exp * 1000 : tokens?.expiresAt;
  return {
    server: resource,
    signedIn: tokens !== undefined,
    issuer,
    ...(subject !== undefined && { subject }),
    ...(name !== undefined && { name }),
    ...(known !== undefined && { client: known }),
    ...(scopes !== undefined && { scopes }),
    ...(ends !== undefined && isTime(ends) && { expires: new Date(ends).toISOString() }),
    renewable: tokens?.refreshToken !== undefined,
    kept: place,
  };
}

/** Formats an identity, a line for each fact. */
export function formatIdentity({
  server,
  signedIn,
  issuer,
  subject,
  name,
  client,
  scopes,
  expires,
  renewable,
  kept,
}: Identity): string {
  const rows: [string, string | undefined][] = [
    ['server', server],
    ['issuer', issuer],
    ['user', signedIn ? userText([name, subject]) : `not signed in, there is no token: ccmcp login ${server}`],
    ['client', client],
    ['scopes', scopes?.join(' ')],
    [
      'expires',
      signedIn ? [expires ?? 'unknown', renewable ? 'renewed automatically' : 'not renewable'].join(', ') : undefined,
    ],
    ['kept in', kept],
  ];
  return rows.flatMap(([title, value]) => (value ? [`${title.padEnd(8)} ${value}`] : [])).join('\n');
}

function userText(names: readonly (string | undefined)[]): string {
  return names.filter((text) => text !== undefined).join(', ') || 'unknown: the token is not a JWT';
}

function isTime(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}

/** A claim that is a string. */
function textClaim(claims: Claims, ...names: string[]): string | undefined {
  const values = names.map((name) => claims[name]);
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/** The URL of a target; logins are for URLs only. */
export function requireUrl(command: string, target: Target): URL {
  if (target.kind === 'url') return target.url;
  throw new Failure('usage', `${command} is for servers behind a URL: a command gets its credentials with --env`);
}
