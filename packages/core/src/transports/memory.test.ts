import { describe, expect, it, vi } from 'vitest';
import { createServer, tool } from '../index.ts';
import type { Message, Response } from '../jsonrpc/message.ts';
import { handshakeVersions } from '../revisions/history.ts';
import type { Peer } from '../server/peer.ts';
import { memoryTransport, type Serving } from './memory.ts';
import { MethodTable } from '../protocol/methods.ts';

const initialize: Message[] = [
  {
    jsonrpc: '2.0',
    id: 'init',
    method: 'initialize',
    params: {
      protocolVersion: handshakeVersions.at(-1),
      capabilities: { roots: {} },
      clientInfo: { name: 'test', version: '1' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

/** A client and a server in this process, after the handshake. */
async function open() {
  const ends: unknown[] = [];
  const tools = [
    tool('later', {}, async () => 'later'),
    tool('wait', {}, (_, { signal }) => {
      signal.addEventListener('abort', () => ends.push(signal.reason));
      return new Promise<string>(() => {});
    }),
    tool('ask', {}, async (_, { roots }) => {
      try {
        return `${(await roots()).length} roots`;
      } catch (error) {
        ends.push(error);
        throw error;
      }
    }),
  ];
  const server = createServer({
    name: 'test',
    version: '1',
    tools,
    logger: { level: 'emergency', write: () => {} },
  });
  const transport = memoryTransport(server);
  const received: Message[] = [];
  await transport.start({
    methods: new MethodTable(),
    receive: (message) => void received.push(message),
    warn: () => {},
    sessionLost: () => {},
    closed: () => {},
  });
  for (const message of initialize) void transport.send(message);
  await vi.waitFor(() => expect(received).toHaveLength(1));
  const call = (name: string) => transport.send({ jsonrpc: '2.0', id: name, method: 'tools/call', params: { name } });
  return { server, transport, received, ends, call };
}

describe('the in-memory transport', () => {
  it('passes messages as objects, also lists that the server cached as text', async () => {
    const { transport, received } = await open();
    for (const id of [1, 2]) void transport.send({ jsonrpc: '2.0', id, method: 'tools/list' });
    await vi.waitFor(() => expect(received).toHaveLength(3));
    for (const id of [1, 2]) {
      expect(received[id]).toMatchObject({
        id,
        result: { tools: [{ name: 'later' }, { name: 'wait' }, { name: 'ask' }] },
      });
    }
  });

  it('sends log messages of the handshake right after its response', async () => {
    const server = createServer({ name: 'test', version: '1', logger: { level: 'emergency', write: () => {} } });
    server.use((call, next) => {
      if (call.method === 'initialize') call.log('notice', 'welcome');
      return next();
    });
    const transport = memoryTransport(server);
    const received: Message[] = [];
    await transport.start({
      methods: new MethodTable(),
      receive: (message) => void received.push(message),
      warn: () => {},
      sessionLost: () => {},
      closed: () => {},
    });
    for (const message of initialize) void transport.send(message);
    await vi.waitFor(() => expect(received).toHaveLength(2));
    expect(received).toMatchObject([{ id: 'init' }, { params: { data: 'welcome' } }]);
    await transport.close();
  });

  it('responds asynchronously, after send has returned', async () => {
    const { transport, received } = await open();
    expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).toBeUndefined();
    expect(received).toHaveLength(1);
    await Promise.resolve();
    expect(received[1]).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('awaits asynchronous responses and questions in both directions', async () => {
    const { transport, received, call } = await open();
    void call('later');
    await vi.waitFor(() =>
      expect(received[1]).toMatchObject({ id: 'later', result: { content: [{ text: 'later' }] } }),
    );
    void call('ask');
    await vi.waitFor(() => expect(received[2]).toMatchObject({ method: 'roots/list' }));
    const { id } = received[2] as { id: number };
    void transport.send({ jsonrpc: '2.0', id, result: { roots: [] } });
    await vi.waitFor(() =>
      expect(received[3]).toMatchObject({ id: 'ask', result: { content: [{ text: '0 roots' }] } }),
    );
  });

  it('cancels running calls on close, and sends nothing afterwards', async () => {
    const { server, transport, received, ends, call } = await open();
    void call('wait');
    void call('ask');
    await vi.waitFor(() => expect(received).toHaveLength(2));
    await transport.close();
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    expect(ends).toEqual([
      expect.objectContaining({ name: 'AbortError', message: 'The client disconnected' }),
      expect.objectContaining({ name: 'ConnectionError', message: 'The client disconnected' }),
    ]);
    void transport.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    server.tools.remove('later');
    server.log('error', 'too late');
    await new Promise((resolve) => setImmediate(resolve));
    expect(received).toHaveLength(2);
  });

  it('drops messages that were in flight when it was closed', async () => {
    const received: Message[] = [];
    const late: Response = { jsonrpc: '2.0', id: 1, result: {} };
    let answer: (response: Response) => void = () => {};
    let send: Peer['send'] = () => {};
    const transport = memoryTransport({
      handle(_, peer) {
        send = peer.send;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    const nothing = (): void => {};
    const receive = (message: Message): void => void received.push(message);
    await transport.start({
      methods: new MethodTable(),
      receive,
      warn: nothing,
      sessionLost: nothing,
      closed: nothing,
    });
    void transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await Promise.resolve();
    send({ jsonrpc: '2.0', method: 'notifications/message' });
    await transport.close();
    answer(late);
    send({ jsonrpc: '2.0', method: 'notifications/message' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(received).toEqual([{ jsonrpc: '2.0', method: 'notifications/message' }]);
  });

  it('does not serve messages before it is started', async () => {
    const handle = vi.fn<Serving['handle']>();
    const transport = memoryTransport({ handle });
    expect(transport.streamPerRequest).toBe(false);
    void transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await Promise.resolve();
    expect(handle).not.toHaveBeenCalled();
  });

  it('can be closed before it is started', async () => {
    await expect(memoryTransport(createServer({ name: 'test', version: '1' })).close()).resolves.toBeUndefined();
  });
});
