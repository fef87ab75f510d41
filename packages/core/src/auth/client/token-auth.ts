import type { HttpAuth, RejectedRequest } from '../../client/http-auth.ts';
import { AuthError } from '../auth-error.ts';
import type { ClientIdentity } from '../client-identity.ts';
import { createRemote, type Remote, type RemoteOptions } from '../remote.ts';
import { type Challenge, discover, type Discovered, readChallenge } from './discovery.ts';
import { createDpopKey } from './dpop.ts';
import type { Grant } from './grant.ts';
import { requestTokens, type Tokens } from './token-endpoint.ts';
import { memoryTokenStore, type StoredGrant, type TokenKey, type TokenStore } from './token-store.ts';

/** Options of all token grants. */
export interface TokenAuthOptions extends RemoteOptions {
  /** Where tokens are stored. Default: in memory. */
  store?: TokenStore;
  /** Space-separated scopes to request if the server lists none. */
  scope?: string;
}

/** The server that needs tokens. */
interface TokenTarget {
  readonly origin: string;
  readonly found: Discovered;
  readonly remote: Remote;
}

type RegisteredClient = NonNullable<StoredGrant['client']>;
type GrantInUse = StoredGrant & { readonly tokens: Tokens };

/** The tokens in use and their origin. */
interface Session extends TokenTarget {
  readonly stored: GrantInUse;
  readonly since: number;
  readonly refreshed: boolean;
}

/** The maximum consecutive tokens that are rejected at first use. */
const maxAttempts = 3;
/** A token rejected sooner was never valid, so another one would hardly help. */
const minUsefulMs = 60_000;
/** How long before its expiry a token is refreshed. */
const leewayMs = 10 * 1000;

/** Authorizes the requests to one server with tokens of a grant, including the token refresh. */
export function tokenAuth(grant: Grant, options: TokenAuthOptions): HttpAuth {
  return new TokenAuth(grant, options);
}

class TokenAuth implements HttpAuth {
  readonly #grant: Grant;
  readonly #options: TokenAuthOptions;
  readonly #store: TokenStore;
  readonly #dpop = createDpopKey();
  #session: Session | undefined;
  #issuer: string | undefined;
  /** A newly registered client, until its first sign-in replaces the stored tokens of another. */
  #registered: { readonly found: Discovered; readonly client: RegisteredClient } | undefined;
  /** Consecutive tokens that were rejected at first use. */
  #attempts = 0;
  #handling: Promise<boolean> | undefined;
  #renewal: Promise<boolean> | undefined;

  constructor(grant: Grant, options: TokenAuthOptions) {
    this.#grant = grant;
    this.#options = options;
    this.#store = options.store ?? memoryTokenStore();
    this.#issuer = grant.issuer;
  }

