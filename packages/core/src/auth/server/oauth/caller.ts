import { limits } from '../../../limits.ts';
import { stringField, stringListField } from '../../json-fields.ts';
import type { NamedCaller, OAuthCaller, OAuthClaims, OAuthSettings } from './options.ts';

const clientNames = ['client_id', 'azp', 'appid', 'cid'];
const scopeNames = ['scope', 'scp'];

/** Who the claims are about, as state is bound to it; undefined where they don't say. */
export function principalOf(claims: OAuthClaims, issuer: string): string | undefined {
  const subject = stringField(claims, 'sub') ?? '';
  const client = clientOf(claims) ?? '';
  if (Math.max(subject.length, client.length) > limits.oauth.subject.value) return undefined;
  // No issuer has a "#", so no two of these are the same by chance.
  if (subject !== '') return `${issuer}#sub=${subject}`;
  return client === '' ? undefined : `${issuer}#client=${client}`;
}

/** Makes the caller that handlers see. */
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
  // One for all requests that the token comes with: no handler may change it for others.
  return Object.freeze(caller);
}

/** The client that a token was given to: each authorization server has its own name for this. */
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
  // Who says nothing allows nothing.
  return [];
}

function expandScopes(scopes: readonly string[], implies: OAuthSettings['implies']): string[] {
  const all = new Set(scopes);
  // A set takes what is added while it is walked through.
  for (const scope of all) {
    for (const implied of Object.hasOwn(implies, scope) ? (implies[scope] ?? []) : []) all.add(implied);
  }
  return [...all];
}
