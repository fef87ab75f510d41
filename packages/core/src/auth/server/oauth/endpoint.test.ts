import express from 'express';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpHandler } from '../../../transports/http/server/handler.ts';
import { post } from '../../../transports/http/server/fixtures/client.ts';
import { testServer } from '../../../transports/http/server/fixtures/server.ts';
import { start } from '../../../transports/http/server/fixtures/start.ts';
import { startIssuer } from './fixtures/issuer.ts';
import { bearer, metadataUrl, resource, startProtected } from './fixtures/protected.ts';
import { oauth } from './oauth.ts';
import type { OAuthOptions } from './options.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const place = '/.well-known/oauth-protected-resource';

describe('the metadata of an endpoint', () => {
  it('is served at its URL and at the well-known paths, with and without a trailing slash (AR-20, AR-21, S-A-02, S-A-03)', async () => {
    const options = { scopes: ['read', 'offline_access'], name: 'Notes', documentation: 'https://notes.example' };
    const { url, issuer } = await startProtected(options);
    for (const path of [`${place}/mcp`, `${place}/mcp/`, place, `${place}/`]) {
      const response = await fetch(new URL(path, url));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toEqual({
        resource,
        authorization_servers: [issuer.issuer],
        scopes_supported: ['read'],
        bearer_methods_supported: ['header'],
        resource_name: 'Notes',
        resource_documentation: 'https://notes.example',
      });
    }
    expect((await fetch(new URL(`${place}/other`, url))).status).toBe(404);
  });

  it('is public, readable cross-origin, and cacheable (AR-03, AR-13)', async () => {
    const { url } = await startProtected();
    const at = new URL(`${place}/mcp`, url);
    const Origin = 'https://some.page.example';
    const get = await fetch(at, { headers: { Origin } });
    expect([get.status, get.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(get.headers.get('cache-control')).toBe('public, max-age=3600');
    const head = await fetch(at, { method: 'HEAD', headers: { Origin } });
    expect([head.status, await head.text(), head.headers.get('content-type')]).toEqual([200, '', 'application/json']);
    const asked = { Origin, 'Access-Control-Request-Headers': 'mcp-protocol-version' };
    const options = await fetch(at, { method: 'OPTIONS', headers: asked });
    expect([options.status, options.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'mcp-protocol-version',
    ]);
    expect(options.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    const wrong = await fetch(at, { method: 'POST', headers: { Origin } });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('does not depend on forwarding headers of a request (AR-22)', async () => {
    const { url } = await startProtected();
    const forwarded = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'http',
      Forwarded: 'host=evil.example',
    };
    const response = await post(url, ping, forwarded);
    expect(response.headers.get('www-authenticate')).toContain(metadataUrl);
    const metadata = await fetch(new URL(place, url), { headers: forwarded });
    expect(await metadata.json()).toMatchObject({ resource });
  });

  it('includes a copy of the authorization server metadata for older clients (AR-24)', async () => {
    const { url, issuer } = await startProtected();
    const at = new URL('/.well-known/oauth-authorization-server', url);
    const copy = await fetch(at, { headers: { Origin: 'https://some.page.example' } });
    expect(copy.headers.get('access-control-allow-origin')).toBe('*');
    expect(await copy.json()).toMatchObject({ issuer: issuer.issuer, token_endpoint: expect.any(String) });
    const before = issuer.seen.length;
    await fetch(at);
    expect(issuer.seen.length).toBe(before);
    const down = await startIssuer();
    down.otherwise = () => ({ status: 500 });
    const other = await startProtected({}, {}, down);
    const none = await fetch(new URL('/.well-known/oauth-authorization-server', other.url));
    expect([none.status, none.headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('is served when mounted in a framework, by fetch and Node handlers', async () => {
    const issuer = await startIssuer();
    const handler = httpHandler(testServer().server, { resource, auth: oauth({ issuer: issuer.issuer }) });
    onTestFinished(() => handler.close());
    const app = express();
    app.use('/.well-known', handler.node);
    app.all('/mcp', handler.node);
    const http = createHttpServer(app).listen(0, '127.0.0.1');
    onTestFinished(() => void http.close());
    await once(http, 'listening');
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    expect(await (await fetch(new URL(`${place}/mcp`, url))).json()).toMatchObject({ resource });
    expect((await post(url, ping)).status).toBe(401);
    expect((await post(url, ping, bearer(await issuer.token(resource)))).status).toBe(200);

    const asked = await handler.fetch(new Request(`https://api.example.com${place}/mcp`));
    expect(await asked.json()).toMatchObject({ resource });
    const two = new Headers([
      ['Authorization', 'Bearer a'],
      ['Authorization', 'Bearer b'],
    ]);
    const rejected = await handler.fetch(new Request(resource, { method: 'POST', headers: two, body: '{}' }));
    expect(rejected.status).toBe(400);
  });
});

describe('a browser', () => {
  it('may read challenges, and send the authorization headers (AR-13)', async () => {
    const { url } = await startProtected({ dpop: 'accept' }, { allowOrigins: ['https://app.example'] });
    const Origin = 'https://app.example';
    const response = await post(url, ping, { Origin });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, Origin]);
    expect(response.headers.get('access-control-expose-headers')).toMatch(/WWW-Authenticate, DPoP-Nonce/);
    const asked = { Origin, 'Access-Control-Request-Headers': 'authorization, dpop, mcp-protocol-version' };
    const preflight = await fetch(url, { method: 'OPTIONS', headers: asked });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'authorization, dpop, mcp-protocol-version',
    ]);
  });
});

describe('an endpoint', () => {
  const issuer = 'https://login.example.com';

  it.each<[string, string | undefined, string | undefined]>([
    ['it is missing', undefined, undefined],
    ['it is no URL', 'api.example.com/mcp', undefined],
    ['it is not encrypted (AR-22)', 'http://api.example.com/mcp', undefined],
    ['it has a query (AR-22)', 'https://api.example.com/mcp?a', undefined],
    ['it has a fragment (AR-22)', 'https://api.example.com/mcp#a', undefined],
    ['it leads elsewhere (AR-23)', 'https://api.example.com/other', undefined],
    ['it leads to another path than the one given (AR-23)', 'https://api.example.com/mcp', '/other'],
  ])('fails at start if the address %s', (_, address, path) => {
    const options = { ...(address !== undefined && { resource: address }), ...(path !== undefined && { path }) };
    const begin = (): unknown => httpHandler(testServer().server, { ...options, auth: oauth({ issuer }) });
    expect(begin).toThrow(/"resource" \(--resource\)/);
  });

  it.each<[keyof OAuthOptions, Partial<OAuthOptions>]>([
    ['issuer', { issuer: 'http://login.example.com' }],
    ['issuer', { issuer: 'login.example.com' }],
    ['issuer', { issuer: 'https://login.example.com?a=b' }],
    ['issuer', { issuer: 'https://user:pass@login.example.com' }],
    ['issuer', { issuer: [] }],
    ['issuer', { issuer: () => true }],
    ['audience', { audience: [] }],
    ['audience', { audience: '' }],
    ['scopes', { scopes: ['a b'] }],
    ['scopes', { scopes: ['"'] }],
    ['leewayMs', { leewayMs: -1 }],
    ['leewayMs', { leewayMs: 3_600_000 }],
    ['revalidateMs', { revalidateMs: Number.NaN }],
    ['introspection', { introspection: { clientId: 'a' } }],
    ['introspection', { introspection: { clientId: '', clientSecret: 'b' } }],
    ['introspection', { introspection: { clientId: 'a', clientSecret: '' } }],
    ['introspection', { introspection: { clientId: 'a', clientSecret: 'b', issuer: 'https://other.example' } }],
    ['introspection', { introspection: { clientId: 'a', clientSecret: 'b', endpoint: 'http://other.example' } }],
    ['dpop', { dpop: 'on' as 'off' }],
    ['dpop', { dpop: { use: 'accept', nonce: { secret: 'short' } } }],
    ['dpop', { dpop: { use: 'off' as 'accept' } }],
    ['dpop', { dpop: { use: 'accept', replay: 'redis' as 'store' } }],
    ['challenge', { challenge: 'json' as 'http' }],
    ['algorithms', { algorithms: ['HS256' as 'RS256'] }],
    ['algorithms', { algorithms: [] }],
    ['maxRejectedTokens', { maxRejectedTokens: -1 }],
  ])('rejects a wrong %s by its name: %j (AR-23)', (name, options) => {
    expect(() => oauth({ issuer, ...options })).toThrow(new RegExp(`oauth: the option "${name}`));
  });

  it.each([
    [{ scope: ['read'] }, 'oauth has no option "scope": did you mean "scopes"?'],
    [{ dpop: { use: 'accept', replays: 'store' } }, '"dpop" of oauth has no option "replays"'],
    [{ introspection: { clientId: 'a', secret: 'b' } }, '"introspection" of oauth has no option "secret"'],
  ])('rejects unknown options: %j (AR-23)', (options, message) => {
    expect(() => oauth({ issuer, ...(options as object) })).toThrow(message);
  });

  it('is served at its public path and at the path behind the proxy, under its public host (AR-22)', async () => {
    const tokens = await startIssuer();
    const address = 'https://API.example.com:443/tools/mcp';
    const { url } = await start({ resource: address, auth: oauth({ issuer: tokens.issuer }) });
    const headers = bearer(await tokens.token('https://api.example.com/tools/mcp'));
    for (const path of ['/mcp', '/tools/mcp'])
      expect((await post(new URL(path, url).href, ping, headers)).status).toBe(200);
    const metadata = await fetch(new URL(`${place}/tools/mcp`, url));
    expect(await metadata.json()).toMatchObject({ resource: 'https://api.example.com/tools/mcp' });
    const handler = httpHandler(testServer().server, { resource: address, auth: oauth({ issuer: tokens.issuer }) });
    onTestFinished(() => handler.close());
    const { status } = await handler.fetch(new Request('https://api.example.com/tools/mcp', { method: 'POST' }));
    expect(status).toBe(401);
  });

  it('can not listen on a public address without authentication (AR-23)', async () => {
    await expect(start({ host: '0.0.0.0', resource })).rejects.toThrow('"auth" option');
  });
});