  async headers({ url, method = 'POST' }: { url: string; method?: string }): Promise<Record<string, string>> {
    const { origin } = new URL(url);
    // A request sent before the new token would be rejected too.
    if (this.#handling !== undefined) await this.#handling.catch(() => false);
    if (
      this.#handling === undefined &&
      this.#session?.origin === origin &&
      expiresWithin(leewayMs, this.#session.stored.tokens)
    ) {
      const ending = this.#session;
      // If the refresh fails, send the old token; a rejection is handled then.
      this.#renewal ??= this.#refresh(ending, ending.stored)
        .catch(() => false)
        .finally(() => (this.#renewal = undefined));
      await this.#renewal;
    }
    if (this.#session?.origin !== origin) return {};
    const { accessToken, boundTo } = this.#session.stored.tokens;
    const headers = { Authorization: authorization(this.#session) };
    return boundTo === undefined
      ? headers
      : { ...headers, DPoP: await this.#dpop.prove({ url, method, token: accessToken }) };
  }

  async unauthorized(response: RejectedRequest): Promise<boolean> {
    // One at a time: a refresh token that is used twice counts as stolen.
    if (this.#renewal !== undefined && (await this.#renewal)) return true;
    this.#handling ??= this.#handleChallenge(response).finally(() => (this.#handling = undefined));
    return this.#handling;
  }

  async #save(next: Omit<Session, 'since'>): Promise<true> {
    await this.#store.set(keyOf(next.found), next.stored);
    return this.#use(next);
  }

  /** Uses stored tokens. Does not store them again: another process may have replaced or deleted them. */
  #use(next: Omit<Session, 'since'>): true {
    this.#session = { ...next, since: performance.now() };
    return true;
  }

  /** Uses the refresh token, if there is one; returns false without success. */
  async #refresh(target: TokenTarget, stored: GrantInUse): Promise<boolean> {
    if (this.#store.exclusively === undefined) return this.#refreshAlone(target, stored);
    return this.#store.exclusively(keyOf(target.found), async () => {
      // Another process may have refreshed meanwhile: then our refresh token is used up.
      const { tokens, ...latest } = (await this.#store.get(keyOf(target.found))) ?? {};
      if (tokens === undefined || !(await this.#isOurs(tokens, target.found))) return false;
      const isNews = tokens.accessToken !== stored.tokens.accessToken && !expiresWithin(leewayMs, tokens);
      const grant = { ...latest, tokens };
      return isNews ? this.#use({ ...target, stored: grant, refreshed: true }) : this.#refreshAlone(target, grant);
    });
  }

  async #refreshAlone(target: TokenTarget, stored: GrantInUse): Promise<boolean> {
    const { found, remote } = target;
    const { server, resource } = found;
    const client = this.#grant.refreshedBy?.(server, stored);
    const { refreshToken, scope } = stored.tokens;
    if (client === undefined || refreshToken === undefined) return false;
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, resource };
    try {
      const fresh = await requestTokens({ remote, server, client, form, dpop: found.dpop ? this.#dpop : undefined });
      const tokens = { refreshToken, ...(scope === undefined ? {} : { scope }), ...fresh };
      return await this.#save({ ...target, stored: { ...stored, tokens }, refreshed: true });
    } catch (error) {
      if (!(error instanceof AuthError) || error.code !== 'refused') throw error;
      const { refreshToken: _, ...tokens } = stored.tokens;
      await this.#store.set(keyOf(found), withoutRejected({ ...stored, tokens }, error));
      if (this.#session?.stored.tokens.accessToken === stored.tokens.accessToken)
        this.#session = { ...this.#session, stored: { ...this.#session.stored, tokens } };
      return false;
    }
  }

  async #obtain(target: TokenTarget, challenge: Challenge, before: StoredGrant): Promise<boolean> {
    if (this.#attempts >= maxAttempts) return false;
    const { found, remote } = target;
    const { server, resource } = found;
    const scopes = chooseScopes({
      challenged: challenge.scope,
      supported: found.scopes,
      preferred: this.#options.scope,
      earlier: [before.scope, before.tokens?.scope].join(' '),
      known: server.scopes,
    });
    let client = this.#clientFor(found) ?? before.client;
    const keepClient = async (registered: RegisteredClient): Promise<void> => {
      client = registered;
      this.#registered = { found, client };
      // Tokens belong to their client: both are kept until there are new ones.
      if (before.tokens === undefined) await this.#store.set(keyOf(found), { ...before, client });
    };
    const stored = { ...before, ...(client && { client }) };
    const request = { remote, server, resource, scopes, dpop: found.dpop ? this.#dpop : undefined, stored, keepClient };
    const tokens = await this.#grant.obtain(request).catch(async (error: unknown) => {
      if (isUnknownClient(error)) await this.#forgetClient(found, client);
      throw error;
    });
    this.#attempts += 1;
    if (this.#grant.bound) this.#issuer ??= server.issuer;
    this.#registered = undefined;
    const scope = scopes.join(' ');
    const grant = { ...(client && { client }), tokens, ...(scope === '' ? {} : { scope }) };
    return exclusively(this.#store, keyOf(found), () => this.#save({ ...target, stored: grant, refreshed: false }));
  }

  #clientFor(found: Discovered): RegisteredClient | undefined {
    return this.#registered && isSame(this.#registered.found, found) ? this.#registered.client : undefined;
  }

  /** Removes a client that the authorization server does not know. */
  async #forgetClient(found: Discovered, client: RegisteredClient | undefined): Promise<void> {
    this.#registered = undefined;
    await forgetClient(this.#store, keyOf(found), client);
  }

  async #handleChallenge({ url, status, dpopNonce, ...rejected }: RejectedRequest): Promise<boolean> {
    const { origin } = new URL(url);
    if (this.#session !== undefined && this.#session.origin !== origin) return false;
    const challenge = readChallenge(rejected.wwwAuthenticate);
    const isNew = dpopNonce !== undefined && this.#dpop.note(url, dpopNonce);
    if (challenge.error === 'use_dpop_nonce') return isNew;
    if (status !== 401 && !(status === 403 && challenge.error === 'insufficient_scope')) return false;
    if (
      this.#session !== undefined &&
      rejected.sent !== undefined &&
      rejected.sent.Authorization !== authorization(this.#session)
    ) {
      return true;
    }
    if (this.#session !== undefined && wasUsableBefore(this.#session)) this.#attempts = 0;
    // Discovered each time: the server may have changed its authorization server.
    const remote = createRemote({ url, address: rejected.address }, this.#options);
    const found = await discover({ remote, store: this.#store, url, challenge, issuer: this.#issuer });
    const target = { origin, found, remote };
    const stored = (await this.#store.get(keyOf(found))) ?? {};
    const current = this.#session !== undefined && isSame(this.#session.found, found) ? this.#session : undefined;
    if (status === 403) {
      const helps = current !== undefined && needsMoreScopes(challenge.scope, stored.scope);
      return helps ? this.#obtain(target, challenge, stored) : false;
    }
    const { tokens } = stored;
    if (tokens === undefined || !(await this.#isOurs(tokens, found))) return this.#obtain(target, challenge, stored);
    const usable = { ...stored, tokens };
    // Another process may have stored tokens that were not tried yet.
    if (current?.stored.tokens.accessToken !== tokens.accessToken && !expiresWithin(leewayMs, tokens))
      return this.#use({ ...target, stored: usable, refreshed: false });
    const refreshedInVain = current !== undefined && current.refreshed && !wasUsableBefore(current);
    if (!refreshedInVain && (await this.#refresh(target, usable))) return true;
    return this.#obtain(target, challenge, (await this.#store.get(keyOf(found))) ?? {});
  }

  async #isOurs({ boundTo }: Tokens, { dpop: wanted }: Discovered): Promise<boolean> {
    return boundTo === undefined ? !wanted : boundTo === (await this.#dpop.thumbprint());
  }
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

/** Whether a rejected token was valid for a while, rather than never. */
function wasUsableBefore({ since, stored: { tokens } }: Session): boolean {
  return performance.now() - since >= minUsefulMs || expiresWithin(0, tokens);
}

function expiresWithin(ms: number, { expiresAt }: Tokens): boolean {
  return expiresAt !== undefined && expiresAt - ms <= Date.now();
}

/** Removes a client that its authorization server does not know from a store, and its refresh token. */
export async function forgetClient(
  store: TokenStore,
  key: TokenKey,
  client: ClientIdentity | undefined,
): Promise<void> {
  await exclusively(store, key, async () => {
    const latest = await store.get(key);
    if (latest === undefined || latest.client?.id !== client?.id) return;
    if (latest.tokens === undefined) return store.delete(key);
    const { refreshToken: _, ...tokens } = latest.tokens;
    await store.set(key, { tokens, ...(latest.scope === undefined ? {} : { scope: latest.scope }) });
  });
}

/** Changes a store exclusively, if several processes share it. */
export function exclusively<T>(store: TokenStore, key: TokenKey, act: () => Promise<T>): Promise<T> {
  return store.exclusively?.(key, act) ?? act();
}

/** Whether the authorization server does not know the client, which must register again. */
export function isUnknownClient(error: unknown): boolean {
  return error instanceof AuthError && error.oauthError === 'invalid_client';
}

/** The stored grant after a rejected refresh token. The access token may still be valid. */
function withoutRejected({ client, ...stored }: GrantInUse, error: AuthError): StoredGrant {
  return { ...stored, ...(client === undefined || isUnknownClient(error) ? {} : { client }) };
}

/** The sources of the scopes of a token request. */
export interface ScopeSources {
  /** The scopes of the challenge, which are authoritative for the request. */
  challenged: string | undefined;
  /** The scopes in the server's metadata. */
  supported: readonly string[] | undefined;
  /** The application's scopes, if the server lists none. */
  preferred: string | undefined;
  /** Scopes requested or granted before, to keep. */
  earlier: string | undefined;
  /** The scopes in the authorization server's metadata. */
  known: readonly string[] | undefined;
}

/** The scopes to request; empty omits the parameter. */
export function chooseScopes({ challenged, supported, preferred, earlier, known }: ScopeSources): string[] {
  const wanted = scopesIn(challenged) ?? supported ?? scopesIn(preferred) ?? [];
  const scopes = new Set([...(scopesIn(earlier) ?? []), ...wanted]);
  // Requests refresh tokens from the authorization server; not a scope of the resource.
  scopes.delete('offline_access');
  if (scopes.size > 0 && known?.includes('offline_access')) scopes.add('offline_access');
  return [...scopes];
}

/** Whether the challenge contains a scope that was not requested before. */
export function needsMoreScopes(challenged: string | undefined, earlier: string | undefined): boolean {
  const had = new Set(scopesIn(earlier));
  return (scopesIn(challenged) ?? []).some((scope) => !had.has(scope));
}

function scopesIn(text: string | undefined): string[] | undefined {
  const scopes = text?.split(' ').filter((scope) => scope !== '') ?? [];
  return scopes.length > 0 ? scopes : undefined;
}
