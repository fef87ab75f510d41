import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, it, vi } from 'vitest';
import { createServer, tool } from '../../../index.ts';
import { contentLengthFraming } from '../../../jsonrpc/framing/content-length.ts';
import { readAll } from '../../../jsonrpc/framing/fixtures/read-all.ts';
import { serveStdio } from '../../../stdio.ts';
import { call, initialize, request, textOf } from '../fixtures/messages.ts';
import { open } from '../fixtures/open.ts';
import { createInbox } from '../fixtures/inbox.ts';
import { engineOf } from '../../../server/server-handle.ts';

const logger = { level: 'emergency', write: () => {} } as const;

const server = createServer({
  name: 'test',
  version: '1.0.0',
  tools: [
    tool(
      'echo',
      { input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
      ({ text }) => text,
    ),
    tool('length', { input: { type: 'object', properties: { text: { type: 'string' } } } }, ({ text }) =>
      String(text?.length),
    ),
    tool('later', {}, async () => 'later'),
    tool('cyclic', {}, () => {
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      return { content: [], structuredContent: circle };
    }),
    tool('ask', {}, async (_, { roots }) => (await roots()).map(({ uri }) => uri).join()),
    tool('two-steps', {}, (_, { progress }) => {
      for (const step of [1, 2]) progress(step);
      return 'done';
    }),
    tool('two-lines', {}, (_, { log }) => {
      for (const line of ['a', 'b']) log('error', line);
      return 'done';
    }),
    tool('three-steps', {}, async (_, { progress }) => {
      for (const step of [1, 2, 3]) progress(step);
      return 'done';
    }),
  ],
  logger,
});

const line = (message: object) => `${JSON.stringify(message)}\n`;
const bytesOf = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

describe('messages on stdio', () => {
  it('writes nothing before the first request (SF-01)', async () => {
    const { send, answer, received } = open(server);
    send(request(1, 'server/discover'));
    await answer(1);
    expect(received).toHaveLength(1);
  });

  it.each([
    ['at once', (next: () => unknown) => next()],
    ['after a while', async (next: () => unknown) => next()],
  ])('tells what is logged during a handshake that is served %s right after its answer', async (_, serve) => {
    const greeting = createServer({ name: 'test', version: '1', logger });
    greeting.use((operation, next) => {
      if (operation.method === 'initialize') operation.log('notice', 'welcome');
      return serve(next) as ReturnType<typeof next>;
    });
    const { send, answer, received } = open(greeting);
    send(...initialize(), { jsonrpc: '2.0', id: 'last', method: 'ping' });
    await answer('last');
    await answer('init');
    await expect.poll(() => received.length).toBe(3);
    const notified = received.map(({ id, params }) => id ?? (params as { data: string }).data);
    expect(notified[notified.indexOf('init') + 1]).toBe('welcome');
  });

  it('serves a message that arrives byte by byte, also inside characters (SF-02, SF-06)', async () => {
    const { write, answer } = open(server);
    for (const byte of bytesOf(line(call(1, 'echo', { text: 'é€😀' })))) write(byte);
    expect(textOf(await answer(1))).toBe('é€😀');
  });

  it('answers each of a hundred messages of one chunk once, in one write (SF-03)', async () => {
    const { send, answer, received, output } = open(server);
    let writes = 0;
    output.on('data', () => writes++);
    send(...Array.from({ length: 100 }, (_, id) => call(id, 'echo', { text: 'x' })));
    await answer(99);
    expect(received.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, id) => id));
    expect(writes).toBe(1);
  });

  it('accepts CRLF, blank lines, a byte order mark and a line of NUL bytes (SF-04, SF-05, SF-08, SF-10)', async () => {
    const { write, answer, received } = open(server);
    write(`\uFEFF${JSON.stringify(call(1, 'echo', { text: 'a' }))}\r\n`);
    write(`\n \r\n\0\0\0\n${line(call(2, 'echo', { text: 'b' }))}`);
    await answer(2);
    expect(received.map(({ id }) => id)).toEqual([1, null, 2]);
    expect(received[1]).toMatchObject({ error: { code: -32700 } });
  });

  it('escapes line breaks in strings (SF-07, S-IO-01)', async () => {
    const { send, answer } = open(server);
    const text = 'a\nb\r\nc\u2028d\u2029e\u0085f';
    send(call(1, 'echo', { text }));
    expect(textOf(await answer(1))).toBe(text);
  });

  it('answers unparsable input with an error, and serves what follows (SF-09, SF-13)', async () => {
    const { write, answer, received } = open(server, { maxMessage: 1000 });
    write(Buffer.concat([Buffer.from('"'), Buffer.from([0xc3, 0x28]), Buffer.from('"\n')]));
    write(`${'x'.repeat(1001)}\n{nonsense\n[]\n42\n`);
    write(line(call(1, 'echo', { text: 'served' })));
    expect(textOf(await answer(1))).toBe('served');
    expect(received.slice(0, -1)).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error: the message is not valid UTF-8' } },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.stringContaining('longer than 1000 bytes') } },
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
    ]);
  });

  it('logs unparsable input', async () => {
    const entries: string[] = [];
    const strict = createServer({
      name: 'test',
      version: '1',
      logRejections: true,
      logger: { level: 'error', write: (entry) => void entries.push(JSON.stringify(entry)) },
    });
    const { write, answer } = open(strict);
    write(Buffer.concat([Buffer.from('"'), Buffer.from([0xc3, 0x28]), Buffer.from('"\n')]));
    write(line(request(1, 'ping')));
    await answer(1);
    expect(entries[0]).toContain('Parse error: the message is not valid UTF-8');
  });

  it('rejects a message with duplicate members, and serves what follows (JR-21)', async () => {
    const { write, answer } = open(server);
    write('{"jsonrpc":"2.0","id":1,"method":"ping","m\\u0065thod":"tools/list"}\n');
    expect(await answer(1)).toMatchObject({ error: { code: -32600, message: expect.stringContaining('"method"') } });
    write(line(call(2, 'echo', { text: 'served' })));
    expect(textOf(await answer(2))).toBe('served');
  });

  it('serves 4 MB if the limit allows it, and rejects more than 1 MiB by default (SF-11)', async () => {
    const generous = open(server, { maxMessage: 8 * 1024 * 1024 });
    const long = call(1, 'length', { text: 'x'.repeat(4_000_000) });
    generous.send(long);
    expect(textOf(await generous.answer(1))).toBe('4000000');
    const usual = open(server);
    usual.send(long);
    expect(await usual.answer(null)).toMatchObject({ error: { code: -32600 } });
  });

  it('responds in the framing of the client (SF-14)', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    serveStdio(server, { input, output });
    const { frame } = contentLengthFraming(1000);
    input.end(`${frame(JSON.stringify(call(1, 'echo', { text: 'é' })))}Content-Length: none\r\n\r\n`);
    const [first = '', second = ''] = readAll(contentLengthFraming(1000), await output.toArray());
    expect(textOf(JSON.parse(first as string))).toBe('é');
    expect(JSON.parse(second as string)).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it('uses the configured framing', async () => {
    const { write, answer } = open(server, { framing: 'newline' });
    write('Content-Length: 2\r\n');
    expect(await answer(null)).toMatchObject({ error: { code: -32700 } });
  });

  it('does not block a quick response behind a slow one, and sends notifications of a call before its response', async () => {
    const { send, answer, received } = open(server);
    send(...initialize());
    const params = { name: 'three-steps', arguments: {}, _meta: { progressToken: 'token' } };
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { jsonrpc: '2.0', id: 2, method: 'ping' });
    await answer(1);
    const seen = received.map(({ id, method, params }) => id ?? (params as { progress?: number }).progress ?? method);
    expect(seen).toEqual(['init', 1, 2, 3, 2, 1]);
  });

  it.each(['two-steps', 'three-steps'])('writes the last progress of %s and the answer apart', async (name) => {
    const { send, answer, output } = open(server);
    const writes: string[] = [];
    output.on('data', (chunk: Buffer) => writes.push(chunk.toString()));
    send(request(1, 'tools/call', { name, arguments: {}, _meta: { progressToken: 't' } }), call(2, 'length'));
    await answer(1);
    const answering = writes.filter((text) => text.includes('"id":1,'));
    expect(answering).toHaveLength(1);
    expect(answering[0]).not.toContain('notifications/progress');
    expect(writes.findIndex((text) => text.includes('"id":2,'))).toBeLessThan(writes.indexOf(answering[0] as string));
  });

  it('sends a response that is delayed behind progress before it closes', async () => {
    const { send, message, connection, answer } = open(server);
    send(request(1, 'tools/call', { name: 'two-steps', arguments: {}, _meta: { progressToken: 't' } }));
    await message('notifications/progress');
    await connection.close({ graceMs: 0 });
    expect(textOf(await answer(1))).toBe('done');
  });

  it('raises the concurrency limit under load', async () => {
    const { send, answer, received } = open(server);
    send(...Array.from({ length: 1000 }, (_, id) => call(id, 'later')));
    await answer(999);
    expect(new Set(received.map(({ id }) => id)).size).toBe(1000);
  });

  it('serves a call on which a hundred running calls depend', async () => {
    const events = new EventEmitter();
    const gate = once(events, 'go').then(() => 'gone');
    const wait = tool('wait', {}, () => gate);
    const go = tool('go', {}, () => String(events.emit('go')));
    const gated = createServer({ name: 'test', version: '1.0.0', tools: [wait, go] });
    const { send, answer } = open(gated);
    send(...Array.from({ length: 100 }, (_, id) => call(id, 'wait')), call('go', 'go'));
    await answer('go');
    expect(textOf(await answer(99))).toBe('gone');
  });

  it('answers with an internal error if a result can not be serialized', async () => {
    const { send, answer } = open(server);
    send(call(1, 'cyclic'));
    expect(await answer(1)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } });
  });

  it('asks the client and receives its answer', async () => {
    const { send, answer, message } = open(server);
    send(...initialize({ roots: {} }), { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } });
    const { id } = await message('roots/list');
    send({ jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///a' }] } });
    expect(textOf(await answer(1))).toBe('file:///a');
  });

  it('sends no change notifications after the connection closed', async () => {
    const own = createServer({ name: 'test', version: '1.0.0', tools: [] });
    const { send, answer, message, connection } = open(own);
    send(...initialize());
    await answer('init');
    own.tools.add(tool('new', {}, () => 'new'));
    await message('notifications/tools/list_changed');
    await connection.close();
    expect(engineOf(own).feed.size).toBe(0);
  });

  it('accepts text chunks from the input', async () => {
    const input = new PassThrough({ encoding: 'utf8' });
    const { answer } = open(server, { input });
    input.write(line(call(1, 'echo', { text: 'é' })));
    expect(textOf(await answer(1))).toBe('é');
  });

  it('flushes notifications together with the response of the message that caused them', async () => {
    const { send, answer, received } = open(server);
    send(...initialize());
    await answer('init');
    const later = vi.spyOn(globalThis, 'setImmediate');
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'two-lines' } });
    await answer(1);
    expect(received).toHaveLength(4);
    expect(later).not.toHaveBeenCalled();
    later.mockRestore();
  });

  it('flushes notifications between messages, those of one tick in one write', async () => {
    const own = createServer({ name: 'test', version: '1.0.0', tools: [], logger });
    const { send, answer, until, received, output } = open(own);
    send(...initialize());
    await answer('init');
    // All output is written by then, so nothing else triggers a write.
    await new Promise((resolve) => setImmediate(resolve));
    let writes = 0;
    output.on('data', () => writes++);
    for (const text of ['a', 'b', 'c']) own.log('error', text);
    await until(() => received.find(({ params }) => (params as { data?: string } | undefined)?.data === 'c'));
    expect(writes).toBe(1);
  });
});

