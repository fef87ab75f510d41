import { expect } from 'vitest';
import { expectError } from '../support/mcp-client.ts';
import { everywhere, feature, onEveryWire, versions, pipes } from './cells.ts';

const handshakeVersions = versions.slice(0, -1);
const M = 'io.modelcontextprotocol/';

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};
const serverInfo = {
  name: 'everything',
  version: '1.2.3',
  title: 'Everything',
  description: 'A server with all there is',
  websiteUrl: 'https://example.com/everything',
  icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
};
const instructions = 'Try everything once.';

feature('meeting the server', {
  '2024-11-05': [
    'initialize gives the version that was asked for, and what the server is (S-V-01, S-V-02, S-L-01)',
    async ({ open, version }) => {
      const client = open();
      const { result } = await client.initialize();
      expect(result).toEqual({ protocolVersion: version, capabilities, serverInfo, instructions });
    },
  ],
  '2026-07-28': [
    'discover gives the versions, and what the server is (S-V-06, S-B-07)',
    async ({ open }) => {
      const client = open();
      const { result } = await client.initialize();
      expect(result).toEqual({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities,
        instructions,
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { [`${M}serverInfo`]: serverInfo },
      });
    },
  ],
});

feature(
  'the method of the other era',
  {
    '2024-11-05': [
      'discover does not exist after a handshake (S-V-09)',
      async ({ connect }) => {
        const client = await connect();
        expectError(await client.sendRequest('server/discover'), -32601);
        expectError(await client.sendRequest('subscriptions/listen', { notifications: {} }), -32601);
      },
    ],
    '2026-07-28': [
      'initialize, and all that went with it, does not exist in the stateless era (S-V-12)',
      async ({ connect }) => {
        const client = await connect();
        const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
        expectError(await client.sendRequest('initialize', params), -32601);
        expectError(await client.sendRequest('logging/setLevel', { level: 'debug' }), -32601);
        expectError(await client.sendRequest('resources/subscribe', { uri: 'text://hello' }), -32601);
        expectError(await client.sendRequest('resources/unsubscribe', { uri: 'text://hello' }), -32601);
      },
    ],
  },
  { wires: pipes },
);

feature('ping', {
  '2024-11-05': [
    'is answered with an empty result, before the handshake too (S-PI-01)',
    async ({ open }) => {
      const client = open();
      expect((await client.sendRequest('ping')).result).toEqual({});
      await client.initialize();
      expect((await client.sendRequest('ping')).result).toEqual({});
    },
  ],
  '2026-07-28': [
    'does not exist',
    async ({ connect }) => {
      const client = await connect();
      expectError(await client.sendRequest('ping'), -32601);
    },
  ],
});

everywhere('an unknown method is not found, however the client spells it (S-V-09)', async ({ connect }) => {
  const client = await connect();
  for (const method of ['no/such', 'TOOLS/LIST', 'tools/', '', 'constructor', '__proto__', 'tasks/get', 'roots/list']) {
    expectError(await client.sendRequest(method, {}), -32601);
  }
  expect(expectError(await client.sendRequest('x'.repeat(5000)), -32601).message.length).toBeLessThan(200);
});

everywhere('a notification is never answered, known or not (S-B-04)', async ({ connect }) => {
  const client = await connect();
  const before = client.received.length;
  client.sendNotification('notifications/no-such');
  client.sendNotification('notifications/cancelled');
  client.sendNotification('notifications/cancelled', { requestId: 'nobody' });
  client.sendNotification('notifications/roots/list_changed');
  client.sendNotification('notifications/progress', { progressToken: 1, progress: 1 });
  client.sendNotification('tools/list');
  await client.request('tools/list');
  expect(client.received).toHaveLength(before + 1);
});

everywhere(
  'an answer to nothing that was asked is dropped',
  async ({ connect }) => {
    const client = await connect();
    client.wire.send({ jsonrpc: '2.0', id: 4711, result: {} });
    client.wire.send({ jsonrpc: '2.0', id: 'x', error: { code: -1, message: 'No' } });
    const before = client.received.length;
    await client.request('tools/list');
    expect(client.received).toHaveLength(before + 1);
  },
  { wires: pipes },
);

