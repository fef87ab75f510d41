import { afterEach, describe, expect, it, vi } from 'vitest';
import { startAuthorizationServer } from './fixtures/authorization-server.ts';
import { send, startProtectedServer } from './fixtures/protected-server.ts';
import { user } from './fixtures/user.ts';
import { oauth } from './oauth.ts';
import { memoryTokenStore } from './token-store.ts';

const minute = 60_000;

function travel(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
}

afterEach(() => {
  vi.useRealTimers();
});

describe('scopes', () => {
  it('come from the challenge (C-A-08)', async () => {
    const by = await startAuthorizationServer();
    const metadata = { scopes_supported: ['c'] };
    const server = await startProtectedServer({ by, metadata, challenge: 'scope="a b"' });
    expect(await send(oauth({ ...user, scope: 'd' }), server.url)).toBe(200);
    expect(by.questions()).toMatchObject([{ scope: 'a b' }]);
  });

  it('are added to earlier ones when a request needs more (C-A-08)', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by, challenge: 'scope="read"', needs: ({ body }) => body });
    const auth = oauth(user);
    expect(await send(auth, server.url, 'read')).toBe(200);
    server.protection.challenge = '';
    expect(await send(auth, server.url, 'write')).toBe(200);
    expect(by.questions().map(({ scope }) => scope)).toEqual(['read', 'read write']);
    expect(by.requests('/register')).toHaveLength(1);
    expect(await send(auth, server.url, 'read')).toBe(200);
    expect(by.questions()).toHaveLength(2);
  });

  it('that were granted without a request are added too, also after a refresh that names none (C-A-08)', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by, needs: ({ body }) => body });
    by.settings.onToken = (form) => {
      const isRefresh = form.get('grant_type') === 'refresh_token';
      const scope = by.questions().at(-1)?.scope ?? 'a b';
      const token = crypto.randomUUID();
      by.tokens.set(token, { scope, resource: server.url });
      const tokens = { access_token: token, token_type: 'bearer', expires_in: 3600, refresh_token: 'r' };
      return { json: isRefresh ? tokens : { ...tokens, scope } };
    };
    const auth = oauth(user);
    expect(await send(auth, server.url, 'a')).toBe(200);
    travel(60 * minute);
    expect(await send(auth, server.url, 'b')).toBe(200);
    expect(await send(auth, server.url, 'write')).toBe(200);
    expect(by.questions().map(({ scope }) => scope)).toEqual([undefined, 'a b write']);
    expect(by.forms().map((form) => form.grant_type)).toEqual([
      'authorization_code',
      'refresh_token',
      'authorization_code',
    ]);
  });

  it('that were not granted are not requested again (C-A-08)', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by, challenge: 'scope="admin"', needs: () => 'never' });
    by.settings.onToken = () => {
      by.tokens.set('poor', { scope: '', resource: server.url });
      return { json: { access_token: 'poor', token_type: 'bearer' } };
    };
    expect(await send(oauth(user), server.url)).toBe(403);
    expect(by.questions().map(({ scope }) => scope)).toEqual(['admin']);
  });

  it('are requested three times at most (C-A-08)', async () => {
    const by = await startAuthorizationServer();
    let wish = 0;
    const server = await startProtectedServer({ by, needs: () => `wish-${(wish += 1)}` });
    expect(await send(oauth(user), server.url)).toBe(403);
    expect(by.questions()).toHaveLength(3);
  });

  it('are not requested if the rejection is not about scopes', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by, instead: () => ({ status: 403 }) });
    expect(await send(oauth(user), server.url)).toBe(403);
    expect(by.seen).toEqual([]);
  });
});

