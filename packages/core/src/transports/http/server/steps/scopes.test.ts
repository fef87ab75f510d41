import { describe, expect, it, vi } from 'vitest';
import { apiKey } from '../../../../auth/server/api-key.ts';
import { ProtocolError } from '../../../../jsonrpc/errors.ts';
import { prompt, resource, tool } from '../../../../server/define/define.ts';
import type { ServerOptions } from '../../../../create-server.ts';
import { insufficientScope } from '../../../../features/scopes/insufficient-scope.ts';
import { bearer, bearerAuth } from '../fixtures/bearer.ts';
import { answerOf, handshake, type SendOptions, statelessClient, type TestClient, textOf } from '../fixtures/client.ts';
import { readEvents } from '../fixtures/events.ts';
import { start, type StartedServer } from '../fixtures/start.ts';
import type { ServeHttpOptions } from '../serve.ts';

const id = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } as const;

interface Scoped extends StartedServer {
  /** The called tools, in order. */
  called: string[];
}

async function startScoped(options: ServeHttpOptions, settings: Partial<ServerOptions> = {}): Promise<Scoped> {
  const called: string[] = [];
  const note = (name: string) => () => {
    called.push(name);
    return name;
  };
  const tools = [
    tool('open', {}, note('open')),
    tool('read', { scopes: ['notes:read'] }, note('read')),
    tool('purge', { scopes: ['notes:read', 'notes:write'] }, note('purge')),
    tool('edit', { input: id, scopes: ({ id }) => [`edit:${id}`] }, note('edit')),
    tool('mine', { scopes: [] }, note('mine')),
    tool('found', {}, async () => {
      throw insufficientScope(['notes:admin']);
    }),
    tool('late', {}, (_, { log }) => {
      log('warning', 'so far so good');
      throw insufficientScope(['notes:admin']);
    }),
  ];
  const started = await start(options, {
    tools,
    resources: [resource('notes://1', { scopes: ['notes:read'] }, () => 'milk')],
    prompts: [prompt('plan', { scopes: ['notes:read'] }, () => 'plan')],
    ...settings,
  });
  return { ...started, called };
}

/** Clients of both eras. */
async function clients(url: string, headers: Record<string, string>): Promise<TestClient[]> {
  return [statelessClient(url, { headers }), await handshake(url, { headers })];
}

function challengeOf(response: Response): [number, string | null] {
  return [response.status, response.headers.get('www-authenticate')];
}

