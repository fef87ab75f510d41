import { type EventEmitter, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { OutgoingRequest } from './response.ts';
import { sendByNode } from './send-node.ts';

async function serve(listener: RequestListener): Promise<{ url: URL; sockets: Socket[] }> {
  const server = createServer(listener);
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), sockets };
}

const outgoing = (more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'POST',
  headers: {},
  signal: new AbortController().signal,
  ...more,
});

describe('a request with node:http', () => {
  // The age of a connection matters, so the clock is advanced by the test only.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('sends Content-Length in bytes, and returns the response', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(
        201,
        'Made',
        [
          ['x-length', String(request.headers['content-length'])],
          ['set-cookie', 'a'],
          ['set-cookie', 'b'],
        ].flat(),
      );
      request.pipe(response);
    });
    const response = await sendByNode(url, outgoing({ body: 'grüße', headers: { 'x-own': '1' } }));
    expect([response.status, response.statusText]).toEqual([201, 'Made']);
    expect([response.header('x-length'), response.header('set-cookie'), response.header('x-none')]).toEqual([
      '7',
      'a, b',
      undefined,
    ]);
    expect(await response.text(100)).toBe('grüße');
    const empty = await sendByNode(url, outgoing({ method: 'GET' }));
    expect(empty.header('x-length')).toBe('undefined');
    empty.discard();
  });

  it('reuses its connection after a discarded body, unless that is a stream', async () => {
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const { url, sockets } = await serve((request, response) => {
      if (request.method === 'POST') return void response.end('plain');
      response.on('close', left);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
    });
    const first = await sendByNode(url, outgoing({ body: '' }));
    first.discard();
    await new Promise((resolve) => setImmediate(resolve));
    const second = await sendByNode(url, outgoing({ body: '' }));
    expect(await second.text(10)).toBe('plain');
    expect(sockets).toHaveLength(1);
    const stream = await sendByNode(url, outgoing({ method: 'GET' }));
    stream.discard();
    await gone;
  });

  it('is aborted if a discarded body is too long', async () => {
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const { url } = await serve((_, response) => {
      const more = (): void => void response.write('x'.repeat(16 * 1024), () => setImmediate(more));
      response.on('close', left);
      response.writeHead(202);
      more();
    });
    const endless = await sendByNode(url, outgoing({ body: '' }));
    endless.discard();
    await gone;
    expect(endless.status).toBe(202);
  });

  it('is aborted if a discarded body is too slow', async () => {
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const { url } = await serve((_, response) => {
      response.on('close', left);
      response.writeHead(202).write('x');
    });
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const slow = await sendByNode(url, outgoing({ body: '' }));
    slow.discard();
    vi.advanceTimersByTime(2000);
    await gone;
    expect(slow.status).toBe(202);
  });

  it('is aborted before and while it waits', async () => {
    let seen = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const { url } = await serve(() => seen());
    const failing = { code: 'ECONNRESET' };
    await expect(sendByNode(url, outgoing({ signal: AbortSignal.abort() }))).rejects.toMatchObject(failing);
    const controller = new AbortController();
    const waiting = sendByNode(url, outgoing({ signal: controller.signal, body: 'x' })).catch(
      (error: unknown) => error,
    );
    await arrived;
    controller.abort();
    expect(await waiting).toMatchObject(failing);
  });

  it('is not retried if the server saw it and closed the connection', async () => {
    let seen = 0;
    const { url } = await serve((request) => {
      seen += 1;
      request.socket.destroy();
    });
    await expect(sendByNode(url, outgoing({ body: 'x' }))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(seen).toBe(1);
  });

  it('is retried once, on a new connection, if a keep-alive connection was closed', async () => {
    let answers = true;
    let seen = 0;
    const held: (() => void)[] = [];
    const { url, sockets } = await serve((request, response) => {
      if (answers) return void held.push(() => response.end('first'));
      seen += 1;
      request.socket.destroy();
    });
    const first = Array.from({ length: 4 }, () => sendByNode(url, outgoing({ body: 'x' })));
    await expect.poll(() => held.length).toBe(4);
    for (const answer of held) answer();
    for (const response of await Promise.all(first)) await response.text(10);
    await new Promise((resolve) => setImmediate(resolve));
    answers = false;
    await expect(sendByNode(url, outgoing({ body: 'x' }))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect([seen, sockets.length]).toEqual([2, 5]);
  });

  it('is not retried if a keep-alive connection breaks after the server may have seen it', async () => {
    let seen = 0;
    const { url } = await serve((request, response) => {
      seen += 1;
      if (seen === 1) response.end('first');
      else {
        vi.advanceTimersByTime(1100);
        request.socket.destroy();
      }
    });
    await (await sendByNode(url, outgoing({ body: 'x' }))).text(10);
    await new Promise((resolve) => setImmediate(resolve));
    await expect(sendByNode(url, outgoing({ body: 'x' }))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(seen).toBe(2);
  });

  it('that must not be served twice is not retried, and later ones use new connections', async () => {
    let deaths = 0;
    const { url, sockets } = await serve((request, response) => {
      if (request.headers['x-die'] === undefined) return void response.end('fine');
      deaths += 1;
      request.socket.destroy();
    });
    const send = async (headers = {}): Promise<unknown> => {
      const response = await sendByNode(url, outgoing({ body: 'x', once: true, headers }));
      const body = await response.text(10);
      await new Promise((resolve) => setImmediate(resolve));
      return body;
    };
    await send();
    await expect(send({ 'x-die': '1' })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect([deaths, sockets.length]).toEqual([1, 1]);
    expect([await send(), await send()]).toEqual(['fine', 'fine']);
    expect(sockets).toHaveLength(3);
  });

  it('uses a new connection if the idle one was closed while the process was busy', async () => {
    let seen = 0;
    const { url, sockets } = await serve((_, response) => {
      seen += 1;
      response.end('fine');
    });
    const send = async (): Promise<unknown> => (await sendByNode(url, outgoing({ body: 'x', once: true }))).text(10);
    await send();
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(50);
    sockets[0]?.destroy();
    // Begun in the same turn: the other end does not know yet.
    expect(await send()).toBe('fine');
    expect([seen, sockets.length]).toEqual([2, 2]);
  });

  it.each([true, false])('sends each header once, and those of the connection (isComplete: %s)', async (isComplete) => {
    const { url } = await serve((request, response) => void response.end(JSON.stringify(request.rawHeaders)));
    const headers = { 'content-type': 'application/json', 'x-own': '1' };
    const response = await sendByNode(url, outgoing({ headers, body: '"é"', isComplete }));
    const raw = JSON.parse((await response.text(1000)) ?? '') as string[];
    const names = raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(new Set(names)).toEqual(new Set(['host', 'connection', 'content-type', 'x-own', 'content-length']));
    expect(names).toHaveLength(5);
    expect(raw[raw.findIndex((name) => name.toLowerCase() === 'host') + 1]).toBe(url.host);
    expect(raw[raw.findIndex((name) => name.toLowerCase() === 'content-length') + 1]).toBe('4');
    expect(raw[raw.findIndex((name) => name.toLowerCase() === 'connection') + 1]).toBe('keep-alive');
  });

  it('uses the name and password of a URL as credentials', async () => {
    const { url } = await serve((request, response) => void response.end(request.headers.authorization));
    url.username = 'me';
    url.password = 'p%40ss';
    const response = await sendByNode(url, outgoing({ body: 'x', isComplete: true }));
    expect(await response.text(100)).toBe(`Basic ${btoa('me:p@ss')}`);
  });

  it('reads a body in chunks, without its byte order mark, up to the limit', async () => {
    const text = `${'x'.repeat(100_000)}é`;
    const { url } = await serve((_, response) => {
      const bytes = Buffer.from(`\uFEFF${text}`);
      response.write(bytes.subarray(0, -1));
      setImmediate(() => response.end(bytes.subarray(-1)));
    });
    expect(await (await sendByNode(url, outgoing({ body: 'x' }))).text(200_000)).toBe(text);
    expect(await (await sendByNode(url, outgoing({ body: 'x' }))).text(1000)).toBeUndefined();
  });

  it('rejects if the body is cut off, before or while it is read', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => request.socket.destroy());
    });
    await expect((await sendByNode(url, outgoing({ body: 'x' }))).text(1000)).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    const late = await sendByNode(url, outgoing({ body: 'x' }));
    await new Promise((resolve) => (late.body as unknown as EventEmitter).once('close', resolve));
    await expect(late.text(1000)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('accepts an early response, and reuses the connection', async () => {
    const { url, sockets } = await serve((request, response) => {
      response.end('early');
      request.resume();
    });
    const long = 'x'.repeat(4 * 1024 * 1024);
    expect(await (await sendByNode(url, outgoing({ body: long }))).text(10)).toBe('early');
    expect(await (await sendByNode(url, outgoing({ body: 'x' }))).text(10)).toBe('early');
    expect(sockets.length).toBeLessThanOrEqual(2);
  });
});
