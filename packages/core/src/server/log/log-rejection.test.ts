import { describe, expect, it } from 'vitest';
import { McpClient } from '../../../../../test/support/mcp-client.ts';
import { streamWire, type TextWire } from '../../../../../test/support/wires.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { tool } from '../define/define.ts';
import { connectDirect } from '../fixtures/direct-client.ts';
import type { LogEntry } from './log.ts';
import { receive } from '../receive.ts';
import { engineOf } from '../server-handle.ts';

const tools = [tool('fine', {}, () => 'done')];

function setUp({ version = '2025-03-26', ...options }: Partial<ServerOptions> & { version?: string } = {}) {
  const written: LogEntry[] = [];
  const logger = { level: 'error', write: (entry: LogEntry) => void written.push(entry) } as const;
  const server = createServer({ name: 'n', version: '1', tools, logger, logRejections: true, ...options });
  const wire: TextWire = streamWire(server, 'newline');
  const client = new McpClient(wire, { version });
  const received = (): unknown[] => client.notifications('notifications/message').map(({ params }) => params);
  return { client, wire, received, written, server };
}

const logEntry = (data: unknown): object => ({ level: 'error', logger: 'n', data });

describe('a rejection that is logged', () => {
  it.each([
    ['{', null, -32700, /^Parse error: /],
    ['{"id":7,"method":"ping"}', 7, -32600, 'Invalid request: "jsonrpc" must be "2.0"'],
    ['{"jsonrpc":"2.0","id":7}', 7, -32600, 'Invalid request: "method" is missing'],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', 7, -32602, 'Invalid params: "params" must be an object'],
    ['{"jsonrpc":"2.0","id":7,"method":"nope"}', 7, -32601, 'Method not found: nope'],
    ['{"jsonrpc":"2.0","id":7,"method":"initialize"}', 7, -32600, /already initialized$/],
    [`{"a":"${'x'.repeat(1024 * 1024)}"}`, null, -32600, /^Invalid request: /],
  ])('is sent to the client as an error, and to this side: %.40s', async (text, id, code, message) => {
    const { client, wire, received, written } = setUp();
    await client.initialize();
    wire.sendText(text);
    expect((await client.answerTo(id)).error).toMatchObject({ code });
    const data = message instanceof RegExp ? expect.stringMatching(message) : message;
    expect(received()).toEqual([logEntry(data)]);
    expect(written).toEqual([logEntry(data)]);
  });

  it('is notified of each message of a batch', async () => {
    const { client, wire, received } = setUp();
    await client.initialize();
    wire.sendText('[{"jsonrpc":"2.0","id":"a","method":"nope"},7,{"jsonrpc":"2.0","id":"b","method":"ping"}]');
    await client.request('ping');
    expect(received()).toHaveLength(2);
  });

  it('is sent to a client that has not begun a handshake after its answer', async () => {
    const { client, wire, received } = setUp();
    wire.sendText('{\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    expect((await client.answerTo(1)).error).toMatchObject({ code: -32002 });
    await client.readNotification('notifications/message');
    await client.readNotification('notifications/message');
    expect(client.received.map(({ id }) => id)).toEqual([null, 1, undefined, undefined]);
    expect(received()).toMatchObject([{ data: /^Parse error/ }, { data: /^Server not initialized/ }].map(matching));
  });

  it('obeys the level that the client has chosen', async () => {
    const { client, received, written } = setUp();
    await client.initialize();
    await client.request('logging/setLevel', { level: 'critical' });
    await client.sendRequest('nope');
    expect(received()).toEqual([]);
    expect(written).toHaveLength(1);
  });

  it('is sent to a stateless client only where the request asks for it', async () => {
    const { client, wire, received } = setUp({ version: '2026-07-28' });
    await client.initialize();
    await client.sendRequest('nope');
    wire.sendText('{');
    await client.answerTo(null);
    expect(received()).toEqual([]);
    await client.sendRequest('nope', { _meta: { 'io.modelcontextprotocol/logLevel': 'error' } });
    expect(received()).toEqual([logEntry('Method not found: nope')]);
  });

  it('is not sent by a server without logging, nor where nobody asked for that', async () => {
    for (const options of [{ capabilities: { logging: false } }, { logRejections: false }]) {
      const { client, received } = setUp(options);
      await client.initialize();
      await client.sendRequest('nope');
      await client.request('tools/list');
      expect(received()).toEqual([]);
    }
  });

  it('is none where a notification has no answer', async () => {
    const { server, written } = setUp();
    const { peer } = connectDirect(server, { version: '2025-03-26' });
    expect(receive(engineOf(server), '{"jsonrpc":"2.0","method":"notifications/x","params":[]}', peer)).toBeUndefined();
    expect(written).toEqual([]);
  });
});

function matching({ data }: { data: RegExp }): object {
  return { level: 'error', data: expect.stringMatching(data) };
}
