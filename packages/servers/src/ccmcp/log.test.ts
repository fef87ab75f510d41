import { createServer, type LogEntry, ProtocolError, prompt, tool, ToolError } from '@ccmcp/core';
import { describe, expect, it } from 'vitest';
import { emptyFolder, handshakeVersions } from '../../../../test/support/ccmcp.ts';
import { McpClient } from '../../../../test/support/mcp-client.ts';
import { memoryWire, streamWire } from '../../../../test/support/wires.ts';
import { ccmcpServer, logCalls } from './server.ts';

const tools = [
  tool('fine', {}, () => 'done'),
  tool('fine-later', {}, async () => 'done'),
  tool('sorry', {}, () => {
    throw new ToolError('out of ink');
  }),
  tool('sorry-later', {}, async () => {
    throw new ToolError('out of paper');
  }),
  tool('refuse', {}, () => {
    throw new ProtocolError(-32602, 'not you');
  }),
];

const broken = prompt('broken', {}, () => {
  throw new Error('the password is 1234');
});

function setUp(version = '2025-11-25'): { client: McpClient; written: LogEntry[] } {
  const written: LogEntry[] = [];
  const logger = { level: 'debug', write: (entry: LogEntry) => void written.push(entry) } as const;
  const server = createServer({ name: 'ccmcp', version: '1', tools, prompts: [broken], logger }).use(logCalls);
  return { client: new McpClient(memoryWire(server), { version }), written };
}

async function call(client: McpClient, name: unknown, _meta?: object): Promise<void> {
  await client.sendRequest('tools/call', { name, ...(_meta && { _meta }) });
}

function logMessages(client: McpClient): unknown[] {
  return client.notifications('notifications/message').map(({ params }) => params);
}

function calling(name: string): object {
  return { level: 'debug', logger: 'ccmcp', data: `Calling tool: ${name}` };
}

describe('the log', () => {
  it.each(handshakeVersions)(
    'logs "Server initialized" right after the answer to initialize of %s',
    async (version) => {
      const { client, written } = setUp(version);
      await client.sendRequest('initialize', { protocolVersion: version, capabilities: {} });
      const message = { level: 'info', logger: 'ccmcp', data: 'Server initialized' };
      expect((await client.readNotification('notifications/message')).params).toEqual(message);
      expect(client.received.map((each) => ('id' in each ? 'the answer' : each.method))).toEqual([
        'the answer',
        'notifications/message',
      ]);
      expect(written).toEqual([message]);
    },
  );

  it('does not log a handshake that failed', async () => {
    const { client, written } = setUp();
    await client.sendRequest('initialize', { protocolVersion: '1.0.0', capabilities: {} });
    await client.request('ping');
    expect(logMessages(client)).toEqual([]);
    expect(written).toEqual([]);
  });

  it('names each called tool for clients that want debug messages (S-L-03)', async () => {
    const { client, written } = setUp();
    await client.initialize();
    await call(client, 'fine');
    await client.request('logging/setLevel', { level: 'debug' });
    await call(client, 'fine');
    await call(client, 'fine-later');
    expect(logMessages(client).slice(1)).toEqual([calling('fine'), calling('fine-later')]);
    expect(written.slice(1)).toEqual([calling('fine'), calling('fine'), calling('fine-later')]);
  });

  it.each([
    ['sorry', 'Tool sorry failed: out of ink'],
    ['sorry-later', 'Tool sorry-later failed: out of paper'],
    ['refuse', 'tools/call failed: not you'],
    ['nobody', 'tools/call failed: Unknown tool: nobody'],
    [undefined, 'tools/call failed: "name" must be a string: the tool to call'],
    [{ toString: 1 }, 'tools/call failed: "name" must be a string: the tool to call'],
  ])('reports that the call of %j failed', async (name, data) => {
    const { client } = setUp();
    await client.initialize();
    await call(client, name);
    expect(logMessages(client).at(-1)).toEqual({ level: 'error', logger: 'ccmcp', data });
  });

  it('truncates the name of an unknown tool', async () => {
    const { client, written } = setUp();
    await call(client, 'x'.repeat(10_000));
    await client.initialize();
    await call(client, 'x'.repeat(10_000));
    expect(Math.max(...written.map(({ data }) => String(data).length))).toBeLessThan(200);
  });

  it('does not expose the message of an unexpected error (S-L-02)', async () => {
    const { client } = setUp();
    await client.initialize();
    expect((await client.sendRequest('prompts/get', { name: 'broken' })).error).toMatchObject({ code: -32603 });
    expect(logMessages(client).at(-1)).toMatchObject({ level: 'error', data: 'prompts/get failed: unexpected error' });
    expect(JSON.stringify(client.received)).not.toContain('1234');
  });

  it('is sent to a stateless client only if its request asks for it (S-L-04)', async () => {
    const { client } = setUp('2026-07-28');
    await client.initialize();
    await call(client, 'sorry');
    expect(logMessages(client)).toEqual([]);
    const level = 'io.modelcontextprotocol/logLevel';
    await call(client, 'sorry', { [level]: 'error' });
    expect(logMessages(client)).toMatchObject([{ level: 'error' }]);
    await call(client, 'sorry', { [level]: 'debug' });
    expect(logMessages(client).slice(1)).toMatchObject([{ level: 'debug' }, { level: 'error' }]);
  });
});

describe('an error answer of the ccmcp server', () => {
  it('always has a log message for the client', async () => {
    const wire = streamWire(ccmcpServer({ root: emptyFolder(), logLevel: 'emergency' }), 'newline');
    const client = new McpClient(wire, { version: '2025-03-26' });
    await client.initialize();
    await client.request('logging/setLevel', { level: 'error' });
    const wrong = [
      'not json',
      '{"id":"1","method":"ping"}',
      '{"jsonrpc":"2.0","id":"2"}',
      '{"jsonrpc":"2.0","id":"3","method":"nope"}',
      '{"jsonrpc":"2.0","id":"4","method":"tools/list","params":[]}',
      '{"jsonrpc":"2.0","id":"5","method":"tools/call","params":{"name":"nope"}}',
      '{"jsonrpc":"2.0","id":"6","method":"tools/call","params":{"name":"hello","arguments":{}}}',
      '{"jsonrpc":"2.0","id":"7","method":"resources/read","params":{"uri":"x:y"}}',
      '{"jsonrpc":"2.0","id":"8","method":"prompts/get","params":{"name":"greet"}}',
      '{"jsonrpc":"2.0","id":"9","method":"initialize","params":{"protocolVersion":"2025-03-26"}}',
    ];
    for (const text of wrong) wire.sendText(text);
    await client.request('ping');
    const answers = client.received.filter(({ error, result }) => error !== undefined || result?.isError === true);
    expect(answers).toHaveLength(wrong.length);
    expect(logMessages(client)).toHaveLength(wrong.length);
    for (const params of logMessages(client)) {
      expect(params).toEqual({ level: 'error', logger: 'ccmcp', data: expect.any(String) });
    }
    await wire.close();
  });
});
