import { describe, expect, it } from 'vitest';
import { resourceLink } from '../../../../protocol/content.ts';
import { tool } from '../../../../server/define/define.ts';
import { answerOf, handshake, initializeRequest, post, sessionClient, textOf } from '../fixtures/client.ts';
import { start } from '../fixtures/start.ts';

const versions = ['2025-03-26', '2025-06-18', '2025-11-25'];
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const echo = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'hi' } } };

describe.each(versions)('a session of %s', (version) => {
  it('starts with the handshake and serves requests (S-H-01, S-H-04, S-V-02)', async () => {
    const { url } = await start();
    const response = await post(url, initializeRequest({ version }));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({
      id: 0,
      result: { protocolVersion: version, serverInfo: { name: 'test' } },
    });
    const session = sessionClient(url, response.headers.get('mcp-session-id') ?? '');
    const ready = await session.notify('notifications/initialized');
    expect([ready.status, await ready.text()]).toEqual([202, '']);
    expect(textOf(await session.call('echo', { text: 'hi' }))).toBe('hi');
  });

  it('ends with DELETE, after which requests are 404 (S-H-14, S-H-15, SS-04)', async () => {
    const { url } = await start();
    const session = await handshake(url, { version });
    const ended = await session.end();
    expect([ended.status, await ended.text()]).toEqual([204, '']);
    for (const response of [await session.send('ping'), await session.get(), await session.end()]) {
      expect(response.status).toBe(404);
      expect(await answerOf(response)).toMatchObject({ error: { code: -32600 } });
    }
    expect((await session.notify('notifications/initialized')).status).toBe(404);
    expect((await session.post({ jsonrpc: '2.0', id: 1, result: {} })).status).toBe(404);
  });

  it('accepts any handshake version in the header and rejects others (S-H-16)', async () => {
    const { url } = await start();
    const session = await handshake(url, { version });
    const send = async (given: string): Promise<number> => {
      const response = await session.send('ping', {}, { headers: { 'MCP-Protocol-Version': given } });
      await response.text();
      return response.status;
    };
    for (const known of ['2024-11-05', ...versions]) expect(await send(known)).toBe(200);
    for (const unknown of ['2024-10-07', '1.0', 'latest', '']) expect(await send(unknown)).toBe(400);
  });

  it('responds without fields of the stateless era (S-B-17)', async () => {
    const { url } = await start();
    const session = await handshake(url, { version });
    expect(await session.request('ping')).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const { result } = await session.request('tools/list');
    expect(Object.keys(result ?? {})).toEqual(['tools']);
  });
});

describe.each(['2025-03-26', '2025-06-18', '2025-11-25'])('a session in %s', (version) => {
  it.each(['server/discover', 'subscriptions/listen'])('does not have %s (JR-15)', async (method) => {
    const { url } = await start();
    const session = await handshake(url, { version });
    const headers = { 'MCP-Protocol-Version': version };
    for (const params of [undefined, {}, { notifications: { toolsListChanged: true } }]) {
      expect(await session.request(method, params, { headers })).toMatchObject({ error: { code: -32601 } });
    }
  });
});