everywhere('an answer has the id of its request, type and all (S-B-02)', async ({ connect }) => {
  const client = await connect();
  for (const id of [7, '7', 0, -1, '', Number.MAX_SAFE_INTEGER, 'ünï-☃']) {
    const answer = await client.sendRequest('tools/call', { name: 'whoami' }, id);
    expect(answer.id).toBe(id);
    expect(answer.result.structuredContent.requestId).toBe(id);
  }
});

everywhere(
  '7 and "7" may run at the same time, and be cancelled each by itself (S-B-02)',
  async ({ connect, log }) => {
    const client = await connect();
    client.post('tools/call', { name: 'wait' }, 7);
    await log.until('wait: started');
    expect((await client.sendRequest('tools/call', { name: 'nothing' }, '7')).result.isError).toBe(false);
    client.sendNotification('notifications/cancelled', { requestId: '7' });
    expectError(await client.sendRequest('tools/call', { name: 'nothing' }, 7), -32600);
    client.sendNotification('notifications/cancelled', { requestId: 7 });
    expect((await client.sendRequest('tools/call', { name: 'nothing' }, 7)).result.isError).toBe(false);
  },
  { wires: pipes },
);

everywhere(
  'a second request with the id of a running one is rejected, the first goes on',
  async ({ connect, log }) => {
    const client = await connect();
    client.post('tools/call', { name: 'wait' }, 'twin');
    await log.until('wait: started');
    expectError(await client.sendRequest('tools/list', {}, 'twin'), -32600);
    client.sendNotification('notifications/cancelled', { requestId: 'twin', reason: 'enough' });
    await log.until('wait: AbortError: enough');
  },
  { wires: pipes },
);

everywhere(
  'more requests at a time than the server allows are turned away, and later served',
  async ({ connect, log }) => {
    const client = await connect();
    client.post('tools/call', { name: 'wait' }, 'one');
    await log.until('wait: started');
    const error = expectError(await client.sendRequest('tools/call', { name: 'nothing' }), -32603);
    expect(error.message).toContain('Server busy');
    client.sendNotification('notifications/cancelled', { requestId: 'one' });
    expect((await client.request('tools/call', { name: 'nothing' })).isError).toBe(false);
  },
  { server: { maxRunning: 1 }, wires: pipes },
);

onEveryWire('the version of a handshake: a date that is unknown gets the newest (S-V-03, S-V-12)', async ({ open }) => {
  for (const protocolVersion of ['2024-10-07', '2026-07-28', '2099-01-01', '1999-12-31']) {
    const client = open({ version: protocolVersion });
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    client.wire.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect((await client.answerTo(1)).result.protocolVersion).toBe('2025-11-25');
  }
});

onEveryWire(
  'the version of a handshake: what is no date is rejected, and a proper one accepted after it',
  async ({ open }) => {
    const client = open({ version: '2025-06-18' });
    for (const protocolVersion of [
      '1.0.0',
      'v999.0.0',
      '',
      '2025-06-18T00:00',
      20250618,
      null,
      undefined,
      {},
      ['2025-06-18'],
    ]) {
      const answer = await client.sendRequest('initialize', { protocolVersion, capabilities: {} });
      expect(expectError(answer, -32602)).toEqual({
        code: -32602,
        message: 'Unsupported protocol version',
        data: { supported: handshakeVersions, requested: protocolVersion ?? null },
      });
    }
    expect((await client.initialize()).result.protocolVersion).toBe('2025-06-18');
  },
);

onEveryWire(
  'strict versions: every unknown version is rejected, known ones are not',
  async ({ open }) => {
    const client = open({ version: '2024-11-05' });
    for (const requested of ['2024-10-07', '2026-07-28', '2099-01-01']) {
      const answer = await client.sendRequest('initialize', { protocolVersion: requested, capabilities: {} });
      expect(expectError(answer, -32602).data).toEqual({ supported: handshakeVersions, requested });
    }
    expect((await client.initialize()).result.protocolVersion).toBe('2024-11-05');
  },
  { server: { strictVersions: true } },
);