describe('a refresh token that several processes share', () => {
  /** A store as two processes see it that share a file. */
  function sharedStore() {
    const store = memoryTokenStore();
    let last: Promise<unknown> = Promise.resolve();
    const exclusively = <T>(_: unknown, act: () => Promise<T>): Promise<T> => {
      const turn = last.then(act);
      last = turn.catch(() => {});
      return turn;
    };
    return { ...store, exclusively };
  }

  it('is used by one of them, and the other reads the new tokens', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600 });
    const server = await startProtectedServer({ by });
    const store = sharedStore();
    const [one, other] = [oauth({ ...user, store }), oauth({ ...user, store })];
    expect([await send(one, server.url), await send(other, server.url)]).toEqual([200, 200]);
    travel(90 * minute);
    expect(await Promise.all([send(one, server.url), send(other, server.url)])).toEqual([200, 200]);
    expect(by.forms().map(({ grant_type: type }) => type)).toEqual(['authorization_code', 'refresh_token']);
    travel(90 * minute);
    expect(await Promise.all([send(other, server.url), send(one, server.url)])).toEqual([200, 200]);
    expect(by.questions()).toHaveLength(1);
  });

  it('is not used where the other has signed in again', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600 });
    const server = await startProtectedServer({ by });
    const store = sharedStore();
    const one = oauth({ ...user, store });
    await send(one, server.url);
    const key = { issuer: by.issuer, resource: server.url };
    const first = await store.get(key);
    await store.delete(key);
    by.tokens.clear();
    expect(await send(oauth({ ...user, store }), server.url)).toBe(200);
    expect((await store.get(key))?.tokens?.accessToken).not.toBe(first?.tokens?.accessToken);
    expect(await send(one, server.url)).toBe(200);
    expect(by.forms().map(({ grant_type: type }) => type)).toEqual(['authorization_code', 'authorization_code']);
  });

  it('is not used after the other discarded it', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600 });
    const server = await startProtectedServer({ by });
    const store = sharedStore();
    const auth = oauth({ ...user, store });
    await send(auth, server.url);
    await store.delete({ issuer: by.issuer, resource: server.url });
    by.tokens.clear();
    travel(90 * minute);
    expect(await send(auth, server.url)).toBe(200);
    expect(by.forms().map(({ grant_type: type }) => type)).toEqual(['authorization_code', 'authorization_code']);
  });
});

