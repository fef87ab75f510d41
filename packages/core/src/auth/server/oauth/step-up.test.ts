import { describe, expect, it, onTestFinished } from 'vitest';
import { compose } from '../../../compose.ts';
import { createServer } from '../../../create-server.ts';
import { resource as resourceOf, template, tool } from '../../../server/define/define.ts';
import { insufficientScope } from '../../../features/scopes/insufficient-scope.ts';
import type { Server } from '../../../server/server.ts';
import { authorizationServer } from '../../../testing/authorization-server.ts';
import { handshake, post, statelessClient } from '../../../transports/http/server/fixtures/client.ts';
import { serveHttp } from '../../../transports/http/server/serve.ts';
import { readChallenge } from '../../client/discovery.ts';
import { apiKey } from '../api-key.ts';
import { bearer, resource } from './fixtures/protected.ts';
import { oauth } from './oauth.ts';
import type { OAuthOptions } from './options.ts';

const version = '1.0.0';

function notes(): Server {
  return createServer({
    name: 'notes',
    version,
    tools: [
      tool('list', {}, () => 'listed'),
      tool('add', { scopes: ['notes:write'] }, () => 'added'),
      tool('purge', { scopes: ['notes:purge'] }, () => 'purged'),
      tool('share', {}, (_, { auth }) => {
        if (auth?.scopes?.includes('notes:share') !== true) throw insufficientScope(['notes:share']);
        return 'shared';
      }),
    ],
    resources: [resourceOf('notes://1', { scopes: ['notes:read-one'] }, () => 'one')],
    templates: [template('notes://of/{owner}', { scopes: ({ owner }) => [`of:${String(owner)}`] }, () => 'theirs')],
  });
}

/** A server whose tokens need `notes:read`, and an issuer that grants whatever is asked for. */
async function start(options: Partial<OAuthOptions> = {}, server = notes()) {
  const [issuer, other] = [await authorizationServer(), await authorizationServer()];
  const service = await serveHttp(server, {
    resource,
    sse: true,
    auth: [
      apiKey({ keys: ['a key of some length'] }),
      oauth({ issuer: [other.issuer, issuer.issuer], scopes: ['notes:read'], ...options }),
    ],
  });
  onTestFinished(async () => {
    await service.close({ graceMs: 0, lingerMs: 0 });
    await Promise.all([issuer.close(), other.close()]);
  });
  const token = (scopes: readonly string[]): string => issuer.token({ audience: resource, scopes });
  return { url: service.url, token };
}

/** The scopes of a challenge, in an HTTP response or in the result of a tool; undefined without a challenge. */
async function challengedScopes(response: Response): Promise<string[] | undefined> {
  const body = (await response.json().catch(() => ({}))) as {
    result?: { _meta?: { 'mcp/www_authenticate'?: string[] } };
  };
  const header = response.headers.get('www-authenticate') ?? body.result?._meta?.['mcp/www_authenticate']?.[0];
  return header === undefined ? undefined : readChallenge(header).scope?.split(' ');
}

describe('a challenge for more scopes', () => {
  it.each([
    ['that lacks those of the operation', ['notes:read'], ['notes:read', 'notes:write']],
    ['that lacks those of the endpoint', ['notes:write'], ['notes:read', 'notes:write']],
    ['that has others of this server', ['notes:read', 'notes:purge'], ['notes:read', 'notes:write', 'notes:purge']],
    ['that has scopes of others', ['notes:read', 'openid', 'files:read'], ['notes:read', 'notes:write']],
  ])('names all scopes that a token needs, to one %s (AR-15, S-A-06)', async (_, has, wanted) => {
    const { url, token } = await start();
    const response = await statelessClient(url, { headers: bearer(token(has)) }).sendCall('add');
    expect(response.status).toBe(403);
    expect(await challengedScopes(response)).toEqual(wanted);
  });

  it.each([
    ['over HTTP', {}],
    ['in the result of a tool', { challenge: 'result' as const }],
    [
      'of a composed server',
      {},
      (): Server => compose({ part: { server: notes(), prefix: '' } }, { name: 'all', version }),
    ],
  ])('needs one step-up per operation, %s', async (_, options, server = notes) => {
    const { url, token } = await start(options, server());
    let scopes: readonly string[] = ['notes:read'];
    const operations = [
      ['tools/call', { name: 'add', arguments: {} }],
      ['tools/call', { name: 'list', arguments: {} }],
      ['resources/read', { uri: 'notes://1' }],
      ['tools/call', { name: 'purge', arguments: {} }],
      ['tools/call', { name: 'share', arguments: {} }],
      ['resources/read', { uri: 'notes://of/ann' }],
    ] as const;
    const rejected: string[] = [];
    for (const [method, params] of [...operations, ...operations]) {
      for (let tries = 0; tries < 2; tries += 1) {
        const client = statelessClient(url, { headers: bearer(token(scopes)) });
        const asked = await challengedScopes(await client.send(method, params));
        if (asked === undefined) break;
        rejected.push(Object.values(params)[0] as string);
        scopes = asked;
      }
    }
    expect(rejected).toEqual(['add', 'notes://1', 'purge', 'share', 'notes://of/ann']);
  });

  it('names the scopes in a session and for a batch (AR-86)', async () => {
    const { url, token } = await start();
    const headers = bearer(token(['notes:read', 'notes:purge']));
    const session = await handshake(url, { headers, version: '2025-03-26' });
    const wanted = ['notes:read', 'notes:write', 'notes:purge'];
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'add', arguments: {} } };
    expect(await challengedScopes(await session.send('tools/call', call.params))).toEqual(wanted);
    expect(await challengedScopes(await post(url, [call], { ...headers, ...session.headers }))).toEqual(wanted);
  });

  it('names a scope that implies others', async () => {
    const { url, token } = await start({ implies: { editor: ['notes:write'] } });
    const client = statelessClient(url, { headers: bearer(token(['notes:read', 'editor'])) });
    const asked = await challengedScopes(await client.sendCall('purge'));
    expect(asked).toEqual(['notes:read', 'notes:purge', 'editor', 'notes:write']);
  });

  it('is bounded for callers with many scopes', async () => {
    const scopes = Array.from({ length: 100 }, (_, index) => `s${index}`);
    const tools = scopes.map((scope) => tool(`t-${scope}`, { scopes: [scope] }, () => scope));
    const { url, token } = await start({}, createServer({ name: 'many', version, tools }));
    const has = ['notes:read', ...scopes.slice(0, 99)];
    const client = statelessClient(url, { headers: bearer(token(has)) });
    const asked = await challengedScopes(await client.sendCall('t-s99'));
    expect([asked?.slice(0, 3), asked?.length]).toEqual([['notes:read', 's99', 's0'], 32]);
  });
});
