import type { StoredGrant } from '@ccmcp/core/client';
import { type Claims, readJwt, scopesIn } from '@ccmcp/inspector/probe';
import type { StoredLogin } from './login-store.ts';

/** The identity of the user at a server, without secrets. */
export interface Identity {
  server: string;
  /** Whether there is a token. */
  signedIn: boolean;
  issuer: string;
  /** As the authorization server calls them. */
  subject?: string;
  /** As people call them. */
  name?: string;
  client?: string;
  scopes?: string[];
  /** When the token ends. */
  expires?: string;
  /** Whether the login is renewed by itself. */
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
      signedIn ? [expires ?? 'not said', renewable ? 'renewed by itself' : 'not renewable'].join(', ') : undefined,
    ],
    ['kept in', kept],
  ];
  return rows.flatMap(([title, value]) => (value ? [`${title.padEnd(8)} ${value}`] : [])).join('\n');
}

function userText(names: readonly (string | undefined)[]): string {
  return names.filter((text) => text !== undefined).join(', ') || 'not said: the token is not a JWT';
}

function isTime(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}

/** A claim that is a text. */
function textClaim(claims: Claims, ...names: string[]): string | undefined {
  const values = names.map((name) => claims[name]);
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}
