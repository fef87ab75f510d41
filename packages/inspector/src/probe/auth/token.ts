import { constants, createPublicKey, verify, type VerifyKeyObjectInput } from 'node:crypto';
import { type OnFinding, quote } from './finding.ts';
import type { Jwk } from './issuer.ts';
import { isSameResource } from './resource.ts';
import { isRecord, tryParseJson } from '../../shared/json.ts';

/** What a token is checked against. */
export interface TokenContext {
  resource: string;
  issuers: readonly string[];
  keys: readonly Jwk[];
  /** Scopes that the server requires at least. */
  scopes: readonly string[];
  /** How far the server's clock is ahead of ours, in milliseconds. */
  aheadMs: number;
}

const leewayMs = 30_000;

/** Checks a token without any request. Findings never contain the token. */
export function checkToken(token: string, context: TokenContext, found: OnFinding): boolean {
  const step = 'token';
  const parts = readJwt(token);
  if (parts === undefined) {
    const says = 'it means something to its issuer alone (it is no JWT): the server has to ask there';
    found({ step, level: 'note', says });
    return true;
  }
  const faults = [
    ...algorithmFaults(parts.header),
    ...issuerFaults(parts.claims, context),
    ...audienceFaults(parts.claims, context),
    ...timeFaults(parts.claims, context),
    ...keyFaults(token, parts.header, context),
    ...kindFaults(parts.header, parts.claims),
    ...scopeFaults(parts.claims, context),
  ];
  for (const [says, change] of faults) found({ step, level: 'fault', says, change });
  if (faults.length === 0)
    found({ step, level: 'ok', says: 'nothing is wrong with it, as far as can be seen from here' });
  return faults.length === 0;
}

type Fault = readonly [says: string, change: string];

function algorithmFaults({ alg }: Claims): Fault[] {
  if (typeof alg === 'string' && Object.hasOwn(algorithms, alg)) return [];
  const change = 'sign tokens by ES256, RS256, PS256 or EdDSA at the authorization server';
  return [[`its algorithm (alg) is ${quote(alg)}, which no server may take from a key set`, change]];
}

function issuerFaults({ iss }: Claims, { issuers }: TokenContext): Fault[] {
  if (typeof iss === 'string' && issuers.includes(iss)) return [];
  const change = 'use a token of that issuer; or authorization_servers, and the issuer of the server, to the letter';
  return [[`its issuer (iss) is ${quote(iss)}, the server takes tokens of ${issuers.join(', ')}`, change]];
}

function audienceFaults({ aud }: Claims, { resource }: TokenContext): Fault[] {
  const all: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (all.some((each) => typeof each === 'string' && isSameResource(each, resource))) return [];
  const change = `ask for the token with resource=${resource}; where the provider puts something else there, the server's audience option`;
  return [[`it is for (aud) ${quote(aud ?? 'nobody')}, the server is ${resource}`, change]];
}

function timeFaults({ exp, nbf, iat }: Claims, { aheadMs }: TokenContext): Fault[] {
  const now = Date.now() + aheadMs;
  const clock =
    Math.abs(aheadMs) > leewayMs
      ? `; the server's clock is ${formatAge(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} this one`
      : '';
  const ago = (ms: number): string => formatAge(now - ms);
  if (typeof exp !== 'number') return [['it does not say when it ends (exp)', 'let the authorization server set exp']];
  if (exp * 1000 <= now - leewayMs)
    return [[`it has expired (exp), ${ago(exp * 1000)} ago${clock}`, 'get a new token']];
  const [name, time] = [['nbf', nbf] as const, ['iat', iat] as const].find(
    ([, value]) => typeof value === 'number' && value * 1000 > now + leewayMs,
  ) ?? ['', 0];
  if (name === '') return [];
  const change = 'synchronize the clocks of the server and the issuer';
  return [[`it is of the future (${name}), by ${formatAge(Number(time) * 1000 - now)}${clock}`, change]];
}

