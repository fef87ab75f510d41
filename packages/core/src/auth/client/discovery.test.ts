import { describe, expect, it } from 'vitest';
import { startAuthorizationServer } from './fixtures/authorization-server.ts';
import { listen } from './fixtures/listen.ts';
import type { RecordedRequest } from '../../testing/authorization-server/http.ts';
import { send, startProtectedServer } from './fixtures/protected-server.ts';
import { user } from './fixtures/user.ts';
import { oauth } from './oauth.ts';

const wellKnown = '/.well-known/oauth-protected-resource';
const paths = (seen: readonly RecordedRequest[]): string[] =>
  seen.filter(({ method }) => method === 'GET').map(({ path }) => path);

describe("the server's metadata", () => {
  it('is read from the URL of the challenge (C-A-01)', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by, metadataPath: '/elsewhere' });
    expect(await send(oauth(user), server.url)).toBe(200);
    expect(paths(server.seen)).toEqual(['/elsewhere']);
  });

  it('is read from the well-known URL of the path if the challenge has none (C-A-01)', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by, announces: false });
    expect(await send(oauth(user), server.url)).toBe(200);
    expect(paths(server.seen)).toEqual([`${wellKnown}/mcp`]);
  });

  it('is read from the well-known URL of the root last (C-A-01)', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by, announces: false, metadataPath: wellKnown });
    expect(await send(oauth(user), server.url)).toBe(200);
    expect(paths(server.seen)).toEqual([`${wellKnown}/mcp`, wellKnown]);
  });

  it('has no fallback if the challenge names it', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({
      by,
      announces: false,
      challenge: `resource_metadata="${by.issuer}/no"`,
    });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'invalid_answer' });
    expect(by.requests('/register')).toEqual([]);
  });

  it('has no fallback if its server responds with 503', async () => {
    const by = await startAuthorizationServer();
    const instead = ({ path }: RecordedRequest) => (path === '/mcp' ? undefined : { status: 503 });
    const server = await startProtectedServer({ by, announces: false, metadataPath: null, instead });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it.each([
    ['another server', 'https://evil.example/mcp'],
    ['another port', 'http://127.0.0.1:1/mcp'],
    ['another path', (origin: string) => `${origin}/mcp2`],
    ['a part of it', (origin: string) => `${origin}/mcp/part`],
    ['a path that only begins alike', (origin: string) => `${origin}/mc`],
    ['one with a fragment', (origin: string) => `${origin}/mcp#a`],
    ['one with another query', (origin: string) => `${origin}/mcp?tenant=2`],
    ['no URL', 'mcp'],
  ])('about %s is rejected before anything is sent there (C-A-03)', async (_, resource) => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const { origin } = new URL(server.url);
    server.protection.metadata = { resource: typeof resource === 'string' ? resource : resource(origin) };
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'resource_mismatch' });
    expect(by.seen).toEqual([]);
  });

  it.each([
    ['', 'HTTP://127.0.0.1'],
    ['/', 'http://127.0.0.1'],
    ['/mcp', 'http://127.0.0.1'],
  ])('names the resource: %s is asked for byte by byte (C-A-03)', async (path, host) => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const resource = `${host}:${new URL(server.url).port}${path}`;
    server.protection.metadata = { resource };
    expect(await send(oauth(user), server.url)).toBe(200);
    expect(by.questions()).toMatchObject([{ resource }]);
    expect(by.forms()).toMatchObject([{ resource }]);
  });

  it.each([[[]], [undefined], ['https://auth.example'], [[1]]])(
    'must list authorization servers, not %j',
    async (authorization_servers) => {
      const by = await startAuthorizationServer();
      const server = await startProtectedServer({ by, metadata: { authorization_servers } });
      await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'invalid_answer' });
    },
  );
});

describe("the authorization server's metadata", () => {
  const oauthPlace = '/.well-known/oauth-authorization-server';
  const openidPlace = '/.well-known/openid-configuration';

  it.each([
    [undefined, oauthPlace, [oauthPlace]],
    [undefined, openidPlace, [oauthPlace, openidPlace]],
    ['/t/1', `${oauthPlace}/t/1`, [`${oauthPlace}/t/1`]],
    ['/t/1', `${openidPlace}/t/1`, [`${oauthPlace}/t/1`, `${openidPlace}/t/1`]],
    ['/t/1', `/t/1${openidPlace}`, [`${oauthPlace}/t/1`, `${openidPlace}/t/1`, `/t/1${openidPlace}`]],
  ])('of an issuer with the path %s is found at %s, in this order (C-A-02)', async (path, place, order) => {
    const metadataAt = [place as `/${string}`];
    const by = await startAuthorizationServer({ ...(path === undefined ? {} : { path }), metadataAt });
    const server = await startProtectedServer({ by });
    expect(await send(oauth(user), server.url)).toBe(200);
    expect(paths(by.seen).filter((seen) => seen.includes('.well-known'))).toEqual(order);
  });

  it('of an issuer with a path is never that of the root (C-A-02)', async () => {
    const by = await startAuthorizationServer({ path: '/t', metadataAt: [oauthPlace] });
    const server = await startProtectedServer({ by });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'invalid_answer' });
    expect(paths(by.seen)).not.toContain(oauthPlace);
  });

  it.each(['https://honest.example', undefined])('with the issuer %s is rejected (C-A-02)', async (issuer) => {
    const by = await startAuthorizationServer({ metadata: { issuer } });
    const server = await startProtectedServer({ by });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'issuer_mismatch' });
    expect(by.seen).toHaveLength(1);
  });

  it('is compared without changing a letter: a slash makes another issuer (C-A-02)', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by, metadata: { authorization_servers: [`${by.issuer}/`] } });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'issuer_mismatch' });
  });

  it.each(['?tenant=1', '#a'])('of an issuer with %s is not looked for', async (end) => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by, metadata: { authorization_servers: [`${by.issuer}${end}`] } });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'unsafe_url' });
    expect(by.seen).toEqual([]);
  });

  it.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint'])(
    'with an unsafe %s is rejected (C-A-09)',
    async (name) => {
      const by = await startAuthorizationServer({ metadata: { [name]: 'http://auth.example/x' } });
      const server = await startProtectedServer({ by });
      await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'unsafe_url' });
    },
  );

  it('rejects endpoints that are no http(s) URLs (OA-08)', async () => {
    const by = await startAuthorizationServer({ metadata: { authorization_endpoint: 'file:///bin/sh' } });
    const server = await startProtectedServer({ by });
    const shown: URL[] = [];
    const authorize = async (url: URL) => String(shown.push(url));
    await expect(send(oauth({ ...user, authorize }), server.url)).rejects.toMatchObject({ code: 'unsafe_url' });
    expect(shown).toEqual([]);
  });

  it('must name a token endpoint', async () => {
    const by = await startAuthorizationServer({ metadata: { token_endpoint: undefined } });
    const server = await startProtectedServer({ by });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'invalid_answer' });
  });
});

