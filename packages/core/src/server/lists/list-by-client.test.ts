import { describe, expect, it } from 'vitest';
import { expectError, McpClient } from '../../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../../test/support/wires.ts';
import { handshakeVersions, newestHandshake, statelessVersions } from '../../revisions/history.ts';
import { compose } from '../../compose.ts';
import { createServer } from '../../create-server.ts';
import { tool } from '../define/define.ts';
import type { LegacyForm, ServerExtension } from '../extension.ts';
import type { Server } from '../server.ts';

const [feature = ''] = newestHandshake.builtInFeatures;

const legacyForm: LegacyForm = {
  feature,
  methods: {
    'tickets/draw': { serve: () => ({ drawn: 'in the legacy form' }) },
    'tickets/all': { serve: () => ({ all: [] }) },
  },
  capabilities: (tools) => ([...tools].length > 0 ? { tickets: { all: {} } } : undefined),
  describe: ({ name }) => (name === 'queue' ? { tickets: 'yes' } : undefined),
};

const tickets: ServerExtension = {
  id: 'com.example/tickets',
  era: 'stateless',
  methods: { 'tickets/draw': { serve: () => ({ drawn: 'now' }) } },
  legacyForm,
};

const options = { name: 'office', version: '1' };
const tools = [tool('queue', { description: 'Waits' }, () => 'ok'), tool('plain', {}, () => 'ok')];

async function connect(server: Server, version: string): Promise<McpClient> {
  const client = new McpClient(memoryWire(server), { version, capabilities: { extensions: { [tickets.id]: {} } } });
  await client.initialize();
  return client;
}

const server = createServer({ ...options, tools, extensions: [tickets] });

describe.each([
  ['a server', server],
  ['a composed server', compose({ server }, options)],
])('%s whose extension is built into a handshake revision', (_, offered) => {
  it('serves the requests of the legacy form there, also under names of newer ones', async () => {
    const client = await connect(offered, newestHandshake.version);
    expect(await client.request('tickets/draw')).toEqual({ drawn: 'in the legacy form' });
    expect(await client.request('tickets/all')).toEqual({ all: [] });
  });

  it('declares it in capabilities and tools of that revision, without the extension', async () => {
    const client = new McpClient(memoryWire(offered), { version: newestHandshake.version });
    const { capabilities } = (await client.initialize()).result;
    expect([capabilities.tickets, capabilities.extensions]).toEqual([{ all: {} }, undefined]);
    for (let each = 0; each < 2; each++) {
      const { tools: rows } = (await client.request('tools/list')) as { tools: Record<string, unknown>[] };
      expect(rows.map(({ name, tickets: added }) => [name, added])).toEqual([
        ['queue', 'yes'],
        ['plain', undefined],
      ]);
    }
  });

  it.each(handshakeVersions.slice(0, -1))('has nothing of it in %s', async (version) => {
    const client = new McpClient(memoryWire(offered), { version });
    const { capabilities } = (await client.initialize()).result;
    expect(Object.keys(capabilities)).not.toContain('tickets');
    expect(JSON.stringify(await client.request('tools/list'))).not.toContain('tickets');
    expectError(await client.sendRequest('tickets/draw'), -32601);
    expectError(await client.sendRequest('tickets/all'), -32601);
  });

  it.each(statelessVersions)('has only the extension in %s', async (version) => {
    const client = await connect(offered, version);
    expect(await client.request('tickets/draw')).toMatchObject({ drawn: 'now' });
    expectError(await client.sendRequest('tickets/all'), -32601);
    expect(JSON.stringify(await client.request('tools/list'))).not.toContain('tickets');
    const { capabilities } = await client.request('server/discover');
    expect([capabilities.tickets, capabilities.extensions]).toEqual([undefined, { [tickets.id]: {} }]);
  });
});

describe('two extensions', () => {
  it('may not share the name of a former request', () => {
    const other: ServerExtension = { id: 'com.example/other', methods: { 'tickets/all': { serve: () => ({}) } } };
    expect(() => createServer({ ...options, extensions: [tickets, other] })).toThrow('exists already');
  });
});
