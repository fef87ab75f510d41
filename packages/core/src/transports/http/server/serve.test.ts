import { channel } from 'node:diagnostics_channel';
import { type IncomingMessage, Server as NodeServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryStore } from '../../../stores/memory.ts';
import { apiKey } from '../../../auth/server/api-key.ts';
import { answerOf, handshake, post, statelessClient, textOf } from './fixtures/client.ts';
import { readEvents } from './fixtures/events.ts';
import { noMoreConnections, rawConnection, rawPost, statusesIn } from './fixtures/raw.ts';
import { requestWith } from './fixtures/request-with.ts';
import { testServer } from './fixtures/server.ts';
import { type StartedServer, start } from './fixtures/start.ts';
import { isLoopback } from './listener/address.ts';
import type { HttpTimeouts } from './listener/listener.ts';
import { serveHttp } from './serve.ts';
import { engineOf } from '../../../server/server-handle.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** Resolves to whether a server accepts connections there. */
function reachable(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

describe('the address of a service', () => {
  it('is loopback by default (OB-08)', async () => {
    const { url } = await start();
    expect(new URL(url)).toMatchObject({ hostname: '127.0.0.1', pathname: '/mcp' });
  });

  it.each(['0.0.0.0', '::', '192.168.0.1', 'example.com', '127.0.0.1.example.com', ''])(
    'rejects %j without authentication (OB-09)',
    async (host) => {
      await expect(serveHttp(testServer().server, { host })).rejects.toThrow(
        `${host} is reachable from other machines without authentication: set the "auth" option (--api-key-env, --oauth), ` +
          'or publicWithoutAuth (--public-without-auth) to allow that',
      );
    },
  );

  it.each([{ auth: apiKey({ keys: ['k'] }) }, { publicWithoutAuth: true }])(
    'may be public with %o',
    async (options) => {
      const { url } = await start({ host: '0.0.0.0', ...options });
      const response = await post(url.replace('0.0.0.0', '127.0.0.1'), ping, { 'X-Api-Key': 'k' });
      expect(response.status).toBe(200);
    },
  );

  it.each([
    [{ authenticate: apiKey({ keys: ['k'] }) }, 'serveHttp has no option "authenticate": did you mean "auth"?'],
    [{ allowedHosts: ['a.example'] }, 'serveHttp has no option "allowedHosts": did you mean "allowHosts"?'],
    [{ admin: { apiKey: 'k' } }, '"admin" of serveHttp has no option "apiKey"'],
  ])(
    'is nowhere where an option is not known, which may have been to keep others out: %o',
    async (options, message) => {
      await expect(serveHttp(testServer().server, options as object)).rejects.toThrow(message);
    },
  );

  it.each(['127.0.0.1', '127.0.0.2', 'localhost'])('may be called by its own name: %s', async (host) => {
    const { url } = await start({ host });
    expect((await post(url, ping)).status).toBe(200);
  });

  it('recognizes loopback addresses', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', '127.100.200.255', 'localhost', '::1'])
      expect(isLoopback(host)).toBe(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.x', '1127.0.0.1', '127.0.0', 'localhost.x', ''])
      expect(isLoopback(host)).toBe(false);
  });

  it('has brackets around an IPv6 address', async () => {
    const serving = start({ host: '::1' }).then(
      ({ url }) => url,
      (error: NodeJS.ErrnoException) => error.code,
    );
    // Not every machine has such addresses.
    expect(await serving).toMatch(/^(http:\/\/\[::1\]:\d+\/mcp|EADDRNOTAVAIL|EAFNOSUPPORT)$/);
  });

  it('has a free port by default', async () => {
    const { url, service } = await start();
    await service.close();
    const { port } = new URL(url);
    expect(new URL((await start({ port: Number(port) })).url).port).toBe(port);
  });

  it('rejects a port that is in use', async () => {
    const { url } = await start();
    const { server } = testServer();
    const serving = serveHttp(server, { port: Number(new URL(url).port), store: memoryStore() });
    await expect(serving).rejects.toThrow('EADDRINUSE');
    expect(engineOf(server).feed.size).toBe(0);
  });
});

describe('the timeouts of a service', () => {
  /** The settings of the server that serves a request. */
  async function settings(timeouts: HttpTimeouts | undefined): Promise<unknown[]> {
    const { url } = await start(timeouts === undefined ? {} : { timeouts });
    const { port } = new URL(url);
    const requests = channel('http.server.request.start');
    const found: unknown[] = [];
    const look = (message: unknown): void => {
      const { request, server } = message as { request: IncomingMessage; server: NodeServer & Checking };
      if (request.headers.host?.endsWith(`:${port}`) !== true) return;
      const { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval } = server;
      found.push(headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval);
    };
    requests.subscribe(look);
    await (await post(url, ping)).text();
    requests.unsubscribe(look);
    return found;
  }

  interface Checking {
    connectionsCheckingInterval: number;
  }

  it('default to 10 s for headers, 20 s for a request, 15 s for keep-alive, checked every 2 s', async () => {
    expect(await settings(undefined)).toEqual([10_000, 20_000, 15_000, 2000]);
  });

  it('can be set, and are checked often enough', async () => {
    expect(await settings({ headersMs: 1000, requestMs: 5000, idleMs: 300 })).toEqual([1000, 5000, 300, 500]);
    expect(await settings({ requestMs: 800 })).toEqual([800, 800, 15_000, 400]);
  });
});

describe('an error of the Node server', () => {
  it('is logged, and the service continues', async () => {
    const { url, log } = await start();
    const requests = channel('http.server.request.start');
    const servers = new Set<NodeServer>();
    const look = (message: unknown): void => {
      const { request, server } = message as { request: IncomingMessage; server: NodeServer };
      if (request.headers.host === new URL(url).host) servers.add(server);
    };
    requests.subscribe(look);
    onTestFinished(() => requests.unsubscribe(look));
    await (await post(url, ping)).text();
    for (const server of servers) server.emit('error', new Error('accept ENFILE'));
    expect(log).toMatchObject([{ level: 'error', error: { message: 'accept ENFILE' } }]);
    expect((await post(url, ping)).status).toBe(200);
  });
});

describe('closing a service', () => {
  /** A service that closes, and a connection to it on which a call waits at the gate `g`. */
  async function closingWhileBusy({ url, service, gates }: StartedServer) {
    const connection = await rawConnection(url);
    const wait = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', arguments: { gate: 'g' } } };
    connection.write(rawPost(url, JSON.stringify(wait)));
    await gates.reached('g');
    const closing = service.close({ graceMs: 60_000 });
    await noMoreConnections(url);
    return { connection, closing };
  }

  it('drains running requests, and accepts no new connections (LD-03, LD-04, LD-05)', async () => {
    const { url, service, gates } = await start();
    const session = await handshake(url);
    const plain = session.sendCall('wait', { gate: 'a' });
    const streamed = readEvents(await session.sendCall('steps', { gate: 'b' }, { meta: { progressToken: 1 } }));
    const stateless = statelessClient(url).sendCall('wait', { gate: 'c' });
    await Promise.all(['a', 'b', 'c'].map(gates.reached));
    const idle = await rawConnection(url);
    idle.write(rawPost(url, JSON.stringify(ping)));
    await idle.until(/result/);
    const closing = service.close({ graceMs: 60_000 });
    await noMoreConnections(url);
    for (const gate of ['a', 'b', 'c']) gates.open(gate);
    expect(textOf(await answerOf(await plain))).toBe('passed a');
    expect((await streamed.rest()).at(-1)).toMatchObject({ result: { content: [{ text: 'stepped' }] } });
    expect(textOf(await answerOf(await stateless))).toBe('passed c');
    await closing;
  });

  it('serves requests on open connections', async () => {
    const started = await start();
    const { url, gates } = started;
    const { connection, closing } = await closingWhileBusy(started);
    const arrived = requestWith('x-late');
    connection.write(rawPost(url, JSON.stringify(ping), { Connection: 'close', 'X-Late': 'yes' }));
    await arrived;
    gates.open('g');
    expect(statusesIn(await connection.closed())).toEqual([200, 200]);
    await closing;
  });

  it('rejects new long-lived requests', async () => {
    const started = await start();
    const { url, gates } = started;
    const session = await handshake(url);
    const { connection, closing } = await closingWhileBusy(started);
    const arrived = requestWith('x-late');
    const head = `Host: ${new URL(url).host}\r\nMcp-Session-Id: ${session.id}\r\nAccept: text/event-stream\r\nX-Late: yes`;
    connection.write(`GET /mcp HTTP/1.1\r\n${head}\r\n\r\n`);
    await arrived;
    gates.open('g');
    expect(statusesIn(await connection.closed())).toEqual([200, 503]);
    await closing;
  });

  it('aborts requests after the grace period, with an error', async () => {
    const { url, service, gates } = await start();
    const session = await handshake(url);
    const plain = session.sendCall('wait', { gate: 'a' }, { id: 'p' });
    const streamed = readEvents(
      await session.sendCall('steps', { gate: 'b' }, { id: 's', meta: { progressToken: 1 } }),
    );
    const stateless = statelessClient(url).sendCall('wait', { gate: 'c' }, { id: 'm' });
    await Promise.all(['a', 'b', 'c'].map(gates.reached));
    const closing = service.close({ graceMs: 0, lingerMs: 20 });
    const error = { code: -32603, message: 'The server was shut down before the request was done' };
    expect(await answerOf(await plain)).toMatchObject({ id: 'p', error });
    expect((await streamed.rest()).at(-1)).toMatchObject({ id: 's', error });
    expect(await answerOf(await stateless)).toMatchObject({ id: 'm', error });
    await Promise.all(['a', 'b', 'c'].map(gates.aborted));
    await closing;
  });

  it('ends open streams (LD-06)', async () => {
    const { url, service, server } = await start({ sse: true });
    const standalone = await (await handshake(url)).listen();
    await standalone.next();
    const first = readEvents(await fetch(new URL('/sse', url)));
    await first.next();
    const closing = service.close({ lingerMs: 20 });
    expect(await standalone.next()).toBeUndefined();
    expect(await first.next()).toBeUndefined();
    await closing;
    expect(engineOf(server).feed.size).toBe(0);
  });

  it('does not wait for disconnected clients that might resume', async () => {
    const { url, service, server } = await start();
    const standalone = await (await handshake(url)).listen();
    await standalone.next();
    await standalone.cancel();
    expect(engineOf(server).feed.size).toBe(1);
    await service.close({ lingerMs: 20 });
    expect(engineOf(server).feed.size).toBe(0);
  });

  it('does not wait for idle connections or stalled readers', async () => {
    const { url, service } = await start({ maxBody: 100 });
    const silent = await rawConnection(url);
    const half = await rawConnection(url);
    half.write('POST /mcp HTTP/1.1\r\nHost: ');
    const deaf = await rawConnection(url);
    deaf.socket.pause();
    const big = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'big', arguments: { size: 3e7 } } };
    deaf.write(rawPost(url, JSON.stringify(big)));
    await (await post(url, ping)).text();
    await service.close({ lingerMs: 20 });
    deaf.socket.resume();
    expect(await silent.closed()).toBe('');
    await half.closed();
    expect((await deaf.closed()).length).toBeLessThan(3e7);
  });

  it('resolves at once if connections have sent nothing yet', async () => {
    const cut = vi.spyOn(NodeServer.prototype, 'closeAllConnections');
    onTestFinished(() => cut.mockRestore());
    const { url, service } = await start();
    const silent = await rawConnection(url);
    await (await post(url, ping)).text();
    await service.close();
    expect(await silent.closed()).toBe('');
    expect(cut).not.toHaveBeenCalled();
  });

  it('resolves as soon as the last response was read', async () => {
    const cut = vi.spyOn(NodeServer.prototype, 'closeAllConnections');
    onTestFinished(() => cut.mockRestore());
    const { url, service, gates } = await start();
    const connection = await rawConnection(url);
    const wait = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', arguments: { gate: 'g' } } };
    connection.write(rawPost(url, JSON.stringify(wait)));
    await gates.reached('g');
    const closing = service.close({ graceMs: 60_000 });
    gates.open('g');
    expect(statusesIn(await connection.closed())).toEqual([200]);
    await closing;
    expect(cut).not.toHaveBeenCalled();
  });

  it('can be called twice', async () => {
    const { url, service, gates } = await start();
    const running = post(url, { ...ping, method: 'tools/call', params: { name: 'wait', arguments: { gate: 'g' } } });
    await gates.reached('g');
    const closing = [1, 2].map(() => service.close({ graceMs: 60_000, lingerMs: 20 }));
    gates.open('g');
    await (await running).text();
    await Promise.all(closing);
    await service.close();
    expect(await reachable(url)).toBe(false);
  });

  it('leaves nothing that keeps the process alive', async () => {
    const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
    onTestFinished(() => void vi.restoreAllMocks());
    const { server } = testServer();
    const service = await serveHttp(server);
    const session = await handshake(service.url);
    await (await session.listen()).next();
    await service.close({ lingerMs: 20 });
    onTestFinished(() => service.close());
    const created = timers.flatMap(({ mock }) => mock.results).map(({ value }) => value as NodeJS.Timeout);
    expect(created.length).toBeGreaterThan(0);
    const isPending = (timer: NodeJS.Timeout): boolean => timer.hasRef() && !Reflect.get(timer, '_destroyed');
    expect(created.filter(isPending)).toEqual([]);
  });
});
