import { describe, expect, it } from 'vitest';
import { callTool, handshakeVersions, start, statelessVersion } from '../support/ccmcp.ts';
import { connectInProcess, startInProcess } from '../support/in-process.ts';
import { expectError } from '../support/mcp-client.ts';

const clientInfo = { name: 'test', version: '1' };
const meta = (version: unknown): object => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
});

const batch = JSON.stringify([
  { jsonrpc: '2.0', id: 'a', method: 'ping' },
  { jsonrpc: '2.0', method: 'notifications/unknown' },
  { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'hello', arguments: { name: 'x' } } },
  { jsonrpc: '2.0', id: 'c', method: 'unknown_method' },
]);

describe('initialize', () => {
  it.each(['2024-10-07', '2030-01-01', statelessVersion])(
    'offers the newest handshake for %s (S-V-03)',
    async (version) => {
      const { client } = startInProcess();
      const { result } = await client.sendRequest('initialize', {
        protocolVersion: version,
        capabilities: {},
        clientInfo,
      });
      expect(result.protocolVersion).toBe('2025-11-25');
    },
  );

  it('rejects an invalid version, and can be retried', async () => {
    const { client } = startInProcess();
    for (const protocolVersion of ['1.0.0', 'latest', '', 20250618, null, undefined]) {
      const answer = await client.sendRequest('initialize', { protocolVersion, capabilities: {}, clientInfo });
      expect(expectError(answer, -32602)).toMatchObject({
        message: 'Unsupported protocol version',
        data: { supported: handshakeVersions, requested: protocolVersion ?? null },
      });
    }
    expect((await client.initialize()).result.protocolVersion).toBe('2025-11-25');
  });

  it('is rejected a second time, and the session continues', async () => {
    const { client } = await connectInProcess({ version: '2025-06-18' });
    expectError(await client.initialize(), -32600);
    expect(await callTool(client, 'hello', { name: 'x' })).toBe('Hello, x!');
  });
});

describe('before initialize', () => {
  it('a ping is answered, an unknown method is not found, and other requests are rejected', async () => {
    const { client } = startInProcess();
    expect((await client.sendRequest('ping')).result).toEqual({});
    expectError(await client.sendRequest('unknown_method'), -32601);
    for (const method of ['tools/list', 'tools/call', 'resources/read', 'prompts/get', 'logging/setLevel']) {
      expect(expectError(await client.sendRequest(method), -32002).message).toMatch(/^Server not initialized/);
    }
    client.sendNotification('notifications/unknown');
    await client.initialize();
    expect(client.received.filter(({ method }) => method === undefined)).toHaveLength(8);
  });

  it('a request that names its version is served at once (S-V-10)', async () => {
    const { client } = startInProcess();
    const { result } = await client.sendRequest('tools/list', { _meta: meta(statelessVersion) });
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    const wrong = await client.sendRequest('tools/list', { _meta: meta('2030-01-01') });
    expect(expectError(wrong, -32022).data).toEqual({ supported: [statelessVersion], requested: '2030-01-01' });
  });
});

describe('both eras in one process', () => {
  it('are isolated from each other (S-B-10, S-IO-06)', async () => {
    const { client, wire } = start({ version: '2025-03-26' });
    const ask = (method: string, params: object = {}): Promise<{ result?: Record<string, unknown> }> =>
      client.sendRequest(method, { ...params, _meta: meta(statelessVersion) });
    expect((await ask('server/discover')).result).toMatchObject({ supportedVersions: [statelessVersion] });
    expect((await client.initialize()).result).toMatchObject({ protocolVersion: '2025-03-26' });
    const args = { name: 'hello', arguments: { name: 'x' } };
    for (let round = 0; round < 3; round += 1) {
      expect((await ask('tools/call', args)).result).toMatchObject({ resultType: 'complete', isError: false });
      expect(await client.request('tools/call', args)).not.toHaveProperty('resultType');
    }
    expectError(await client.sendRequest('ping', { _meta: meta(statelessVersion) }), -32601);
    expect((await client.sendRequest('ping')).result).toEqual({});
    expectError(await client.sendRequest('server/discover'), -32601);
    await wire.close();
    expect(await wire.exited).toEqual({ code: 0, signal: null });
  });
});

describe.each([...handshakeVersions, statelessVersion])('in %s', (version) => {
  it('errors reach the user, the model or the log', async () => {
    const { client, wire } = await connectInProcess({ version });

    // A tool with wrong arguments, and with right ones: for the model.
    const wrong = await callTool(client, 'add', { a: 'one' });
    expect(wrong).toMatch(/^failed: Invalid arguments for tool "add": /);
    expect(wrong).toContain('a: expected number, got string');
    expect(wrong).toContain('b: is required');
    expect(await client.request('tools/call', { name: 'echo', arguments: { message: 'x' } })).toHaveProperty(
      'isError',
      false,
    );

    // A request that can't be understood, or names what is not there: for the client (S-T-09, S-R-02).
    expectError(await client.sendRequest('tools/call', { name: 'hello', arguments: ['x'] }), -32602);
    expectError(await client.sendRequest('tools/call', {}), -32602);
    const unknown = expectError(await client.sendRequest('tools/call', { name: 'x'.repeat(5000) }), -32602);
    expect(unknown.message).toMatch(/^Unknown tool: x{100}…$/);
    const missing = await client.sendRequest('resources/read', { uri: 'nothing://here' });
    expect(expectError(missing, version === statelessVersion ? -32602 : -32002).data).toEqual({
      uri: 'nothing://here',
    });

    // A batch: an error but in one revision (S-IO-03).
    wire.sendText(batch);
    if (version === '2025-03-26') {
      expect(await client.readBatch()).toMatchObject([
        { id: 'a', result: {} },
        { id: 'b', result: { content: [{ text: 'Hello, x!' }] } },
        { id: 'c', error: { code: -32601 } },
      ]);
    } else {
      expectError(await client.answerTo(null), -32600);
    }
    expect(await callTool(client, 'hello', { name: 'x' })).toBe('Hello, x!');
  });
});

describe('an invalid message', () => {
  it('gets an error, and the next one is served (S-B-02, S-B-03)', async () => {
    const { client, wire } = await connectInProcess();
    const texts = [
      ['not json', -32700, null],
      ['{"jsonrpc":"2.0","id":5,', -32700, null],
      ['[]', -32600, null],
      ['"text"', -32600, null],
      ['{"id":5,"method":"ping"}', -32600, 5],
      ['{"jsonrpc":"1.0","id":"5","method":"ping"}', -32600, '5'],
      ['{"jsonrpc":"2.0","id":5}', -32600, 5],
      ['{"jsonrpc":"2.0","id":5,"method":7}', -32600, 5],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
      ['{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}', -32602, 5],
    ] as const;
    for (const [text, code, id] of texts) {
      wire.sendText(text);
      expectError(await client.answerTo(id), code);
      expect((await client.sendRequest('ping', undefined, 'next')).result).toEqual({});
    }
  });

  it('gets no response if it is a notification (S-B-04)', async () => {
    const { client, wire } = await connectInProcess();
    wire.sendText('{"jsonrpc":"2.0","method":"notifications/unknown"}');
    wire.sendText('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}');
    wire.sendText('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"hello"}}');
    wire.sendText('');
    await client.request('ping');
    expect(client.received.filter(({ method }) => method === undefined)).toHaveLength(2);
  });
});
