import { randomUUID } from 'node:crypto';
import { type ServerState, issuerOf } from './server-state.ts';
import { type Draft, overlay, nowInSeconds, encodeJwt } from './jwt.ts';
import type { TestAlgorithm, TestKey } from './keys.ts';
import { type TokenFault, applyFault } from './token-faults.ts';

/** The claims in which providers put scopes: a string, another string or list, or Auth0's permissions. */
export type ScopeClaim = 'scope' | 'scp' | 'scp-list' | 'permissions';

/** The properties of a requested token. */
export interface TokenWish {
  /** Its audience. */
  audience?: string | readonly string[];
  /** Default: the server's user. */
  subject?: string;
  /** Default: `client-1`. */
  clientId?: string;
  scopes?: readonly string[];
  /** Where its scopes are. Default: `scope`. */
  scopeClaim?: ScopeClaim;
  /** In seconds; negative for an expired token. Default: as the server's tokens. */
  lifetime?: number;
  /** The thumbprint of the key to bind it to. */
  boundTo?: string;
  /** Laid over its claims; undefined removes one. */
  claims?: Record<string, unknown>;
  /** Laid over its header; undefined removes a field. */
  header?: Record<string, unknown>;
  algorithm?: TestAlgorithm;
  /** A fault to apply. */
  fault?: TokenFault;
  /** Whether it is opaque. Default: as the server's tokens. */
  opaque?: boolean;
}

/** Issues a token. */
export function mint(state: ServerState, wish: TokenWish): string {
  const { settings, tokens, foreign, origin } = state;
  const draft = draftOf(state, wish);
  const made =
    wish.fault === undefined ? draft : applyFault(draft, wish.fault, { foreign, foreignKeys: `${origin}/foreign` });
  const token = (wish.opaque ?? settings.tokens === 'opaque') ? `token-${randomUUID()}` : encodeJwt(made);
  const { audience, scopes = [] } = wish;
  const resource = typeof audience === 'string' ? audience : (audience?.[0] ?? null);
  tokens.set(token, { scope: scopes.join(' '), resource, claims: made.claims });
  return token;
}

function draftOf(state: ServerState, wish: TokenWish): Draft {
  const { audience, subject = state.settings.subject ?? 'user-1', clientId = 'client-1', scopes, boundTo } = wish;
  const now = nowInSeconds();
  const key = keyFor(state, wish.algorithm);
  const claims = {
    iss: issuerOf(state),
    sub: subject,
    aud: audience,
    client_id: clientId,
    iat: now,
    exp: now + (wish.lifetime ?? state.settings.lifetime ?? 3600),
    jti: randomUUID(),
    ...(scopes === undefined ? {} : scopeFields[wish.scopeClaim ?? 'scope'](scopes)),
    cnf: boundTo === undefined ? undefined : { jkt: boundTo },
  };
  return {
    key,
    header: overlay({ alg: key.algorithm, typ: 'at+jwt', kid: key.id }, wish.header),
    claims: overlay(claims, wish.claims),
  };
}

const scopeFields: Readonly<Record<ScopeClaim, (scopes: readonly string[]) => Record<string, unknown>>> = {
  scope: (scopes) => ({ scope: scopes.join(' ') }),
  scp: (scopes) => ({ scp: scopes.join(' ') }),
  'scp-list': (scopes) => ({ scp: scopes }),
  permissions: (scopes) => ({ permissions: scopes }),
};

function keyFor({ keys }: ServerState, algorithm = keys.at(0)?.algorithm): TestKey {
  const key = keys.findLast((known) => known.algorithm === algorithm);
  if (key === undefined) {
    throw new TypeError(`This authorization server has no key for ${algorithm}: start it with that in its algorithms`);
  }
  return key;
}
