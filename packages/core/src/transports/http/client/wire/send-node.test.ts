import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Outgoing } from './response.ts';
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

const outgoing = (more: Partial<Outgoing> = {}): Outgoing => ({
  method: 'POST',
  headers: {},
  signal: new AbortController().signal,
  ...more,
});

describe('a request by node:http', () => {
  it('says how long its body is, in bytes, and gives what came back', async () => {
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

  it('lets its connection be used again where the body is not wanted, unless that never ends', async () => {
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

  it('is let go of where what nobody wants does not end', async () => {
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

  it('is called off before and while it waits', async () => {
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

  it('is not sent again where the server saw it and hung up', async () => {
    let seen = 0;
    const { url } = await serve((request) => {
      seen += 1;
      request.socket.destroy();
    });
    await expect(sendByNode(url, outgoing({ body: 'x' }))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(seen).toBe(1);
  });
});