describe('initialize', () => {
  it('offers the newest handshake revision for an unknown version (LC-01, S-V-03, S-V-12)', async () => {
    const { url } = await start();
    for (const version of ['2026-07-28', '2030-01-01', '2024-10-07']) {
      const response = await post(url, initializeRequest({ version }));
      expect(await response.json()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
      expect(response.headers.get('mcp-session-id')).not.toBeNull();
    }
  });

  it('starts no session if it fails (LC-02)', async () => {
    const { url } = await start();
    for (const params of [{}, { protocolVersion: '1.0.0' }, { protocolVersion: 5 }]) {
      const response = await post(url, { jsonrpc: '2.0', id: 'x', method: 'initialize', params });
      expect(response.headers.get('mcp-session-id')).toBeNull();
      expect(await response.json()).toMatchObject({ id: 'x', error: { code: -32602 } });
    }
  });

  it('is rejected if the client info is too long', async () => {
    const { url } = await start();
    const large = { experimental: { x: 'x'.repeat(900_000) } };
    const response = await post(url, initializeRequest({ capabilities: large }));
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(await response.json()).toMatchObject({
      id: 0,
      error: { code: -32602, message: expect.stringMatching(/^"capabilities" is too/) },
    });
    const text = JSON.stringify(initializeRequest());
    const deep = text.replace('{}', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    expect(await (await post(url, deep)).json()).toMatchObject({ error: { code: -32602 } });
  });

  it('is rejected in a live session (LC-03), and starts another if the session expired', async () => {
    const { url } = await start();
    const session = await handshake(url);
    const again = await session.post(initializeRequest());
    expect(again.status).toBe(400);
    const message = 'The session is already initialized: leave Mcp-Session-Id out to begin another';
    expect(await again.json()).toMatchObject({ id: 0, error: { code: -32600, message } });
    await session.end();
    const anew = await session.post(initializeRequest());
    expect(anew.status).toBe(200);
    expect(anew.headers.get('mcp-session-id')).not.toBe(session.id);
  });

  it('may carry a version header of the handshake, but not a later one', async () => {
    const { url } = await start();
    const send = (version: string): Promise<Response> =>
      post(url, initializeRequest(), { 'MCP-Protocol-Version': version });
    expect((await send('2025-06-18')).status).toBe(200);
    const contradicting = await send('2026-07-28');
    expect(contradicting.status).toBe(400);
    expect(await contradicting.json()).toMatchObject({ id: 0, error: { code: -32020 } });
  });

  it('is answered with a stream if the client accepts nothing else', async () => {
    const { url } = await start();
    const response = await post(url, initializeRequest(), { Accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const id = response.headers.get('mcp-session-id') ?? '';
    expect(await answerOf(response)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    expect(await sessionClient(url, id).request('ping')).toMatchObject({ result: {} });
  });
});

describe('without a session', () => {
  it('requests are served, and no session is created', async () => {
    const { url } = await start();
    for (const headers of [{}, { 'MCP-Protocol-Version': '2025-06-18' }]) {
      const response = await post(url, echo, headers);
      expect(response.headers.get('mcp-session-id')).toBeNull();
      expect(textOf(await answerOf(response))).toBe('hi');
    }
  });

  it('the version is that of the header, or 2025-03-26 (S-H-16)', async () => {
    const link = resourceLink({ uri: 'test://one', name: 'one' });
    const { url } = await start({}, { tools: [tool('link', {}, () => link)] });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'link' } };
    const contentType = async (headers: Record<string, string>): Promise<unknown> =>
      (await answerOf(await post(url, call, headers))).result?.content;
    expect(await contentType({})).toMatchObject([{ type: 'text' }]);
    expect(await contentType({ 'MCP-Protocol-Version': '2025-06-18' })).toMatchObject([{ type: 'resource_link' }]);
  });

  it('an unknown version is rejected for every message (S-H-16)', async () => {
    const { url } = await start();
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const message of [ping, notification, [ping], { jsonrpc: '2.0', id: 1, result: {} }]) {
      expect((await post(url, message, { 'MCP-Protocol-Version': '2020-02-02' })).status).toBe(400);
    }
  });

  it('an unknown version is quoted, up to 100 characters', async () => {
    const { url } = await start();
    const version = `x${'y'.repeat(100)}`;
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const response = await post(url, ready, { 'MCP-Protocol-Version': version });
    const message = `Unsupported MCP-Protocol-Version: "${version.slice(0, 100)}"`;
    expect([response.status, await response.json()]).toMatchObject([400, { error: { message } }]);
  });

  it('the client is never asked: the call fails with the reason', async () => {
    const { url } = await start();
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } };
    expect(await answerOf(await post(url, message))).toMatchObject({ id: 1, error: { code: -32021 } });
  });

  it('notifications get 202, responses get 400 (S-H-03, HT-37)', async () => {
    const { url } = await start();
    const notified = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([notified.status, await notified.text()]).toEqual([202, '']);
    expect((await post(url, { jsonrpc: '2.0', id: 1, result: {} })).status).toBe(400);
  });

  it('there is no stream to open and no session to end (HT-31, S-H-10)', async () => {
    const { url } = await start();
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(url, { method, headers: { Accept: 'text/event-stream' } });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });
});