describe('a caller with missing scopes', () => {
  it('gets 403 with a challenge for that operation, in both eras (AR-80, AR-15, trap 5.11)', async () => {
    const { url, called } = await startScoped({ auth: bearerAuth() });
    for (const client of await clients(url, bearer('ann', 'notes:read'))) {
      const purge = await client.sendCall('purge');
      const challenge = 'Bearer error="insufficient_scope", scope="notes:read notes:write"';
      expect(challengeOf(purge)).toEqual([403, challenge]);
      expect(purge.headers.get('cache-control')).toBe('no-store');
      expect(purge.headers.get('content-type')).toBe('application/json');
      expect(await purge.json()).toMatchObject({
        jsonrpc: '2.0',
        id: expect.any(Number) as number,
        error: {
          message: 'Tool "purge" needs the scopes notes:read, notes:write, which you were not granted',
          data: { requiredScopes: ['notes:read', 'notes:write'] },
        },
      });
      const edit = await client.sendCall('edit', { id: '7' });
      expect(challengeOf(edit)).toEqual([403, 'Bearer error="insufficient_scope", scope="edit:7"']);
      expect(textOf(await client.call('read'))).toBe('read');
    }
    expect(called).toEqual(['read', 'read']);
  });

  it('gets the same for resources and prompts', async () => {
    const { url } = await startScoped({ auth: bearerAuth({ form: () => 'result' }) });
    for (const client of await clients(url, bearer('ann'))) {
      for (const [method, params] of [
        ['resources/read', { uri: 'notes://1' }],
        ['prompts/get', { name: 'plan' }],
      ] as const) {
        const response = await client.send(method, params);
        expect(challengeOf(response)).toEqual([403, 'Bearer error="insufficient_scope", scope="notes:read"']);
        expect(await response.json()).toMatchObject({ error: { data: { requiredScopes: ['notes:read'] } } });
      }
    }
  });

  it('can continue the session with a better token (AR-87)', async () => {
    const { url } = await startScoped({ auth: bearerAuth() });
    const session = await handshake(url, { headers: bearer('ann') });
    expect((await session.sendCall('read')).status).toBe(403);
    expect(textOf(await session.call('read', {}, { headers: bearer('ann', 'notes:read') }))).toBe('read');
  });

  it('gets it whatever it accepts, without a stream', async () => {
    const { url } = await startScoped({ auth: bearerAuth() });
    const headers = { ...bearer('ann'), Accept: 'text/event-stream' };
    expect((await statelessClient(url, { headers }).sendCall('read')).status).toBe(403);
  });

  it('can not subscribe to resources it may not read', async () => {
    const { url } = await startScoped({ auth: bearerAuth() });
    const notifications = { resourceSubscriptions: ['notes://1'] };
    const client = statelessClient(url, { headers: bearer('ann') });
    expect(challengeOf(await client.send('subscriptions/listen', { notifications }))).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="notes:read"',
    ]);
  });

  it('gets no challenge with an API key', async () => {
    const auth = apiKey({ keys: ['all', { key: 'some', name: 'robot', scopes: ['notes:read'] }] });
    const { url, log } = await startScoped({ auth });
    const some = statelessClient(url, { headers: { 'X-Api-Key': 'some' } });
    expect(textOf(await some.call('read'))).toBe('read');
    expect(challengeOf(await some.sendCall('purge'))).toEqual([403, null]);
    expect(textOf(await statelessClient(url, { headers: { 'X-Api-Key': 'all' } }).call('purge'))).toBe('purge');
    expect(challengeOf(await statelessClient(url).sendCall('read'))).toEqual([401, 'ApiKey header="X-Api-Key"']);
    expect(log).toEqual([]);
  });

  it('is not limited without authentication', async () => {
    const { url } = await startScoped({});
    for (const client of await clients(url, {})) {
      expect(textOf(await client.call('purge'))).toBe('purge');
      expect(textOf(await client.call('mine'))).toBe('mine');
    }
  });
});

describe('a handler that requires scopes', () => {
  it('responds with 403 if nothing was sent (AR-81)', async () => {
    const { url } = await startScoped({ auth: bearerAuth() });
    for (const client of await clients(url, bearer('ann'))) {
      const response = await client.sendCall('found');
      expect(challengeOf(response)).toEqual([403, 'Bearer error="insufficient_scope", scope="notes:admin"']);
      expect(await response.json()).toMatchObject({ error: { data: { requiredScopes: ['notes:admin'] } } });
    }
  });

  it('responds with a result that names the scopes once something was sent (AR-81)', async () => {
    const { url } = await startScoped({ auth: bearerAuth() });
    const session = await handshake(url, { headers: bearer('ann') });
    const response = await session.sendCall('late');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const answer = (await readEvents(response).rest()).at(-1);
    expect(answer).toMatchObject({
      result: {
        isError: true,
        content: [{ text: 'This needs the scope notes:admin, which you were not granted' }],
        _meta: { 'mcp/www_authenticate': ['Bearer error="insufficient_scope", scope="notes:admin"'] },
      },
    });
  });

  it('responds with 403 without a challenge if there is no authorization server', async () => {
    const { url } = await startScoped({});
    expect(challengeOf(await statelessClient(url).sendCall('found'))).toEqual([403, null]);
  });

  it('treats scope errors of another server as ordinary errors', async () => {
    const { url } = await startScoped(
      { auth: bearerAuth() },
      {
        tools: [
          tool('proxy', {}, () => {
            throw new ProtocolError(-32600, 'More is needed there', { requiredScopes: ['theirs'] });
          }),
        ],
      },
    );
    const response = await statelessClient(url, { headers: bearer('ann') }).sendCall('proxy');
    expect(challengeOf(response)).toEqual([200, null]);
  });
});

