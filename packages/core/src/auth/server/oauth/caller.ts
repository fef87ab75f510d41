import { limits } from '../../../limits.ts';
import { stringField, stringListField } from '../../json-fields.ts';
import type { NamedCaller, OAuthCaller, OAuthClaims, OAuthSettings } from './options.ts';

const clientNames = ['client_id', 'azp', 'appid', 'cid'];
const scopeNames = ['scope', 'scp'];

/** The principal of the claims, to which state is bound; undefined if there is none. */
export function principalOf(claims: OAuthClaims, issuer: string): string | undefined {
  const subject = stringField(claims, 'sub') ?? '';
  const client = clientOf(claims) ?? '';
  if (Math.max(subject.length, client.length) > limits.oauth.subject.value) return undefined;
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
