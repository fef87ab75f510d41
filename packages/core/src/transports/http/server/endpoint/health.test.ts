import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiKey } from '../../../../auth/server/api-key.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import type { Store, StoreStatus } from '../../../../stores/store.ts';
import { statelessClient } from '../fixtures/client.ts';
import { noMoreConnections, rawConnection, rawPost, statusesIn } from '../fixtures/raw.ts';
import { testServer } from '../fixtures/server.ts';
import { start } from '../fixtures/start.ts';
import { httpHandler } from '../handler.ts';

function at(url: string, path: string): string {
  return new URL(path, url).href;
}

async function ask(url: string, path: string, init: RequestInit = {}): Promise<[number, string]> {
  const response = await fetch(at(url, path), init);
  return [response.status, await response.text()];
}

/** A store with the given status. */
function storeWith(status: StoreStatus): Store {
  return { ...memoryStore(), status: () => status };
}

describe('health checks', () => {
  it.each(['/healthz', '/readyz'])('are served at %s without a key, in one word (OB-04)', async (path) => {
    const { url } = await start({ health: true, auth: apiKey({ keys: ['k'] }) });
    const response = await fetch(at(url, path));
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('ok\n');
    expect([...response.headers.keys()].toSorted()).toEqual([
      'cache-control',
      'connection',
      'content-length',
      'content-type',
      'date',
      'keep-alive',
      'x-content-type-options',
    ]);
  });

  it.each(['/healthz', '/readyz'])('are served at %s to a probe that calls by an address of its own', async (path) => {
    const { url } = await start({ health: true });
    const connection = await rawConnection(url);
    connection.write(`GET ${path} HTTP/1.1\r\nHost: 10.42.0.7:8080\r\n\r\n`);
    await connection.until(/200 OK[\s\S]*\r\n\r\nok\n$/);
    // The endpoint itself stays closed to it.
    connection.write(rawPost(url, '{}', { Host: '10.42.0.7:8080' }));
    expect(statusesIn(await connection.answers(2))).toEqual([200, 403]);
  });

  it('are not readable by browser pages (OB-04)', async () => {
    const { url } = await start({ health: true });
    const { headers, status } = await fetch(at(url, '/readyz'), { headers: { Origin: 'https://evil.example' } });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });

  it('answer HEAD without a body, and nothing but that and GET', async () => {
    const { url } = await start({ health: true });
    expect(await ask(url, '/readyz', { method: 'HEAD' })).toEqual([200, '']);
    const rejected = await fetch(at(url, '/healthz'), { method: 'POST', body: '{}' });
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('report not ready without a store, but alive, in one word (OB-04, MI-06)', async () => {
    const status: StoreStatus = { ready: false, reason: 'redis://user:password@secret.internal: ECONNREFUSED' };
    const { url } = await start({ health: true, store: storeWith(status) });
    expect(await ask(url, '/readyz')).toEqual([503, 'store\n']);
    expect(await ask(url, '/healthz')).toEqual([200, 'ok\n']);
    status.ready = true;
    expect(await ask(url, '/readyz')).toEqual([200, 'ok\n']);
  });

  it('report not ready before the server is subscribed to other instances', async () => {
    let listen: () => void = () => {};
    const memory = memoryStore();
    const listening = new Promise<void>((resolve) => {
      listen = resolve;
    });
    const store: Store = {
      ...memory,
      async subscribe(topic, listener) {
        await listening;
        return memory.subscribe(topic, listener);
      },
    };
    const handler = httpHandler(testServer().server, { health: true, store });
    onTestFinished(() => handler.close({ graceMs: 0 }));
    const ready = async (): Promise<[number, string]> => {
      const response = await handler.fetch(new Request('http://127.0.0.1/readyz'));
      return [response.status, await response.text()];
    };
    expect(await ready()).toEqual([503, 'starting\n']);
    expect(handler.readiness()).toBe('starting');
    listen();
    while (handler.readiness() === 'starting') await new Promise((resolve) => setImmediate(resolve));
    expect(await ready()).toEqual([200, 'ok\n']);
  });

  it('report not ready but alive during shutdown, on open connections (LD-05)', async () => {
    const { url, service, gates } = await start({ health: true });
    const call = statelessClient(url).call('wait', { gate: 'g' });
    await gates.reached('g');
    const [asksReady, asksLive] = [await rawConnection(url), await rawConnection(url)];
    const closed = service.close();
    await noMoreConnections(url);
    asksReady.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    asksLive.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await asksReady.until(/\r\n\r\nclosing\n$/)).toMatch(/^HTTP\/1\.1 503 /);
    expect(await asksLive.until(/\r\n\r\nok\n$/)).toMatch(/^HTTP\/1\.1 200 /);
    gates.open('g');
    await Promise.all([call, closed]);
  });

  it('are answered under overload', async () => {
    const { url, gates } = await start({ health: true, maxRunning: 1 });
    const call = statelessClient(url).call('wait', { gate: 'g' });
    await gates.reached('g');
    expect((await statelessClient(url).sendCall('echo', { text: 'a' })).status).toBe(503);
    expect(await ask(url, '/healthz')).toEqual([200, 'ok\n']);
    expect(await ask(url, '/readyz')).toEqual([200, 'ok\n']);
    gates.open('g');
    await call;
  });

  it('can have other paths, or none', async () => {
    const renamed = await start({ health: { live: '/alive' } });
    expect(await ask(renamed.url, '/alive')).toEqual([200, 'ok\n']);
    expect(await ask(renamed.url, '/readyz')).toEqual([200, 'ok\n']);
    expect((await ask(renamed.url, '/healthz'))[0]).toBe(404);
    for (const options of [{}, { health: false }]) {
      const silent = await start(options);
      expect((await ask(silent.url, '/healthz'))[0]).toBe(404);
      expect((await ask(silent.url, '/readyz'))[0]).toBe(404);
    }
  });

  it('are relative to the mount path of a framework', async () => {
    const handler = httpHandler(testServer().server, { health: true });
    const app = express().use('/tools', (request, response) => handler.node(request, response));
    const http = createHttp(app).listen(0, '127.0.0.1');
    onTestFinished(() => void http.close());
    await new Promise((resolve) => http.once('listening', resolve));
    const { port } = http.address() as AddressInfo;
    expect(await ask(`http://127.0.0.1:${port}`, '/tools/healthz')).toEqual([200, 'ok\n']);
    http.closeAllConnections();
  });
});