describe('a login that works', () => {
  const first = { redirectUrl: 'http://localhost:3000/callback' };
  const later = { redirectUrl: 'http://localhost:4000/callback' };
  const cancelled = { authorize: () => Promise.reject(new Error('Interrupted')) };

  /** A user has signed in with the scope `read`; another redirect URL requires another registration. */
  async function signedIn(settings = {}) {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600, ...settings });
    const server = await startProtectedServer({ by, challenge: 'scope="read"', needs: ({ body }) => body });
    const store = memoryTokenStore();
    const key = { issuer: by.issuer, resource: server.url };
    expect(await send(oauth({ ...user, ...first, store }), server.url, 'read')).toBe(200);
    server.protection.challenge = '';
    return { by, server, store, key, before: await store.get(key) };
  }

  it('is kept if the step-up is not completed', async () => {
    const { by, server, store, key, before } = await signedIn();
    const auth = oauth({ ...user, ...later, ...cancelled, store });
    await expect(send(auth, server.url, 'write')).rejects.toThrow('Interrupted');
    expect(await store.get(key)).toEqual(before);
    expect(await send(auth, server.url, 'read')).toBe(200);
    expect(await send(oauth({ ...user, ...later, ...cancelled, store }), server.url, 'read')).toBe(200);
    expect(by.questions()).toHaveLength(1);
  });

  it('is kept during a step-up, and replaced afterwards', async () => {
    const { server, store, key, before } = await signedIn();
    const during: unknown[] = [];
    const authorize = async (url: URL) => {
      during.push(await store.get(key));
      return user.authorize(url);
    };
    expect(await send(oauth({ ...user, ...later, authorize, store }), server.url, 'write')).toBe(200);
    expect(during).toEqual([before]);
    expect(await store.get(key)).toMatchObject({ scope: 'read write', client: { id: 'client-2', ...later } });
  });

  it('can be refreshed after a failed sign-in: its refresh token belongs to its client', async () => {
    const { by, server, store } = await signedIn();
    await expect(send(oauth({ ...user, ...later, ...cancelled, store }), server.url, 'write')).rejects.toThrow(
      'Interrupted',
    );
    by.tokens.clear();
    travel(60 * minute);
    expect(await send(oauth({ ...user, ...later, ...cancelled, store }), server.url, 'read')).toBe(200);
    expect(by.forms().at(-1)).toMatchObject({ grant_type: 'refresh_token', client_id: 'client-1' });
  });

  it('registers once for several failed sign-ins', async () => {
    const { by, server, store } = await signedIn();
    const auth = oauth({ ...user, ...later, ...cancelled, store });
    await expect(send(auth, server.url, 'write')).rejects.toThrow('Interrupted');
    await expect(send(auth, server.url, 'write')).rejects.toThrow('Interrupted');
    expect(by.requests('/register')).toHaveLength(2);
  });

  it('is kept when the authorization server does not know the new client', async () => {
    const { by, server, store, key, before } = await signedIn();
    by.settings.onToken = () => ({ status: 401, json: { error: 'invalid_client' } });
    await expect(send(oauth({ ...user, ...later, store }), server.url, 'write')).rejects.toThrow('invalid_client');
    expect(await store.get(key)).toEqual(before);
  });

  it('keeps its access token if its client is no longer registered', async () => {
    const { by, server, store, key, before } = await signedIn();
    by.settings.onToken = () => ({ status: 401, json: { error: 'invalid_client' } });
    await expect(send(oauth({ ...user, ...first, store }), server.url, 'write')).rejects.toThrow('invalid_client');
    const { refreshToken: _, ...tokens } = before?.tokens ?? {};
    expect(await store.get(key)).toEqual({ tokens, scope: 'read' });
  });

  it.each([
    [503, {}],
    [429, {}],
    [400, { error: 'temporarily_unavailable' }],
  ])('keeps its refresh token when the authorization server is in trouble: %d %j', async (status, json) => {
    const { by, server, store, key, before } = await signedIn();
    by.tokens.clear();
    travel(60 * minute);
    by.settings.onToken = () => ({ status, json });
    await expect(send(oauth({ ...user, store }), server.url, 'read')).rejects.toMatchObject({ code: 'unreachable' });
    expect(await store.get(key)).toEqual(before);
    by.settings.onToken = () => undefined;
    expect(await send(oauth({ ...user, store }), server.url, 'read')).toBe(200);
    expect(by.questions()).toHaveLength(1);
  });

  it('keeps a valid access token if its refresh token is rejected', async () => {
    const { by, server, store, key, before } = await signedIn();
    travel(60 * minute - 1000);
    by.settings.onToken = () => ({ status: 400, json: { error: 'invalid_grant' } });
    const auth = oauth({ ...user, store });
    await expect(send(auth, server.url, 'read')).rejects.toThrow('invalid_grant');
    const { refreshToken: _, ...tokens } = before?.tokens ?? {};
    expect(await store.get(key)).toEqual({ ...before, tokens });
  });

  it('that another process deletes or replaces is not written back by a reader', async () => {
    const { server, store, key } = await signedIn();
    const set = vi.spyOn(store, 'set');
    expect(await send(oauth({ ...user, store }), server.url, 'read')).toBe(200);
    expect(set).not.toHaveBeenCalled();
    await store.delete(key);
    expect(await store.get(key)).toBeUndefined();
  });
});