describe('a slow consumer on stdio', () => {
  const big = tool('big', {}, () => 'x'.repeat(600_000));
  const slow = createServer({ name: 'test', version: '1.0.0', tools: [big], logger });

  /** A client that reads nothing until it reads everything. */
  function openUnread() {
    const input = new PassThrough();
    const output = new PassThrough();
    const { closed } = serveStdio(slow, { input, output, grace: 60_000 });
    const send = (...messages: object[]): boolean => input.write(messages.map(line).join(''));
    return { input, output, closed, send, paused: once(input, 'pause') };
  }

  it('pauses the input under backpressure, and serves everything once it reads', async () => {
    const { input, output, send, paused } = openUnread();
    send(...Array.from({ length: 10 }, (_, id) => call(id, 'big')));
    await paused;
    const { received, answer } = createInbox(output);
    await answer(9);
    expect(received.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, id) => id));
    expect(input.isPaused()).toBe(false);
  });

  it('loses log messages, but no change notification', async () => {
    const { input, output, closed, send, paused } = openUnread();
    send(...initialize());
    for (const id of [1, 2, 3]) send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'big' } });
    await paused;
    for (let i = 0; i < 5000; i++) slow.log('error', `line ${i} ${'x'.repeat(1000)}`);
    slow.tools.add(tool('new', {}, () => 'new'));
    slow.log('error', 'the last line');
    input.end();
    const { received } = createInbox(output);
    await closed;
    await finished(output);
    expect(received.filter(({ method }) => method === 'notifications/message')).toEqual([]);
    expect(received.filter(({ method }) => method === 'notifications/tools/list_changed')).toHaveLength(1);
    expect(received.filter(({ id }) => id !== undefined)).toHaveLength(4);
  });
});