describe('hosts that read results only', () => {
  it('get the challenge in a result, with status 200 (AR-83)', async () => {
    const form = vi.fn<() => 'result'>(() => 'result');
    const { url, called } = await startScoped({ auth: bearerAuth({ form, anonymous: true }) });
    const headers: Record<string, string>[] = [bearer('ann', 'notes:read'), {}];
    const challenges = [
      'Bearer error="insufficient_scope", scope="notes:read notes:write"',
      'Bearer scope="notes:read notes:write"',
    ];
    for (const [each, own] of headers.entries()) {
      for (const client of await clients(url, own)) {
        const response = await client.sendCall('purge');
        expect(challengeOf(response)).toEqual([200, null]);
        expect(await answerOf(response)).toMatchObject({
          result: { isError: true, _meta: { 'mcp/www_authenticate': [challenges[each]] } },
        });
      }
    }
    expect(form).toHaveBeenCalled();
    expect(called).toEqual([]);
  });

  it('can be detected by their requests (AR-83)', async () => {
    const auth = bearerAuth({
      form: (request) => (request.header('user-agent')?.includes('chat') ? 'result' : 'http'),
    });
    const { url, called } = await startScoped({ auth });
    const client = statelessClient(url, { headers: bearer('ann') });
    const status = async (options: SendOptions) => (await client.sendCall('read', {}, options)).status;
    expect(await status({ headers: { 'User-Agent': 'chat/1' } })).toBe(200);
    expect(await status({ headers: { 'User-Agent': 'code/1' } })).toBe(403);
    expect(called).toEqual([]);
  });
});

describe('a mixed server', () => {
  it('serves anonymous callers without scopes, lists included, in both eras (AR-84)', async () => {
    const { url, called } = await startScoped({ auth: bearerAuth({ anonymous: true }) });
    for (const client of await clients(url, {})) {
      expect(textOf(await client.call('open'))).toBe('open');
      const { result } = await client.request('tools/list');
      expect(result?.tools).toHaveLength(7);
      expect(await client.request('resources/list')).toMatchObject({ result: { resources: [{ uri: 'notes://1' }] } });
      for (const [name, scope] of [
        ['read', 'notes:read'],
        ['mine', ''],
      ] as const) {
        expect(challengeOf(await client.sendCall(name))).toEqual([401, `Bearer scope="${scope}"`]);
      }
      expect(challengeOf(await client.sendCall('edit', { id: '7' }))).toEqual([401, 'Bearer scope="edit:7"']);
    }
    expect(called).toEqual(['open', 'open']);
    const ann = statelessClient(url, { headers: bearer('ann', 'notes:read') });
    expect(textOf(await ann.call('read'))).toBe('read');
    expect(textOf(await ann.call('mine'))).toBe('mine');
  });

  it('rejects an invalid token for every request (AR-84)', async () => {
    const { url } = await startScoped({ auth: bearerAuth({ anonymous: true }) });
    expect((await statelessClient(url, { headers: bearer('bad') }).sendCall('open')).status).toBe(401);
  });

  it('lists the security schemes of each tool, in both places (AR-84)', async () => {
    const settings = {
      tools: [
        tool('open', { _meta: { own: 1 } }, () => ''),
        tool('read', { scopes: ['notes:read'] }, () => ''),
        tool('edit', { input: id, scopes: ({ id }) => [`edit:${id}`] }, () => ''),
        tool('mine', { scopes: [] }, () => ''),
      ],
    };
    const schemes = [
      [{ type: 'noauth' }],
      [{ type: 'oauth2', scopes: ['notes:read'] }],
      [{ type: 'noauth' }, { type: 'oauth2' }],
      [{ type: 'oauth2', scopes: [] }],
    ];
    const mixed = await startScoped({ auth: bearerAuth({ anonymous: true }) }, settings);
    for (const client of await clients(mixed.url, {})) {
      for (let each = 0; each < 2; each++) {
        const { result } = await client.request('tools/list');
        const tools = result?.tools as { securitySchemes: unknown; _meta: Record<string, unknown> }[];
        expect(tools.map(({ securitySchemes }) => securitySchemes)).toEqual(schemes);
        expect(tools.map(({ _meta }) => _meta.securitySchemes)).toEqual(schemes);
        expect(tools[0]?._meta.own).toBe(1);
      }
    }
    const closed = await startScoped({ auth: bearerAuth() }, settings);
    const text = JSON.stringify(await statelessClient(closed.url, { headers: bearer('ann') }).request('tools/list'));
    expect(text).not.toContain('securitySchemes');
  });
});