describe('a token', () => {
  it('is sent with every request, in the header, to its server only (C-A-09)', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    expect(await auth.headers({ url: server.url })).toEqual({});
    await send(auth, server.url);
    await send(auth, server.url);
    const [token] = [...by.tokens.keys()];
    expect(await auth.headers({ url: server.url })).toEqual({ Authorization: `Bearer ${token}` });
    expect(await auth.headers({ url: 'https://elsewhere.example/mcp' })).toEqual({});
    expect(by.questions()).toHaveLength(1);
    for (const { query } of [...server.seen, ...by.seen]) expect(String(query)).not.toContain(token);
  });

  it('is not requested for another server', async () => {
    const by = await startAuthorizationServer();
    const [server, other] = [await startProtectedServer({ by }), await startProtectedServer({ by })];
    const auth = oauth(user);
    expect(await send(auth, server.url)).toBe(200);
    expect(await send(auth, other.url)).toBe(401);
  });

  it('that is rejected repeatedly is requested three times at most', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    server.protection.by = await startAuthorizationServer();
    server.protection.metadata = { authorization_servers: [by.issuer] };
    expect(await send(auth, server.url)).toBe(401);
    expect(by.questions()).toHaveLength(3);
    travel(2 * minute);
    server.protection.by = by;
    expect(await send(auth, server.url)).toBe(200);
  });

  it('is requested once for all waiting requests', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    expect(await Promise.all(Array.from({ length: 5 }, () => send(auth, server.url)))).toEqual([
      200, 200, 200, 200, 200,
    ]);
    expect(by.questions()).toHaveLength(1);
  });

  it('is awaited by requests during the sign-in', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const meanwhile: Promise<unknown>[] = [];
    const authorize = (url: URL) => {
      meanwhile.push(auth.headers({ url: server.url }));
      return user.authorize(url);
    };
    const auth = oauth({ ...user, authorize });
    expect(await send(auth, server.url)).toBe(200);
    expect(await Promise.all(meanwhile)).toEqual([{ Authorization: `Bearer ${[...by.tokens.keys()][0]}` }]);
  });

  it('is not requested again for a request sent before it arrived', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    await send(auth, server.url);
    const late = { status: 401, wwwAuthenticate: undefined, url: server.url, sent: {} };
    expect(await auth.unauthorized(late)).toBe(true);
    expect(by.questions()).toHaveLength(1);
  });

  it('may be requested again after the user declined', async () => {
    const by = await startAuthorizationServer({ denyUser: { error: 'access_denied' } });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    for (let time = 0; time < 4; time += 1) await expect(send(auth, server.url)).rejects.toThrow('access_denied');
    delete by.settings.denyUser;
    expect(await send(auth, server.url)).toBe(200);
    expect(by.requests('/register')).toHaveLength(1);
  });

  it.each([
    ['no token', {}],
    ['an unknown type', { access_token: 'a', token_type: 'mac' }],
    ['no type', { access_token: 'a' }],
    ['a line break', { access_token: 'a\r\nX: b', token_type: 'Bearer' }],
  ])('is not one if the answer has %s', async (_, json) => {
    const by = await startAuthorizationServer({ onToken: () => ({ json }) });
    const server = await startProtectedServer({ by });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'invalid_answer' });
  });
});

