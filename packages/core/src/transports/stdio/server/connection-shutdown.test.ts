import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createServer, tool } from '../../../index.ts';
import { serveStdio } from '../../../stdio.ts';
import { call, initialize, request, textOf } from '../fixtures/messages.ts';
import { open } from '../fixtures/open.ts';
import { slowStream } from '../fixtures/slow-stream.ts';
import { newlineFraming } from '../../../jsonrpc/framing/newline.ts';
import { serveStreams } from './connection.ts';
import { engineOf } from '../../../server/server-handle.ts';

const logger = { level: 'emergency', write: () => {} } as const;

/** A server with a tool that ends when `finish` is called. */
function waitingServer() {
  const events = new EventEmitter();
  const wait = tool('wait', {}, (_, { signal }) => {
    signal.addEventListener('abort', () => events.emit('stopped'));
    events.emit('begun');
    return once(events, 'finish').then(([text]) => text as string);
  });
  const ask = tool('ask', {}, async (_, { roots }) => `${(await roots()).length} roots`);
  const server = createServer({ name: 'test', version: '1.0.0', tools: [wait, ask], logger });
  return {
    server,
    finish: (text: string) => events.emit('finish', text),
    begun: once(events, 'begun'),
    stopped: once(events, 'stopped'),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const listen = request('listen', 'subscriptions/listen', { notifications: { toolsListChanged: true } });

describe('shutdown of a stdio connection', () => {
  it('closes at the end of input when everything is answered (SF-15, SF-17, S-IO-04)', async () => {
    const { server } = waitingServer();
    const { input, connection, output, received } = open(server);
    input.end(JSON.stringify(request(1, 'tools/list')));
    await connection.closed;
    expect(output.writableEnded).toBe(true);
    await finished(output);
    expect(received.map(({ id }) => id)).toEqual([1]);
  });

  it('closes as soon as a slow client has read the last response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { stream: output, writes, read } = slowStream();
    const input = new PassThrough();
    const { closed } = serveStdio(waitingServer().server, { input, output });
    input.end(JSON.stringify(request(1, 'tools/list')));
    await once(input, 'close');
    expect(writes).toHaveLength(1);
    await read();
    await expect(closed).resolves.toBeUndefined();
  });

  it('waits for a running request, whose questions are rejected', async () => {
    const { server, finish, begun } = waitingServer();
    const { send, input, answer, connection } = open(server, { grace: 60_000 });
    send(call(1, 'wait'));
    await begun;
    input.end();
    await once(input, 'end');
    finish('finished');
    expect(textOf(await answer(1))).toBe('finished');
    await connection.closed;
  });

  it('rejects a request that exceeds the grace period, and aborts its handler', async () => {
    const { server, stopped } = waitingServer();
    const { input, answer, connection } = open(server, { grace: 0 });
    input.end(JSON.stringify(call(1, 'wait')));
    expect(await answer(1)).toMatchObject({ error: { code: -32603, message: expect.stringContaining('shut down') } });
    await connection.closed;
    await stopped;
  });

  it('ends a long-lived call with its result and then a cancellation, also one that came last (S-U-05)', async () => {
    const { server } = waitingServer();
    const { input, output, received } = open(server, { grace: 60_000 });
    input.end(JSON.stringify(listen));
    await finished(output);
    expect(received.map(({ id, method }) => id ?? method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'listen',
      'notifications/cancelled',
    ]);
    expect(received[2]?.params).toEqual({ requestId: 'listen' });
    expect(engineOf(server).feed.size).toBe(0);
  });

  it('sends no cancellation for a long-lived call that the client cancelled', async () => {
    const { server } = waitingServer();
    const { send, message, output, received, input } = open(server);
    send(listen);
    await message('notifications/subscriptions/acknowledged');
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'listen' } });
    input.end();
    await finished(output);
    expect(received).toHaveLength(1);
  });

  it('does not wait for answers of the client after the end of input', async () => {
    const { server } = waitingServer();
    const { send, message, answer, input } = open(server, { grace: 60_000 });
    send(...initialize({ roots: {} }), { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } });
    await message('roots/list');
    input.end();
    expect(await answer(1)).toMatchObject({ result: { isError: true } });
  });

  it('delivers answers of the client that came before the end of input', async () => {
    const { server } = waitingServer();
    const { send, message, answer, input } = open(server, { grace: 60_000 });
    send(...initialize({ roots: {} }), { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } });
    const { id } = await message('roots/list');
    input.end(JSON.stringify({ jsonrpc: '2.0', id, result: { roots: [] } }));
    expect(textOf(await answer(1))).toBe('0 roots');
  });

  it('can be started by a handler, whose response is still sent', async () => {
    const leave = tool('leave', {}, () => {
      void connection.close();
      return 'leaving';
    });
    const { send, answer, connection, received, output } = open(
      createServer({ name: 'test', version: '1', tools: [leave] }),
    );
    send(call(1, 'leave'), call(2, 'leave'));
    expect(textOf(await answer(1))).toBe('leaving');
    await connection.closed;
    await finished(output);
    expect(received).toHaveLength(1);
  });

  it.each([
    ['an error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
    ['its close', undefined],
  ])('comes with %s of the output, without waiting for anything (SF-18)', async (_, error) => {
    const { server, begun, stopped } = waitingServer();
    const input = new PassThrough();
    const output = new PassThrough();
    const { closed } = serveStdio(server, { input, output, grace: 60_000 });
    input.write(`${JSON.stringify(call(1, 'wait'))}\n`);
    await begun;
    output.destroy(error);
    await expect(Promise.all([closed, stopped])).resolves.toBeDefined();
  });

  it('closes on an error of the input', async () => {
    const { input, connection } = open(waitingServer().server);
    input.destroy(new Error('read EIO'));
    await expect(connection.closed).resolves.toBeUndefined();
  });

  it('does not wait for a client that does not read', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const big = tool('big', {}, () => 'x'.repeat(100_000));
    const input = new PassThrough();
    const { closed } = serveStdio(createServer({ name: 'test', version: '1', tools: [big] }), {
      input,
      output: new PassThrough({ highWaterMark: 1 }),
      grace: 0,
    });
    input.end(`${JSON.stringify(call(1, 'big'))}\n${JSON.stringify(call(2, 'big'))}\n`);
    const isClosed = closed.then(() => true);
    while (!(await Promise.race([isClosed, turn()]))) vi.advanceTimersByTime(100);
    expect(await isClosed).toBe(true);
  });

  it('has a default grace period of 4.5 seconds after the end of input (SF-16)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { server, begun } = waitingServer();
    const { send, input, received, answer } = open(server);
    send(call(1, 'wait'));
    await begun;
    input.end();
    await once(input, 'end');
    vi.advanceTimersByTime(4499);
    await turn();
    expect(received).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await answer(1)).toMatchObject({ error: { code: -32603 } });
  });

  it('answers everything that was sent: with results within the grace period, then with errors', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const waiting: (() => void)[] = [];
    const next = tool('next', {}, () => new Promise<string>((resolve) => waiting.push(() => resolve('done'))));
    const { input, answer, received, output } = open(
      createServer({ name: 'test', version: '1', tools: [next], logger }),
    );
    const count = 100;
    input.end(Array.from({ length: count }, (_, id) => `${JSON.stringify(call(id, 'next'))}\n`).join(''));
    for (let id = 0; id < count; id++) {
      // The concurrency limit grows every ten milliseconds.
      vi.advanceTimersByTime(50);
      await turn();
      if (id < 80) waiting[id]?.();
      if (id < 80) expect(textOf(await answer(id))).toBe('done');
    }
    await finished(output);
    expect(received).toHaveLength(count);
    expect(received.filter(({ error }) => error !== undefined)).toHaveLength(20);
  });

  it('can shorten the grace period', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { server, begun } = waitingServer();
    const { send, answer, received, connection } = open(server, { grace: 60_000 });
    send(call(1, 'wait'));
    await begun;
    void connection.close({ graceMs: 50 });
    vi.advanceTimersByTime(49);
    await turn();
    expect(received).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await answer(1)).toMatchObject({ error: { code: -32603 } });
  });

  it('does not wait for a call that ignores its abort', async () => {
    const { server } = waitingServer();
    server.use(async (_, next) => {
      await next();
      return new Promise(() => {});
    });
    const { send, message, input, connection } = open(server, { grace: 0 });
    send(listen);
    await message('notifications/subscriptions/acknowledged');
    input.end();
    await expect(connection.closed).resolves.toBeUndefined();
  });

  it('rejects questions once close was called', async () => {
    const ask = tool('ask', {}, async (_, { roots }) => {
      void connection.close();
      return `${(await roots()).length} roots`;
    });
    const server = createServer({ name: 'test', version: '1', tools: [ask], logger });
    const { send, answer, received, connection, output } = open(server, { grace: 60_000 });
    send(...initialize({ roots: {} }), { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } });
    expect(await answer(1)).toMatchObject({ result: { isError: true } });
    await finished(output);
    expect(received.map(({ id }) => id)).toEqual(['init', 1]);
  });

  it('can be started twice', async () => {
    const { connection } = open(waitingServer().server, { grace: 60_000 });
    await expect(Promise.all([connection.close(), connection.close()])).resolves.toBeDefined();
    await expect(connection.close()).resolves.toBeUndefined();
  });

  it('removes its stream listeners, except for late errors', async () => {
    const { server } = waitingServer();
    const { input, output, connection } = open(server);
    const before = ['data', 'end', 'close', 'error'].map((event) => input.listenerCount(event));
    const outputBefore = ['close', 'error'].map((event) => output.listenerCount(event));
    await connection.close();
    const after = ['data', 'end', 'close', 'error'].map((event) => input.listenerCount(event));
    expect(after.map((count, index) => (before[index] as number) - count)).toEqual([1, 1, 1, 0]);
    const outputAfter = ['close', 'error'].map((event) => output.listenerCount(event));
    expect(outputAfter.map((count, index) => (outputBefore[index] as number) - count)).toEqual([1, 0]);
    expect(input.isPaused()).toBe(true);
    input.emit('error', new Error('late'));
    output.emit('error', new Error('late'));
  });

  it('neither reads nor writes after it closed', async () => {
    const { server } = waitingServer();
    const input = new PassThrough();
    const output = new PassThrough();
    const written: string[] = [];
    const connection = serveStreams(engineOf(server), {
      input,
      output,
      write: (text) => written.push(text),
      framing: newlineFraming(1000),
      grace: 60_000,
    });
    for (const message of initialize()) input.write(`${JSON.stringify(message)}\n`);
    await turn();
    expect(written).toHaveLength(1);
    server.log('error', 'said in the turn in which the output is gone');
    output.destroy();
    await connection.closed;
    server.log('error', 'said later');
    input.write(`${JSON.stringify(request(1, 'tools/list'))}\n`);
    await turn();
    expect(written).toHaveLength(1);
    expect(input.isPaused()).toBe(true);
    expect(connection.close()).toBe(connection.closed);
  });

  it('buffers nothing for a client that resumes reading after the close', async () => {
    const { server } = waitingServer();
    let sayMore = (): void => {};
    server.use((call, next) => {
      sayMore = () => call.log('error', 'too late');
      return next();
    });
    const { stream: output, writes, read } = slowStream();
    const input = new PassThrough();
    const { closed } = serveStreams(engineOf(server), {
      input,
      output,
      write: (text, done) => output.write(text, done),
      framing: newlineFraming(1000),
      grace: 0,
    });
    for (const message of initialize()) input.write(`${JSON.stringify(message)}\n`);
    await turn();
    output.emit('error', new Error('gone, it seems'));
    await closed;
    sayMore();
    await read();
    expect(writes).toHaveLength(1);
  });
});
