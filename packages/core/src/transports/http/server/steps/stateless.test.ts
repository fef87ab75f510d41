import { describe, expect, it } from 'vitest';
import { tool } from '../../../../server/define/define.ts';
import { apiKey } from '../../../../auth/server/api-key.ts';
import { answerOf, handshake, post, sessionClient, statelessClient, textOf } from '../fixtures/client.ts';
import { readEvents } from '../fixtures/events.ts';
import { start } from '../fixtures/start.ts';

const M = 'io.modelcontextprotocol/';
const version = '2026-07-28';
const meta = { [`${M}protocolVersion`]: version, [`${M}clientCapabilities`]: {} };
const headers = { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/list' };
const list = { jsonrpc: '2.0', id: 'l', method: 'tools/list', params: { _meta: meta } };

describe('a stateless request', () => {
  it('is served without a handshake, with the fields of its revision (S-B-06, S-B-07, S-M-03)', async () => {
    const { url } = await start();
    const response = await post(url, list, headers);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.json()).toMatchObject({
      id: 'l',
      result: {
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { [`${M}serverInfo`]: { name: 'test' } },
      },
    });
  });

  it('ignores a session id (S-M-01, trap 8.32)', async () => {
    const { url } = await start();
    const response = await post(url, list, { ...headers, 'Mcp-Session-Id': 'made-up', 'Last-Event-ID': 'x' });
    expect(response.status).toBe(200);
    expect(response.headers.get('mcp-session-id')).toBeNull();
  });

  it('streams notifications before the result, without event ids (S-M-11, S-M-16)', async () => {
    const { url, gates } = await start();
    gates.open('g');
    const client = statelessClient(url);
    const events = readEvents(await client.sendCall('steps', { gate: 'g' }, { id: 'x', meta: { progressToken: 'p' } }));
    const all = [];
    for (let event = await events.next(); event !== undefined; event = await events.next()) all.push(event);
    expect(all.every(({ id, retry }) => id === undefined && retry === undefined)).toBe(true);
    expect(all.map(({ data }) => JSON.parse(data ?? ''))).toMatchObject([
      { params: { progress: 1 } },
      { params: { progress: 2 } },
      { params: { progress: 3 } },
      { id: 'x', result: { resultType: 'complete' } },
    ]);
  });

  it('gets log messages only if it asks for them (S-L-04)', async () => {
    const { url } = await start();
    const client = statelessClient(url);
    const quiet = await client.sendCall('say', { text: 'psst' });
    expect(quiet.headers.get('content-type')).toBe('application/json');
    const loud = await client.sendCall('say', { text: 'hey' }, { meta: { [`${M}logLevel`]: 'info' } });
    expect((await readEvents(loud).rest())[0]).toMatchObject({
      method: 'notifications/message',
      params: { data: 'hey' },
    });
  });

  it('is cancelled when its stream is closed (LC-09, S-M-13)', async () => {
    const { url, gates } = await start();
    const client = statelessClient(url);
    const events = readEvents(await client.sendCall('steps', { gate: 'g' }, { meta: { progressToken: 'p' } }));
    await events.message();
    await events.cancel();
    expect(await gates.aborted('g')).toBe('The client disconnected');
  });

  it('is cancelled by a disconnect before a JSON response too (LC-09)', async () => {
    const { url, gates } = await start();
    const controller = new AbortController();
    const sending = statelessClient(url).sendCall('wait', { gate: 'g' }, { signal: controller.signal });
    await gates.reached('g');
    controller.abort();
    await expect(sending).rejects.toThrow('abort');
    expect(await gates.aborted('g')).toBe('The client disconnected');
  });

  it('may have the same id as others (JR-40, trap 8.24)', async () => {
    const { url } = await start();
    const client = statelessClient(url);
    const calls = Array.from({ length: 20 }, (_, each) => client.call('later', { text: `${each}` }, { id: 1 }));
    expect((await Promise.all(calls)).map(textOf)).toEqual(calls.map((_, each) => `${each}`));
  });
});