describe('an expired token', () => {
  it('is refreshed before it is sent, with the resource (C-A-03)', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600 });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    await send(auth, server.url);
    travel(60 * minute);
    const rejected = server.seen.length;
    expect(await send(auth, server.url)).toBe(200);
    expect(server.seen).toHaveLength(rejected + 1);
    expect(by.forms().at(-1)).toEqual({
      grant_type: 'refresh_token',
      refresh_token: expect.stringContaining('refresh-'),
      resource: server.url,
      client_id: 'client-1',
    });
    travel(60 * minute);
    expect(await send(auth, server.url)).toBe(200);
    expect(by.questions()).toHaveLength(1);
  });

  it('is refreshed once for all requests', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600 });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    await send(auth, server.url);
    travel(60 * minute);
    await Promise.all(Array.from({ length: 5 }, () => send(auth, server.url)));
    expect(by.forms()).toHaveLength(2);
  });

  it('is refreshed once, even if a rejection comes meanwhile', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600 });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    await send(auth, server.url);
    travel(60 * minute);
    const headers = auth.headers({ url: server.url });
    expect(await auth.unauthorized({ status: 401, wwwAuthenticate: undefined, url: server.url })).toBe(true);
    expect(await headers).toEqual({ Authorization: `Bearer ${[...by.tokens.keys()][1]}` });
    expect(by.forms()).toHaveLength(2);
  });

  it('is refreshed after a 401', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    await send(auth, server.url);
    by.tokens.clear();
    expect(await send(auth, server.url)).toBe(200);
    expect(by.questions()).toHaveLength(1);
  });

  it('keeps its refresh token if the server sends none', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600 });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    await send(auth, server.url);
    by.settings.onToken = () => {
      by.tokens.set('again', { scope: '', resource: server.url });
      return { json: { access_token: 'again', token_type: 'Bearer', expires_in: 3600 } };
    };
    for (let hour = 0; hour < 2; hour += 1) {
      travel(60 * minute);
      expect(await send(auth, server.url)).toBe(200);
    }
    const [first, second] = by.forms().slice(1);
    expect(first?.refresh_token).toBe(second?.refresh_token);
  });

  it('leads to a new sign-in if its refresh token has expired too', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600 });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    await send(auth, server.url);
    travel(60 * minute);
    by.tokens.clear();
    by.settings.onToken = (form) =>
      form.get('grant_type') === 'refresh_token' ? { status: 400, json: { error: 'invalid_grant' } } : undefined;
    expect(await send(auth, server.url)).toBe(200);
    expect(by.questions()).toHaveLength(2);
    expect(by.requests('/register')).toHaveLength(1);
  });

  it('leads to a new registration if the client is unknown', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    await send(auth, server.url);
    by.tokens.clear();
    by.settings.onToken = (form) =>
      form.get('client_id') === 'client-1' ? { status: 401, json: { error: 'invalid_client' } } : undefined;
    expect(await send(auth, server.url)).toBe(200);
    expect(by.requests('/register')).toHaveLength(2);
  });

  it('is not refreshed with every request after a failure', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600 });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    await send(auth, server.url);
    travel(60 * minute);
    by.settings.onToken = () => ({ status: 400, json: { error: 'invalid_grant' } });
    expect(await send(auth, server.url)).toBe(200);
    expect(await send(auth, server.url)).toBe(200);
    expect(by.forms()).toHaveLength(2);
  });

  it('is replaced whenever it expires', async () => {
    const by = await startAuthorizationServer({ lifetime: 20 });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    for (let time = 1; time < 6; time += 1) {
      expect(await send(auth, server.url)).toBe(200);
      expect(by.questions()).toHaveLength(time);
      by.tokens.clear();
      travel(21_000);
    }
  });

  it('that is always rejected is requested three times at most, with refreshes', async () => {
    const by = await startAuthorizationServer({ lifetime: 5, refreshTokens: true });
    const server = await startProtectedServer({
      by,
      instead: ({ path }) => (path === '/mcp' ? { status: 401 } : undefined),
    });
    server.protection.announces = false;
    expect(await send(oauth(user), server.url)).toBe(401);
    expect(by.questions()).toHaveLength(3);
  });

  it('is still sent if the refresh fails temporarily', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600 });
    const server = await startProtectedServer({ by });
    const auth = oauth(user);
    await send(auth, server.url);
    travel(60 * minute);
    by.settings.onToken = () => ({ status: 200, text: 'out of order' });
    expect(await send(auth, server.url)).toBe(200);
  });
});

describe('a server that moves to another authorization server', () => {
  it('leads to a new registration, without credentials of the old one (C-A-07)', async () => {
    const before = await startAuthorizationServer({ refreshTokens: true });
    const after = await startAuthorizationServer();
    const server = await startProtectedServer({ by: before });
    const auth = oauth(user);
    await send(auth, server.url);
    server.protection.by = after;
    const earlier = before.seen.length;
    expect(await send(auth, server.url)).toBe(200);
    expect(before.seen).toHaveLength(earlier);
    expect(after.requests('/register')).toHaveLength(1);
    expect(after.forms().map(({ grant_type }) => grant_type)).toEqual(['authorization_code']);
  });

  it('does not get credentials configured for the old one (C-A-07)', async () => {
    const clients = [{ id: 'known', secret: 'secret', method: 'client_secret_basic' as const }];
    const metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
    const before = await startAuthorizationServer({ clients, metadata });
    const after = await startAuthorizationServer({ clients, metadata });
    const server = await startProtectedServer({ by: before });
    const auth = oauth({ ...user, client: { id: 'known', secret: 'secret' } });
    expect(await send(auth, server.url)).toBe(200);
    server.protection.by = after;
    await expect(send(auth, server.url)).rejects.toMatchObject({ code: 'client_unknown' });
    expect(after.seen).toEqual([]);
  });
});