describe('a server without metadata of its own', () => {
  /** An old server that is its own authorization server. */
  async function startOldServer(metadata?: Record<string, unknown> | null) {
    const by = await startAuthorizationServer({
      ...(metadata === null ? { metadataAt: [] } : { metadata: metadata ?? {} }),
      otherwise: ({ path, headers }) => {
        if (path !== '/mcp') return { status: 404 };
        return { status: by.tokens.has(headers.authorization?.slice(7) ?? '') ? 200 : 401 };
      },
    });
    return { by, url: `${by.issuer}/mcp` };
  }

  it('is its own authorization server, with metadata at the root (C-A-01)', async () => {
    const { by, url } = await startOldServer();
    expect(await send(oauth(user), url)).toBe(200);
    expect(by.questions()).toMatchObject([{ resource: url, code_challenge_method: 'S256' }]);
  });

  it('may have any issuer name, and need not declare PKCE', async () => {
    const { url } = await startOldServer({
      issuer: 'https://old.example/oauth',
      code_challenge_methods_supported: undefined,
    });
    expect(await send(oauth(user), url)).toBe(200);
  });

  it('does not get the credentials of another issuer by using its name', async () => {
    const { by, url } = await startOldServer({ issuer: 'https://honest.example' });
    const client = { id: 'known', secret: 'for honest.example', issuer: 'https://honest.example' };
    await expect(send(oauth({ ...user, client }), url)).rejects.toMatchObject({ code: 'client_unknown' });
    expect(by.requests('/token')).toEqual([]);
  });

  it('has default endpoints if it has no metadata (C-A-01)', async () => {
    const { by, url } = await startOldServer(null);
    expect(await send(oauth(user), url)).toBe(200);
    expect(by.seen.map(({ path }) => path)).toEqual(expect.arrayContaining(['/register', '/authorize', '/token']));
  });

  it('is rejected if its PKCE methods lack S256 (C-A-04)', async () => {
    const { url } = await startOldServer({ code_challenge_methods_supported: ['plain'] });
    await expect(send(oauth(user), url)).rejects.toMatchObject({ code: 'pkce_unsupported' });
  });

  it('is its own authorization server if its well-known URLs return something else', async () => {
    const page = { text: '<html>' };
    let url = '';
    const by = await startAuthorizationServer({
      otherwise: ({ path, headers }) => {
        if (path !== '/mcp') return page;
        return { status: by.tokens.has(headers.authorization?.slice(7) ?? '') ? 200 : 401 };
      },
    });
    url = `${by.issuer}/mcp`;
    expect(await send(oauth(user), url)).toBe(200);
  });

  it('is sent no credentials over plain HTTP', async () => {
    const auth = oauth(user);
    const rejected = { status: 401, wwwAuthenticate: undefined, url: 'http://mcp.example/mcp' };
    await expect(auth.unauthorized(rejected)).rejects.toMatchObject({ code: 'unsafe_url' });
  });
});

describe('of several authorization servers', () => {
  it('the first is used', async () => {
    const [by, other] = [await startAuthorizationServer(), await startAuthorizationServer()];
    const server = await startProtectedServer({ by, metadata: { authorization_servers: [by.issuer, other.issuer] } });
    expect(await send(oauth(user), server.url)).toBe(200);
    expect(other.seen).toEqual([]);
  });

  it('the one with a registered client is used (C-A-07)', async () => {
    const other = await startAuthorizationServer();
    const by = await startAuthorizationServer({ clients: [{ id: 'known', method: 'none' }] });
    const server = await startProtectedServer({ by, metadata: { authorization_servers: [other.issuer, by.issuer] } });
    expect(await send(oauth({ ...user, client: { id: 'known', issuer: by.issuer } }), server.url)).toBe(200);
    expect(other.seen).toEqual([]);
  });

  it('none is used if the client is registered with none (C-A-07)', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const client = { id: 'known', secret: 'hidden', issuer: 'https://auth.example' };
    await expect(send(oauth({ ...user, client }), server.url)).rejects.toMatchObject({ code: 'client_unknown' });
    expect(by.seen).toEqual([]);
  });
});

it('an unreachable server is named in the error', async () => {
  const origin = await listen(() => ({ status: 401 }));
  const auth = oauth({ ...user, fetch: () => Promise.reject(new TypeError('fetch failed')) });
  await expect(auth.unauthorized({ status: 401, wwwAuthenticate: undefined, url: `${origin}/mcp` })).rejects.toThrow(
    `No usable answer from ${origin}${wellKnown}/mcp`,
  );
});