describe('the era of a request', () => {
  const claim = (params: object): object => ({ jsonrpc: '2.0', id: 5, method: 'tools/list', params });

  it.each([
    ['a header without _meta', { jsonrpc: '2.0', id: 5, method: 'tools/list' }, headers, 400, -32602],
    ['_meta without a version (LC-05)', claim({ _meta: { [`${M}clientCapabilities`]: {} } }), headers, 400, -32602],
    [
      '_meta without capabilities (LC-06)',
      claim({ _meta: { [`${M}protocolVersion`]: version } }),
      headers,
      400,
      -32602,
    ],
    ['_meta of the wrong type (JR-24)', claim({ _meta: 5 }), headers, 400, -32602],
    ['a version of the wrong type', claim({ _meta: { ...meta, [`${M}protocolVersion`]: 5 } }), headers, 400, -32602],
    ['an unknown log level', claim({ _meta: { ...meta, [`${M}logLevel`]: 'loud' } }), headers, 400, -32602],
    [
      'a version that nobody knows, in both (LC-07, S-V-07)',
      claim({ _meta: { ...meta, [`${M}protocolVersion`]: 'v999' } }),
      { ...headers, 'MCP-Protocol-Version': 'v999' },
      400,
      -32022,
    ],
    [
      'a version that nobody knows, in the body only',
      claim({ _meta: { ...meta, [`${M}protocolVersion`]: 'v999' } }),
      headers,
      400,
      -32020,
    ],
    [
      'a version of the handshake in _meta',
      claim({ _meta: { ...meta, [`${M}protocolVersion`]: '2025-11-25' } }),
      { ...headers, 'MCP-Protocol-Version': '2025-11-25' },
      400,
      -32022,
    ],
    ['no version header (HT-44, S-M-04)', claim({ _meta: meta }), { 'Mcp-Method': 'tools/list' }, 400, -32020],
    [
      'another version header (HT-45, S-M-04)',
      claim({ _meta: meta }),
      { ...headers, 'MCP-Protocol-Version': '2025-11-25' },
      400,
      -32020,
    ],
    [
      'initialize in the stateless era (S-V-12, trap 8.5)',
      { jsonrpc: '2.0', id: 5, method: 'initialize', params: { _meta: meta } },
      { ...headers, 'Mcp-Method': 'initialize' },
      404,
      -32601,
    ],
    [
      'a method that nobody knows (JR-15, S-V-09)',
      { jsonrpc: '2.0', id: 5, method: 'no/such', params: { _meta: meta } },
      { ...headers, 'Mcp-Method': 'no/such' },
      404,
      -32601,
    ],
    ['discovery without _meta', { jsonrpc: '2.0', id: 5, method: 'server/discover' }, {}, 400, -32602],
  ])('%s', async (_, message, given, status, code) => {
    const { url } = await start();
    const response = await post(url, message, given);
    expect(response.status).toBe(status);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 5, error: { code } });
  });

  it.each([
    ['origin before key', { Origin: 'http://evil.example' }, {}, 'tools/list', 403, -32600],
    ['key before content type', { 'X-Api-Key': 'wrong', 'Content-Type': 'text/plain' }, {}, 'tools/list', 401, -32600],
    ['content type before content', { 'Content-Type': 'text/plain' }, {}, '', 415, -32600],
    [
      'version before method header',
      { 'MCP-Protocol-Version': 'v9', 'Mcp-Method': 'x' },
      { version: 'v9' },
      'tools/list',
      400,
      -32022,
    ],
    ['_meta before method header', { 'Mcp-Method': 'x' }, { capabilities: 5 }, 'tools/list', 400, -32602],
    ['method header before method', { 'Mcp-Method': 'x' }, {}, 'no/such', 400, -32020],
    ['method before name', { 'Mcp-Name': 'x' }, {}, 'no/such', 404, -32601],
    ['name before tool', { 'Mcp-Name': 'x' }, { name: 'nobody' }, 'tools/call', 400, -32020],
    [
      'argument before capability',
      { 'Mcp-Param-StreamPosition': 'x' },
      { name: 'ask-there', arguments: { place: 'y' } },
      'tools/call',
      400,
      -32020,
    ],
    [
      'capability before the handler is done',
      { 'Mcp-Param-StreamPosition': 'y' },
      { name: 'ask-there', arguments: { place: 'y' } },
      'tools/call',
      400,
      -32021,
    ],
  ])('what is checked first is answered first: %s', async (_, given, body, method, status, code) => {
    const input = {
      type: 'object',
      properties: { place: { type: 'string', 'x-mcp-header': 'StreamPosition' } },
    } as const;
    const askThere = tool('ask-there', { input }, async (_args, { roots }) => String((await roots()).length));
    const { url } = await start({ auth: apiKey({ keys: ['k'] }) }, { tools: [askThere] });
    const { version: claimed = version, capabilities = {}, ...params } = body as Record<string, unknown>;
    const _meta = { [`${M}protocolVersion`]: claimed, [`${M}clientCapabilities`]: capabilities };
    const message = method === '' ? '{' : { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
    const name = typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {};
    const sent = { 'X-Api-Key': 'k', 'MCP-Protocol-Version': version, 'Mcp-Method': method, ...name, ...given };
    const response = await post(url, message, sent);
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
  });

  it('sends errors of methods with status 200', async () => {
    const { url } = await start();
    const client = statelessClient(url);
    const unknownTool = await client.sendCall('nobody');
    expect([unknownTool.status, await unknownTool.json()]).toMatchObject([200, { error: { code: -32602 } }]);
    const unknownResource = await client.send('resources/read', { uri: 'test://nothing' });
    expect([unknownResource.status, await unknownResource.json()]).toMatchObject([200, { error: { code: -32602 } }]);
    const badCursor = await client.send('tools/list', { cursor: 'x' });
    expect([badCursor.status, await badCursor.json()]).toMatchObject([200, { error: { code: -32602 } }]);
  });

  it('sends an error with its own status as JSON, even to a client that accepts only streams (S-M-10)', async () => {
    const { url } = await start();
    const response = await statelessClient(url).send('no/such', {}, { headers: { Accept: 'text/event-stream' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json']);
  });
});

describe('other stateless messages', () => {
  it('accepts notifications with or without headers (S-M-02, trap 8.31)', async () => {
    const { url, gates } = await start();
    const session = await handshake(url);
    const running = session.sendCall('wait', { gate: 'g' }, { id: 1 });
    await gates.reached('g');
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: meta } };
    for (const given of [{}, { 'MCP-Protocol-Version': version }]) {
      const response = await post(url, cancelled, { ...given, 'Mcp-Session-Id': session.id });
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
    const plain = { jsonrpc: '2.0', method: 'notifications/whatever' };
    expect((await post(url, plain, { 'MCP-Protocol-Version': version })).status).toBe(202);
    gates.open('g');
    expect(textOf(await answerOf(await running))).toBe('passed g');
  });

  it('rejects a notification with a mismatched header (trap 8.31)', async () => {
    const { url } = await start();
    const notification = { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: meta } };
    const response = await post(url, notification, { 'MCP-Protocol-Version': '2025-11-25' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32020 } });
  });

  it('rejects responses and batches (HT-48, S-M-02)', async () => {
    const { url } = await start();
    const given = { 'MCP-Protocol-Version': version };
    for (const message of [{ jsonrpc: '2.0', id: 1, result: {} }, [list], []]) {
      const response = await post(url, message, given);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: -32600 } });
    }
  });

  it('never responds with 404 for an unknown session (trap 8.22)', async () => {
    const { url } = await start();
    const gone = sessionClient(url, 'gone');
    expect((await gone.send('ping')).status).toBe(404);
    expect((await gone.post(list, { headers })).status).toBe(200);
  });
});