describe('a token store', () => {
  it('does not keep a client that the authorization server has forgotten', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const store = memoryTokenStore();
    await send(oauth({ ...user, store }), server.url);
    by.tokens.clear();
    by.settings.onToken = (form) =>
      form.get('client_id') === 'client-1' ? { status: 401, json: { error: 'invalid_client' } } : undefined;
    const auth = oauth({ ...user, store });
    await expect(send(auth, server.url)).rejects.toMatchObject({ oauthError: 'invalid_client' });
    expect(await send(auth, server.url)).toBe(200);
  });

  it('lets a second process skip the sign-in', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const store = memoryTokenStore();
    await send(oauth({ ...user, store }), server.url);
    expect(await send(oauth({ ...user, store }), server.url)).toBe(200);
    expect(by.questions()).toHaveLength(1);
  });

  it('is asked by issuer and resource, and holds what JSON can hold', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 60 });
    const server = await startProtectedServer({ by, challenge: 'scope="a"' });
    const store = memoryTokenStore();
    await send(oauth({ ...user, store }), server.url);
    const grant = await store.get({ issuer: by.issuer, resource: server.url });
    expect(JSON.parse(JSON.stringify(grant))).toEqual(grant);
    expect(grant).toEqual({
      client: { id: 'client-1', redirectUrl: user.redirectUrl, authMethod: 'none' },
      tokens: {
        accessToken: expect.any(String),
        refreshToken: expect.any(String),
        expiresAt: expect.any(Number),
        scope: 'a',
      },
      scope: 'a',
    });
    expect(await store.get({ issuer: by.issuer, resource: `${server.url}/` })).toBeUndefined();
    await store.delete({ issuer: by.issuer, resource: server.url });
    expect(await store.get({ issuer: by.issuer, resource: server.url })).toBeUndefined();
  });

  it.each(['Infinity', 'soon', -1, null])('knows no end of a token that lives for %s', async (expires_in) => {
    const json = { access_token: 'a', token_type: 'Bearer', expires_in };
    const by = await startAuthorizationServer({ onToken: () => ({ json }) });
    by.tokens.set('a', { scope: '', resource: null });
    const server = await startProtectedServer({ by });
    const store = memoryTokenStore();
    await send(oauth({ ...user, store }), server.url);
    expect(await store.get({ issuer: by.issuer, resource: server.url })).toMatchObject({
      tokens: { accessToken: 'a' },
    });
    expect((await store.get({ issuer: by.issuer, resource: server.url }))?.tokens).not.toHaveProperty('expiresAt');
  });

  it('returns the refresh token of an expired token', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true, lifetime: 3600 });
    const server = await startProtectedServer({ by });
    const store = memoryTokenStore();
    await send(oauth({ ...user, store }), server.url);
    by.tokens.clear();
    travel(60 * minute);
    expect(await send(oauth({ ...user, store }), server.url)).toBe(200);
    expect(by.questions()).toHaveLength(1);
  });

  it.each([
    ['uses another redirect URI', { redirectUrl: 'http://localhost:4000/callback' }, 0],
    ['has an expired secret', {}, 60 * minute],
  ])('leads to a new registration if it %s', async (_, change, ms) => {
    const by = await startAuthorizationServer({
      clients: [{ id: 'client-a', secret: 'a', method: 'client_secret_basic' }],
      metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
    });
    const expires = Math.floor(Date.now() / 1000) + 60;
    const json = { client_id: 'client-a', client_secret: 'a', client_secret_expires_at: expires };
    by.settings.registration = { json };
    const server = await startProtectedServer({ by });
    const store = memoryTokenStore();
    await send(oauth({ ...user, store }), server.url);
    by.tokens.clear();
    travel(ms);
    expect(await send(oauth({ ...user, ...change, store }), server.url)).toBe(200);
    expect(by.requests('/register')).toHaveLength(2);
  });

  it('makes the client prefer a listed authorization server', async () => {
    const [first, by] = [await startAuthorizationServer(), await startAuthorizationServer()];
    const server = await startProtectedServer({ by });
    const store = memoryTokenStore();
    await send(oauth({ ...user, store }), server.url);
    server.protection.metadata = { authorization_servers: [first.issuer, by.issuer] };
    expect(await send(oauth({ ...user, store }), server.url)).toBe(200);
    expect(first.seen).toEqual([]);
  });
});