describe('a batch', () => {
  async function batch(headers: Record<string, string>, items: [string, object][]) {
    const scoped = await startScoped({ auth: bearerAuth({ anonymous: true }) });
    const session = await handshake(scoped.url, { headers, version: '2025-03-26' });
    const messages = items.map(([method, params], each) => ({ jsonrpc: '2.0', id: each, method, params }));
    return { ...scoped, response: await session.post(messages) };
  }

  const calls: [string, object][] = [
    ['tools/call', { name: 'open' }],
    ['tools/call', { name: 'read' }],
    ['tools/call', { name: 'edit', arguments: { id: '7' } }],
    ['prompts/get', { name: 'plan' }],
    ['resources/read', { uri: 'notes://1' }],
  ];

  it('requires the scopes of all its requests (AR-86)', async () => {
    const { response, called } = await batch(bearer('ann', 'notes:read'), calls);
    expect(challengeOf(response)).toEqual([403, 'Bearer error="insufficient_scope", scope="notes:read edit:7"']);
    expect(await response.json()).toMatchObject({
      id: null,
      error: {
        message: 'This batch needs the scopes notes:read, edit:7, which you were not granted',
        data: { requiredScopes: ['notes:read', 'edit:7'] },
      },
    });
    expect(called).toEqual([]);
  });

  it('of an anonymous caller gets 401', async () => {
    const { response, called } = await batch({}, calls);
    expect(challengeOf(response)).toEqual([401, 'Bearer scope="notes:read edit:7"']);
    expect(called).toEqual([]);
  });

  it('is served to callers with the scopes', async () => {
    const { response, called } = await batch(bearer('ann', 'notes:read', 'edit:7'), calls);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveLength(5);
    expect(called).toEqual(['open', 'read', 'edit']);
  });

  it('whose handler requires scopes has a result for that call only (AR-81)', async () => {
    const { response } = await batch(bearer('ann', 'notes:read'), [
      ['tools/call', { name: 'open' }],
      ['tools/call', { name: 'found' }],
      ['tools/call', { name: 'edit', arguments: { id: 7 } }],
    ]);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject([
      { id: 0, result: { isError: false } },
      { id: 1, result: { isError: true, _meta: { 'mcp/www_authenticate': [expect.stringContaining('notes:admin')] } } },
      { id: 2, result: { isError: true } },
    ]);
  });
});

describe('HTTP+SSE', () => {
  it('reports missing scopes on its stream', async () => {
    const { url, called } = await startScoped({ sse: true, auth: bearerAuth({ anonymous: true }) });
    const headers = bearer('ann', 'notes:read');
    const stream = await fetch(new URL('/sse', url), { headers: { Accept: 'text/event-stream', ...headers } });
    const events = readEvents(stream);
    const to = new URL((await events.next())?.data ?? '', url);
    const send = async (method: string, params: object, id: number) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      await fetch(to, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });
      return events.message();
    };
    await send(
      'initialize',
      { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
      0,
    );
    const challenge = 'Bearer error="insufficient_scope", scope="notes:read notes:write"';
    expect(await send('tools/call', { name: 'purge' }, 1)).toMatchObject({
      result: { isError: true, _meta: { 'mcp/www_authenticate': [challenge] } },
    });
    expect(await send('tools/call', { name: 'read' }, 2)).toMatchObject({ result: { isError: false } });
    expect(called).toEqual(['read']);
  });
});
