import { AuthError } from './auth-error.ts';
import { type Challenge, readChallenge } from './challenge.ts';
import { type Discovered, discover } from './discovery.ts';
import { createDpopKey } from './dpop.ts';
import type { Grant } from './grant.ts';
import type { HttpAuth, RefusedRequest } from '../../client/http-auth.ts';
import { createRemote, type Remote, type RemoteOptions } from './remote.ts';
import { asksForMore, chooseScopes } from './scope.ts';
import { requestTokens, type Tokens } from './token-endpoint.ts';
import { memoryTokenStore, type StoredGrant, type TokenKey, type TokenStore } from './token-store.ts';
import { limits } from '../../limits.ts';

export interface TokenAuthOptions extends RemoteOptions {
  /** Where tokens live between uses. Default: in memory. */
  store?: TokenStore;
  /** Scopes, with blanks between them, to ask for where the server names none. */
  scope?: string;
}

/** Where tokens are wanted. */
interface Place {
  readonly origin: string;
  readonly found: Discovered;
  readonly remote: Remote;
}

type GrantInUse = StoredGrant & { readonly tokens: Tokens };

/** The tokens in use, and where they came from. */
interface Session extends Place {
  readonly stored: GrantInUse;
  readonly since: number;
  readonly refreshed: boolean;
}

const maxAttempts = limits.clientAuth.attempts.value;
/** A token refused so soon was never good: getting another would hardly help. */
const youngMs = 60_000;
/** So long before its end a token is replaced. */
const leewayMs = limits.clientAuth.leewayMs.value;

