import { isObject } from '../../../jsonrpc/message.ts';
import { stringField, stringListField } from '../../json-fields.ts';
import { normalizeUrl } from '../resource-url.ts';
import type { NamedCaller, OAuthCaller, OAuthClaims, OAuthSettings } from './options.ts';

/** The requirements on the claims of a token. */
export interface ClaimTerms extends Pick<OAuthSettings, 'leewayMs' | 'dpop' | 'strict' | 'anyAudience'> {
  /** The accepted audiences, normalized. */
  readonly audiences: ReadonlySet<string>;
}

/** A problem of a token: its kind, and a detail for the log. */
export interface ClaimProblem {
  readonly kind: 'time' | 'audience' | 'type' | 'binding' | 'subject';
  readonly detail: string;
}

/** Checks the times of a token. A signed token must have an expiry. */
export function timeProblem(
  { exp, nbf, iat }: OAuthClaims,
  { leewayMs }: Pick<ClaimTerms, 'leewayMs'>,
  { needsEnd }: { needsEnd: boolean },
): ClaimProblem | undefined {
  const now = Date.now();
  const wrong = (detail: string): ClaimProblem => ({ kind: 'time', detail });
  if (!isTime(exp)) return wrong('"exp" is no number');
  if (!isTime(nbf)) return wrong('"nbf" is no number');
  if (!isTime(iat)) return wrong('"iat" is no number');
  if (exp === undefined && needsEnd) return wrong('"exp" is missing');
  const away = (time: unknown): number => Number(time) * 1000 - now;
  const seconds = (time: unknown): string => `${Math.abs(Math.round(away(time) / 1000))} s`;
  if (exp !== undefined && away(exp) <= -leewayMs) return wrong(`it ended ${seconds(exp)} ago ("exp")`);
  if (nbf !== undefined && away(nbf) > leewayMs) return wrong(`it begins in ${seconds(nbf)} ("nbf")`);
  if (iat !== undefined && away(iat) > leewayMs) return wrong(`it was made in the future, by ${seconds(iat)} ("iat")`);
  return undefined;
}

function isTime(value: unknown): boolean {
  return value === undefined || Number.isFinite(value);
}

/** Checks the audience of a token. */
export function audienceProblem(
  claims: OAuthClaims,
  { audiences, anyAudience }: Pick<ClaimTerms, 'audiences' | 'anyAudience'>,
  { introspected }: { introspected: boolean },
): ClaimProblem | undefined {
  // Fast path: most need no normalization.
  if (typeof claims.aud === 'string' && audiences.has(claims.aud)) return undefined;
  if (claims.aud === undefined && introspected && anyAudience) return undefined;
  const named = stringListField({ aud: [claims.aud ?? []].flat() }, 'aud') ?? [];
  if (named.some((audience) => audiences.has(normalizeUrl(audience)))) return undefined;
  const got = named.length === 0 ? 'nobody' : named.join(', ');
  return { kind: 'audience', detail: `it is for ${got} ("aud"), and must be for ${[...audiences].join(' or ')}` };
}

/** Checks that a JWT is an access token, as far as it states its type. */
export function typeProblem(
  header: Readonly<Record<string, unknown>>,
  claims: OAuthClaims,
  { strict }: Pick<ClaimTerms, 'strict'>,
): ClaimProblem | undefined {
  const wrong = (detail: string): ClaimProblem => ({ kind: 'type', detail });
  const named = header.typ === undefined ? 'jwt' : (stringField(header, 'typ') ?? '');
  const type = named.toLowerCase().replace(/^application\//, '');
  if (type === 'at+jwt') return undefined;
  if (strict) return wrong('its header does not say that it is an access token ("typ" is not at+jwt)');
  if (type !== 'jwt') return wrong('it is a JWT of another kind ("typ")');
  const isIdToken =
    claims.nonce !== undefined || claims.at_hash !== undefined || claims.token_use === 'id' || claims.typ === 'ID';
  return isIdToken ? wrong('it is an ID token, not an access token') : undefined;
}

/** The thumbprint of the key that a token is bound to; undefined for a bearer token. */
export function bindingOf({ cnf }: OAuthClaims, { dpop }: Pick<ClaimTerms, 'dpop'>): string | undefined | ClaimProblem {
  if (cnf === undefined) return undefined;
  const wrong = (detail: string): ClaimProblem => ({ kind: 'binding', detail });
  const jkt = isObject(cnf) && Object.keys(cnf).length === 1 ? stringField(cnf, 'jkt') : undefined;
  if (jkt === undefined) return wrong('it is bound to something that can not be checked here ("cnf")');
  return dpop === 'off' ? wrong('it is bound to a key ("cnf"), and the option "dpop" is off') : jkt;
}

/** The maximum length of a token's subject, in characters. */
const maxSubject = 1024;

const clientNames = ['client_id', 'azp', 'appid', 'cid'];
const scopeNames = ['scope', 'scp'];

/** The principal of the claims, to which state is bound; undefined if there is none. */
export function principalOf(claims: OAuthClaims, issuer: string): string | undefined {
  const subject = stringField(claims, 'sub') ?? '';
  const client = clientOf(claims) ?? '';
  if (Math.max(subject.length, client.length) > maxSubject) return undefined;
  // Issuers contain no "#", so these are unambiguous.
  if (subject !== '') return `${issuer}#sub=${subject}`;
  return client === '' ? undefined : `${issuer}#client=${client}`;
}

/** Creates the caller for handlers. */
export function createCaller(
  claims: OAuthClaims,
  { issuer, named }: { issuer: string; named: NamedCaller },
  { implies }: Pick<OAuthSettings, 'implies'>,
): OAuthCaller {
  const principal = principalOf(claims, issuer) as string;
  const [subject, clientId] = [stringField(claims, 'sub'), clientOf(claims)];
  const caller: { -readonly [Member in keyof OAuthCaller]: OAuthCaller[Member] } = {
    principal,
    id: named?.id ?? principal,
    issuer,
    scopes: Object.freeze(expandScopes(named?.scopes ?? scopesIn(claims), implies)),
    claims: Object.freeze(claims),
  };
  if (subject !== undefined) caller.subject = subject;
  if (clientId !== undefined) caller.clientId = clientId;
  if (typeof claims.exp === 'number') caller.expiresAt = claims.exp * 1000;
  // Frozen, because all requests with this token share it.
  return Object.freeze(caller);
}

/** The client of a token; authorization servers use different claims for it. */
function clientOf(claims: OAuthClaims): string | undefined {
  for (const name of clientNames) {
    const id = stringField(claims, name);
    if (id !== undefined) return id;
  }
  return undefined;
}

function scopesIn(claims: OAuthClaims): readonly string[] {
  for (const name of scopeNames) {
    const text = stringField(claims, name);
    if (text !== undefined) return text.split(' ').filter((scope) => scope !== '');
    const list = stringListField(claims, name);
    if (list !== undefined) return list;
  }
  // No claim, no scopes.
  return [];
}

function expandScopes(scopes: readonly string[], implies: OAuthSettings['implies']): string[] {
  const all = new Set(scopes);
  // Iterates over scopes that are added meanwhile, too.
  for (const scope of all) {
    for (const implied of Object.hasOwn(implies, scope) ? (implies[scope] ?? []) : []) all.add(implied);
  }
  return [...all];
}