onEveryWire('a handshake that says nonsense of its client is rejected', async ({ open }) => {
  const client = open({ version: '2025-11-25' });
  const protocolVersion = '2025-11-25';
  expectError(await client.sendRequest('initialize', { protocolVersion, capabilities: [] }), -32602);
  expectError(await client.sendRequest('initialize', { protocolVersion, capabilities: 'all' }), -32602);
  expectError(await client.sendRequest('initialize', { protocolVersion, capabilities: {}, clientInfo: 'me' }), -32602);
  expectError(await client.sendRequest('initialize'), -32602);
  expect((await client.initialize()).result.protocolVersion).toBe(protocolVersion);
});

feature(
  'before the handshake',
  {
    '2024-11-05': [
      'a request is rejected because the server is not initialized; an unknown method is not found',
      async ({ open }) => {
        const client = open();
        expectError(await client.sendRequest('tools/list'), -32002);
        expectError(await client.sendRequest('tools/call', { name: 'nothing', _meta: { progressToken: 1 } }), -32002);
        expectError(await client.sendRequest('no/such'), -32601);
        const half = { 'io.modelcontextprotocol/clientCapabilities': {} };
        expectError(await client.sendRequest('tools/list', { _meta: half }), -32602);
        client.sendNotification('notifications/initialized');
        expectError(await client.sendRequest('tools/list'), -32002);
        await client.initialize();
        expect((await client.sendRequest('tools/list')).result.tools).not.toHaveLength(0);
        const related = { 'io.modelcontextprotocol/related-task': { taskId: '1' } };
        expect((await client.sendRequest('tools/list', { _meta: related })).result.tools).not.toHaveLength(0);
      },
    ],
    '2026-07-28': [
      'a request that introduces its sender is served at once (S-B-10)',
      async ({ open }) => {
        const client = open();
        expect((await client.sendRequest('tools/list')).result.tools).not.toHaveLength(0);
      },
    ],
  },
  { wires: pipes },
);

feature(
  'a second handshake',
  {
    '2024-11-05': [
      'is rejected, and the first one stands',
      async ({ connect, version }) => {
        const client = await connect();
        const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
        expectError(await client.sendRequest('initialize', params), -32600);
        const { content } = await client.request('tools/call', { name: 'blocks' });
        expect(content.some(({ type }: { type: string }) => type === 'audio')).toBe(version > '2024-11-05');
      },
    ],
    '2026-07-28': [
      'is no different from a first one: there is none',
      async ({ connect }) => {
        const client = await connect();
        expect((await client.initialize()).result.supportedVersions).toEqual(['2026-07-28']);
      },
    ],
  },
  { wires: pipes },
);

everywhere(
  'a request that names a version which does not exist gets an error that says which do (S-V-07)',
  async ({ connect }) => {
    const client = await connect();
    for (const requested of ['2099-01-01', 'v999.0.0', '2025-11-25', '']) {
      const _meta = { [`${M}protocolVersion`]: requested, [`${M}clientCapabilities`]: {} };
      const answer = await client.sendRequest('tools/list', { _meta });
      expect(expectError(answer, -32022).data).toEqual({ supported: ['2026-07-28'], requested });
    }
  },
);

everywhere('a request that introduces its sender badly is invalid (S-V-08, S-L-05)', async ({ connect }) => {
  const client = await connect();
  const proper = { [`${M}protocolVersion`]: '2026-07-28', [`${M}clientCapabilities`]: {} };
  const wrong: unknown[] = [
    { ...proper, [`${M}protocolVersion`]: 20260728 },
    { ...proper, [`${M}protocolVersion`]: null },
    { ...proper, [`${M}clientCapabilities`]: [] },
    { ...proper, [`${M}clientCapabilities`]: 'all' },
    { ...proper, [`${M}clientInfo`]: 'me' },
    { ...proper, [`${M}logLevel`]: 'loud' },
    { ...proper, [`${M}logLevel`]: 3 },
  ];
  for (const [index, _meta] of wrong.entries()) {
    client.wire.send({ jsonrpc: '2.0', id: `wrong-${index}`, method: 'tools/list', params: { _meta } });
    expectError(await client.answerTo(`wrong-${index}`), -32602);
  }
  const { [`${M}clientCapabilities`]: _, ...missing } = proper;
  client.wire.send({ jsonrpc: '2.0', id: 'missing', method: 'tools/list', params: { _meta: missing } });
  expect(expectError(await client.answerTo('missing'), -32602).message).toContain(`${M}clientCapabilities`);
  client.wire.send({ jsonrpc: '2.0', id: 'no-object', method: 'tools/list', params: { _meta: 'none' } });
  expectError(await client.answerTo('no-object'), -32602);
  client.wire.send({ jsonrpc: '2.0', id: 'nameless', method: 'tools/list', params: { _meta: proper } });
  expect((await client.answerTo('nameless')).result.tools).not.toHaveLength(0);
});