describe('an unknown session', () => {
  it.each(['11111111-1111-4111-8111-111111111111', 'x', '__proto__', 'constructor', '../session', 'x'.repeat(8000)])(
    'is 404, whatever its id looks like: %j (SS-01, SS-07, SS-09)',
    async (id) => {
      const { url } = await start();
      const session = sessionClient(url, id);
      const statuses = [
        (await session.send('ping')).status,
        (await session.notify('notifications/initialized')).status,
        (await session.post([ping])).status,
        (await session.get()).status,
        (await session.end()).status,
      ];
      expect(statuses).toEqual([404, 404, 404, 404, 404]);
      const next = await handshake(url);
      expect(await next.request('ping')).toMatchObject({ result: {} });
    },
  );

  it('is an error with the id of the request (S-B-02)', async () => {
    const { url } = await start();
    const response = await sessionClient(url, 'gone').send('ping', {}, { id: 'mine' });
    expect(await response.json()).toMatchObject({ id: 'mine', error: { message: expect.stringContaining('Session') } });
  });
});

describe('a batch', () => {
  it('is answered as a batch in 2025-03-26, with a session or without (S-H-17)', async () => {
    const { url } = await start();
    const session = await handshake(url, { version: '2025-03-26' });
    const notification = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
    for (const send of [session.post, (message: unknown) => post(url, message)]) {
      const response = await send([ping, notification, { ...echo, id: 'two' }, { nonsense: true }]);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual([
        { jsonrpc: '2.0', id: 1, result: {} },
        { jsonrpc: '2.0', id: 'two', result: { content: [{ type: 'text', text: 'hi' }], isError: false } },
        { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
      ]);
    }
  });

  it('of notifications and responses gets 202 (S-H-17)', async () => {
    const { url } = await start();
    const session = await handshake(url, { version: '2025-03-26' });
    const response = await session.post([
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      { jsonrpc: '2.0', id: 99, result: {} },
    ]);
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  it('is streamed if one of its requests is, and ends with all responses', async () => {
    const { url, gates } = await start();
    const session = await handshake(url, { version: '2025-03-26' });
    gates.open('now');
    const steps = { name: 'steps', arguments: { gate: 'now' }, _meta: { progressToken: 'p' } };
    const response = await session.post([ping, { jsonrpc: '2.0', id: 2, method: 'tools/call', params: steps }]);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const last = (await answerOf(response)) as unknown as { id: unknown }[];
    expect(last.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('saves changes of the session, and cancels other requests of the session', async () => {
    const { url, server, gates } = await start();
    const session = await handshake(url, { version: '2025-03-26' });
    const standalone = await session.listen();
    const waiting = session.send('tools/call', { name: 'wait', arguments: { gate: 'g' } }, { id: 'w' });
    await gates.reached('g');
    await session.post([
      { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'test://one' } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w', reason: 'enough' } },
    ]);
    expect(await gates.aborted('g')).toBe('enough');
    expect((await waiting).status).toBe(202);
    server.resources.updated('test://one');
    expect(await standalone.message()).toMatchObject({ params: { uri: 'test://one' } });
  });

  it.each([
    ['2025-06-18', 'in a session'],
    ['2025-11-25', 'in a session'],
  ])('is rejected in %s (JR-07, S-H-17)', async (version) => {
    const { url } = await start();
    const session = await handshake(url, { version });
    for (const response of [await session.post([ping]), await post(url, [ping], { 'MCP-Protocol-Version': version })]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } });
    }
  });

  it('is rejected if it is empty, too long, or has a stateless message (JR-06)', async () => {
    const { url } = await start();
    const claim = { ...ping, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } };
    const tooMany = Array.from({ length: 101 }, (_, id) => ({ ...ping, id }));
    for (const batch of [[], [ping, claim], tooMany]) {
      const response = await post(url, batch);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } });
    }
  });

  it('rejects an initialize in it, and starts no session', async () => {
    const { url } = await start();
    const response = await post(url, [initializeRequest(), ping]);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toMatchObject([{ error: { code: -32600 } }, { result: {} }]);
  });
});

describe('an invalid body', () => {
  it.each([
    ['', -32700],
    ['{', -32700],
    ['\uFEFF{}', -32700],
    ['null', -32600],
    ['"text"', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602],
    ['{"jsonrpc":"2.0","id":1}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', -32600],
  ])('is answered with 400 and the error: %j (JR-01, JR-08, JR-13, JR-14, JR-17, JR-21)', async (body, code) => {
    const { url } = await start();
    const response = await post(url, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  it('is 400 if it is not UTF-8 (HT-34)', async () => {
    const { url } = await start();
    const body = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"pin\xff"}', 'latin1');
    const response = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32700 } });
  });
});