function keyFaults(token: string, { alg, kid }: Claims, { keys }: TokenContext): Fault[] {
  if (keys.length === 0 || typeof alg !== 'string' || !Object.hasOwn(algorithms, alg)) return [];
  const fitting = keys.filter(
    (key) => (kid === undefined || key.kid === kid) && (key.alg === undefined || key.alg === alg),
  );
  if (fitting.length === 0) {
    const known = keys.map(({ kid: name }) => name ?? 'one without a name').join(', ');
    const change = 'get a new token: the keys were changed since, or it is of another environment';
    return [
      [
        `the key that signed it (kid ${quote(kid ?? 'not said')}, ${alg}) is not among those of the issuer: ${quote(known)}`,
        change,
      ],
    ];
  }
  if (fitting.some((key) => verifySignature(token, alg, key))) return [];
  const change = 'get a new token: this one was modified, or signed by another issuer';
  return [['its signature is not one of that key', change]];
}

function kindFaults({ typ, crit }: Claims, claims: Claims): Fault[] {
  const isAccess = typeof typ === 'string' && /^(?:application\/)?at\+jwt$/i.test(typ);
  const faults: Fault[] = [];
  if (!isAccess && (claims.nonce !== undefined || claims.at_hash !== undefined)) {
    faults.push(['it is an ID token, which identifies a user to a client', 'send the access token']);
  } else if (typ !== undefined && !isAccess && !(typeof typ === 'string' && /^jwt$/i.test(typ))) {
    faults.push([`its type (typ) is ${quote(typ)}, not that of an access token`, 'send the access token']);
  }
  if (crit !== undefined) faults.push(['its header has extensions (crit) that must be understood', 'leave crit out']);
  if (claims.cnf !== undefined) {
    const change = 'send it with a proof (DPoP), or get one that is not bound';
    faults.push(['it is bound to a key or a certificate (cnf): as a bearer token it is rejected', change]);
  }
  return faults;
}

function scopeFaults(claims: Claims, { scopes }: TokenContext): Fault[] {
  const had = scopesIn(claims);
  const missing = scopes.filter((scope) => !had?.includes(scope));
  if (missing.length === 0) return [];
  const has = had === undefined ? 'it names none' : `it has ${quote(had.join(' ') || 'none')}`;
  return [[`it lacks the scope ${missing.join(' ')}; ${has}`, `ask for the token with scope="${scopes.join(' ')}"`]];
}

const algorithms: Readonly<Record<string, { hash: string | null; more?: Omit<VerifyKeyObjectInput, 'key'> }>> = {
  ES256: { hash: 'sha256', more: { dsaEncoding: 'ieee-p1363' } },
  ES384: { hash: 'sha384', more: { dsaEncoding: 'ieee-p1363' } },
  ES512: { hash: 'sha512', more: { dsaEncoding: 'ieee-p1363' } },
  RS256: { hash: 'sha256' },
  RS384: { hash: 'sha384' },
  RS512: { hash: 'sha512' },
  PS256: { hash: 'sha256', more: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } },
  PS384: { hash: 'sha384', more: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 48 } },
  PS512: { hash: 'sha512', more: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 } },
  EdDSA: { hash: null },
  Ed25519: { hash: null },
};

function verifySignature(token: string, alg: string, jwk: Jwk): boolean {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const { hash = null, more = {} } = algorithms[alg] ?? {};
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return verify(hash, Buffer.from(`${header}.${payload}`), { key, ...more }, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

function formatAge(ms: number): string {
  const whole = Math.round(Math.abs(ms) / 1000);
  return whole < 120 ? `${whole} s` : whole < 7200 ? `${Math.round(whole / 60)} min` : `${Math.round(whole / 3600)} h`;
}

/** Decodes a JWT without verifying it; undefined for other tokens. */
export function readJwt(token: string): { header: Claims; claims: Claims } | undefined {
  const [header = '', payload = '', signature, more] = token.split('.');
  if (signature === undefined || more !== undefined) return undefined;
  const [first, second] = [decodePart(header), decodePart(payload)];
  return first && second && { header: first, claims: second };
}

/** Claims of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Scopes of a token, in the claim that its provider uses; undefined without one. */
export function scopesIn(claims: Claims): string[] | undefined {
  const found = [claims.scope, claims.scp, claims.permissions].find((value) => value !== undefined);
  if (typeof found === 'string') return found.split(' ').filter((scope) => scope !== '');
  return Array.isArray(found) ? found.filter((scope): scope is string => typeof scope === 'string') : undefined;
}

function decodePart(part: string): Claims | undefined {
  const value = tryParseJson(Buffer.from(part, 'base64url').toString('utf8'));
  return isRecord(value) ? value : undefined;
}