onEveryWire(
  'discover without an introduction, before any handshake, gets an error that says what is missing (S-V-08)',
  async ({ open }) => {
    const client = open({ version: '2025-11-25' });
    const error = expectError(await client.sendRequest('server/discover'), -32602);
    expect(error.message).toContain(`${M}protocolVersion`);
    expect(error.message).toContain(`${M}clientCapabilities`);
  },
);

const introduction = {
  [`${M}protocolVersion`]: '2026-07-28',
  [`${M}clientCapabilities`]: { roots: {} },
  [`${M}clientInfo`]: { name: 'guest', version: '2' },
};

feature('both eras on one connection', {
  '2024-11-05': [
    'are served side by side, neither knowing of the other (S-V-10, S-B-10)',
    async ({ open, version }) => {
      const client = open({ capabilities: { sampling: {} } });
      client.post('server/discover', { _meta: introduction }, 'probe');
      client.post(
        'initialize',
        { protocolVersion: version, capabilities: { sampling: {} }, clientInfo: { name: 'c', version: '1' } },
        'hello',
      );
      expect((await client.answerTo('probe')).result.supportedVersions).toEqual(['2026-07-28']);
      expect((await client.answerTo('hello')).result.protocolVersion).toBe(version);
      client.sendNotification('notifications/initialized');

      const abilities = { name: 'abilities' };
      client.post('tools/call', abilities, 1);
      client.post('tools/call', { ...abilities, _meta: introduction }, 2);
      client.post('tools/call', { name: 'blocks', _meta: introduction }, 3);
      client.post('tools/call', { name: 'blocks' }, 4);
      client.post('ping', {}, 5);
      client.post('ping', { _meta: introduction }, 6);
      expect((await client.answerTo(1)).result).toEqual({
        content: [{ type: 'text', text: 'sample' }],
        isError: false,
      });
      expect((await client.answerTo(2)).result).toMatchObject({ content: [{ text: 'roots' }], resultType: 'complete' });
      const types = async (id: number): Promise<string[]> =>
        (await client.answerTo(id)).result.content.map((block: { type: string }) => block.type);
      expect(await types(3)).toContain('resource_link');
      expect((await types(4)).includes('resource_link')).toBe(version >= '2025-06-18');
      expect((await client.answerTo(5)).result).toEqual({});
      expectError(await client.answerTo(6), -32601);
    },
  ],
  '2026-07-28': [
    'a handshake may come after stateless requests, which go on (S-IO-06)',
    async ({ connect }) => {
      const client = await connect();
      await client.request('tools/list');
      const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'late', version: '1' } };
      client.wire.send({ jsonrpc: '2.0', id: 'late', method: 'initialize', params });
      expect((await client.answerTo('late')).result.protocolVersion).toBe('2025-03-26');
      client.wire.send({ jsonrpc: '2.0', id: 'who', method: 'tools/call', params: { name: 'whoami' } });
      expect((await client.answerTo('who')).result.structuredContent.client).toBe('late');
      const { structuredContent } = await client.request('tools/call', { name: 'whoami' });
      expect(structuredContent.client).toBe('test-client');
    },
  ],
});

everywhere('clients of one server know nothing of each other', async ({ connect }) => {
  const [first, second] = await Promise.all([connect({ capabilities: { roots: {} } }), connect()]);
  expect((await first.request('tools/call', { name: 'abilities' })).content[0].text).toBe('roots');
  expect((await second.request('tools/call', { name: 'abilities' })).content[0].text).toBe('');
});