/** Authorizes the requests to one server with tokens that a grant obtains. */
export function tokenAuth(grant: Grant, options: TokenAuthOptions): HttpAuth {
  const { store = memoryTokenStore() } = options;
  const dpop = createDpopKey();
  let session: Session | undefined;
  let issuer = grant.issuer;
  /** How many tokens in a row were refused as soon as they were used. */
  let attempts = 0;
  let reaction: Promise<boolean> | undefined;
  let renewal: Promise<boolean> | undefined;

  async function use(next: Omit<Session, 'since'>): Promise<true> {
    await store.set(keyOf(next.found), next.stored);
    session = { ...next, since: Date.now() };
    return true;
  }

  /** Uses the refresh token, if there is one; false where that does not help. */
  async function refresh(place: Place, stored: GrantInUse): Promise<boolean> {
    const { found, remote } = place;
    const { server, resource } = found;
    const client = grant.refreshedBy?.(server, stored);
    const { refreshToken } = stored.tokens;
    if (client === undefined || refreshToken === undefined) return false;
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, resource };
    try {
      const fresh = await requestTokens({ remote, server, client, form, dpop: found.dpop ? dpop : undefined });
      return await use({ ...place, stored: { ...stored, tokens: { refreshToken, ...fresh } }, refreshed: true });
    } catch (error) {
      if (!(error instanceof AuthError) || error.code !== 'refused') throw error;
      await store.set(keyOf(found), withoutRefused(stored, error));
      const { refreshToken: _, ...tokens } = stored.tokens;
      if (session?.stored === stored) session = { ...session, stored: { ...session.stored, tokens } };
      return false;
    }
  }

  async function obtain(place: Place, challenge: Challenge, before: StoredGrant): Promise<boolean> {
    if (attempts >= maxAttempts) return false;
    const { found, remote } = place;
    const { server, resource } = found;
    const scopes = chooseScopes({
      challenged: challenge.scope,
      supported: found.scopes,
      preferred: options.scope,
      earlier: before.scope,
      known: server.scopes,
    });
    let stored = before;
    const keepClient = async (client: NonNullable<StoredGrant['client']>): Promise<void> => {
      stored = { client };
      await store.set(keyOf(found), stored);
    };
    const request = { remote, server, resource, scopes, dpop: found.dpop ? dpop : undefined, stored, keepClient };
    const tokens = await grant.obtain(request).catch(async (error: unknown) => {
      if (isUnknownClient(error)) await store.delete(keyOf(found));
      throw error;
    });
    attempts += 1;
    if (grant.bound) issuer ??= server.issuer;
    const scope = scopes.join(' ');
    return use({ ...place, stored: { ...stored, tokens, ...(scope === '' ? {} : { scope }) }, refreshed: false });
  }

  async function react({ url, status, dpopNonce, ...refused }: RefusedRequest): Promise<boolean> {
    const { origin } = new URL(url);
    if (session !== undefined && session.origin !== origin) return false;
    const challenge = readChallenge(refused.wwwAuthenticate);
    const news = dpopNonce !== undefined && dpop.note(url, dpopNonce);
    if (challenge.error === 'use_dpop_nonce') return news;
    if (status !== 401 && !(status === 403 && challenge.error === 'insufficient_scope')) return false;
    if (session !== undefined && refused.sent !== undefined && refused.sent.Authorization !== authorization(session)) {
      return true;
    }
    if (session !== undefined && hadItsTime(session)) attempts = 0;
    // Asked anew every time: the server may have moved to another authorization server.
    const remote = createRemote(url, options);
    const found = await discover({ remote, store, url, challenge, issuer });
    const place = { origin, found, remote };
    const stored = (await store.get(keyOf(found))) ?? {};
    const current = session !== undefined && isSame(session.found, found) ? session : undefined;
    if (status === 403) {
      const helps = current !== undefined && asksForMore(challenge.scope, stored.scope);
      return helps ? obtain(place, challenge, stored) : false;
    }
    const { tokens } = stored;
    if (tokens === undefined || !(await isOurs(tokens, found))) return obtain(place, challenge, stored);
    const usable = { ...stored, tokens };
    if (current === undefined && !endsWithin(leewayMs, tokens))
      return use({ ...place, stored: usable, refreshed: false });
    const inVain = current !== undefined && current.refreshed && !hadItsTime(current);
    if (!inVain && (await refresh(place, usable))) return true;
    return obtain(place, challenge, (await store.get(keyOf(found))) ?? {});
  }

  async function isOurs({ boundTo }: Tokens, { dpop: wanted }: Discovered): Promise<boolean> {
    return boundTo === undefined ? !wanted : boundTo === (await dpop.thumbprint());
  }

  return {
    async headers({ url, method = 'POST' }) {
      const { origin } = new URL(url);
      // A request sent while tokens are being got would only be refused as well.
      if (reaction !== undefined) await reaction.catch(() => false);
      if (reaction === undefined && session?.origin === origin && endsWithin(leewayMs, session.stored.tokens)) {
        const ending = session;
        // Where it fails the old token is sent: should the server refuse it, that is dealt with then.
        renewal ??= refresh(ending, ending.stored)
          .catch(() => false)
          .finally(() => (renewal = undefined));
        await renewal;
      }
      if (session?.origin !== origin) return {};
      const { accessToken, boundTo } = session.stored.tokens;
      const headers = { Authorization: authorization(session) };
      return boundTo === undefined
        ? headers
        : { ...headers, DPoP: await dpop.prove({ url, method, token: accessToken }) };
    },

    async unauthorized(response) {
      // One at a time: a refresh token that is used twice is taken for a stolen one.
      if (renewal !== undefined && (await renewal)) return true;
      reaction ??= react(response).finally(() => (reaction = undefined));
      return reaction;
    },
  };
}

function keyOf({ server, resource }: Discovered): TokenKey {
  return { issuer: server.issuer, resource };
}

function isSame(one: Discovered, other: Discovered): boolean {
  return one.server.issuer === other.server.issuer && one.resource === other.resource;
}

function authorization({ stored: { tokens } }: Session): string {
  return `${tokens.boundTo === undefined ? 'Bearer' : 'DPoP'} ${tokens.accessToken}`;
}

/** Whether a refusal may mean that the token has grown too old, rather than that it never was good. */
function hadItsTime({ since, stored: { tokens } }: Session): boolean {
  return Date.now() - since >= youngMs || endsWithin(0, tokens);
}

function endsWithin(ms: number, { expiresAt }: Tokens): boolean {
  return expiresAt !== undefined && expiresAt - ms <= Date.now();
}

/** Whether the authorization server does not know the client, or no more: it must register anew. */
function isUnknownClient(error: unknown): boolean {
  return error instanceof AuthError && error.oauthError === 'invalid_client';
}

/** What is left when a refresh token was not taken. */
function withoutRefused({ tokens: _, client, scope }: StoredGrant, error: AuthError): StoredGrant {
  return {
    ...(client === undefined || isUnknownClient(error) ? {} : { client }),
    ...(scope === undefined ? {} : { scope }),
  };
}
