import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiKey } from '../../../../auth/server/api-key.ts';
import { metrics } from '../../../../features/metrics/metrics.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import { handshake, statelessClient } from '../fixtures/client.ts';
import { noMoreConnections, rawConnection, statusesIn } from '../fixtures/raw.ts';
import { testServer } from '../fixtures/server.ts';
import { start } from '../fixtures/start.ts';
import { httpHandler } from '../handler.ts';
import { serveHttp } from '../serve.ts';
import type { AdminOptions } from './admin.ts';

const echo = { text: 'a' };

async function admin(options: AdminOptions = {}, more: Parameters<typeof start>[0] = {}) {
  const started = await start({ admin: options, ...more });
  const adminUrl = started.service.adminUrl ?? '';
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<[number, string]> => {
    const response = await fetch(adminUrl + path, { headers, method });
    return [response.status, await response.text()];
  };
  /** The value of a metric, or the part before its value. */
  const value = async (name: string): Promise<string | undefined> => {
    const [, text] = await get('/metrics');
    return text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1);
  };
  return { ...started, adminUrl, get, value };
}

describe('the admin endpoint', () => {
  it('listens on a separate loopback address, and serves Prometheus metrics (OB-08)', async () => {
    const { url, adminUrl, value } = await admin();
    expect(new URL(adminUrl)).toMatchObject({ hostname: '127.0.0.1', pathname: '/' });
    expect(new URL(adminUrl).port).not.toBe(new URL(url).port);
    await statelessClient(url).call('echo', echo);
    const { headers } = await fetch(`${adminUrl}/metrics`);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const labels = 'method="tools/call",tool="echo",revision="2026-07-28",outcome="ok"';
    expect(await value(`ccmcp_requests_total{${labels}}`)).toBe('1');
    expect((await fetch(new URL('/metrics', url))).status).toBe(404);
  });

  it('reports responses, sessions, streams and rejections', async () => {
    const { url, value, gates } = await admin({}, { maxRunning: 1, rateLimit: { calls: 3, perMs: 3_600_000 } });
    const session = await handshake(url);
    const events = await session.listen();
    expect(await value('ccmcp_sessions_begun_total')).toBe('1');
    expect(await value('ccmcp_sessions_active')).toBe('1');
    expect(await value('ccmcp_streams_open')).toBe('1');
    await session.end();
    await events.rest();
    expect(await value('ccmcp_sessions_ended_total')).toBe('1');
    const waiting = statelessClient(url).call('wait', { gate: 'g' });
    await gates.reached('g');
    await statelessClient(url).call('echo', echo);
    gates.open('g');
    await waiting;
    expect(await value('ccmcp_refusals_total{reason="busy",scope="server"}')).toBe('1');
    await statelessClient(url).call('echo', echo);
    await statelessClient(url).call('echo', echo);
    expect(await value('ccmcp_refusals_total{reason="rate",scope="caller"}')).toBe('1');
    expect(await value('ccmcp_http_responses_total{status="429"}')).toBe('1');
    expect(await value('ccmcp_http_responses_total{status="503"}')).toBe('1');
  });

  it('reports the status of a remote store', async () => {
    const store = { ...memoryStore(), status: () => ({ ready: false, reason: 'secret', latencyMs: 2.5 }) };
    const { get, value } = await admin({}, { store });
    expect(await value('ccmcp_store_ready')).toBe('0');
    expect(await value('ccmcp_store_latency_seconds')).toBe('0.0025');
    expect(await value('ccmcp_ready')).toBe('0');
    expect(await get('/readyz')).toEqual([503, 'store\n']);
    expect(await get('/healthz')).toEqual([200, 'ok\n']);
    expect((await get('/metrics'))[1]).not.toContain('secret');
  });

  it('stays available during shutdown, and reports not ready', async () => {
    const { url, service, gates, get, adminUrl } = await admin();
    const call = statelessClient(url).call('wait', { gate: 'g' });
    await gates.reached('g');
    const closed = service.close();
    await noMoreConnections(url);
    expect(await get('/readyz')).toEqual([503, 'closing\n']);
    expect(await get('/healthz')).toEqual([200, 'ok\n']);
    gates.open('g');
    await Promise.all([call, closed]);
    await expect(fetch(adminUrl)).rejects.toThrow('fetch failed');
  });

  it('rejects browser pages and unknown hosts (HT-01)', async () => {
    const { adminUrl, get } = await admin();
    expect((await get('/metrics', { Origin: 'http://127.0.0.1' }))[0]).toBe(403);
    const connection = await rawConnection(adminUrl);
    const hosts = ['rebound.example', '127.0.0.1.rebound.example', '10.1.2.3:9464', '[::1]:9464', 'localhost', ''];
    for (const host of hosts) connection.write(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(statusesIn(await connection.answers(hosts.length))).toEqual([403, 403, 200, 200, 200, 403]);
  });

  it('accepts allowed hosts', async () => {
    const { adminUrl } = await admin({ allowHosts: ['app'] });
    const connection = await rawConnection(adminUrl);
    connection.write('GET /metrics HTTP/1.1\r\nHost: app:9464\r\n\r\n');
    expect(statusesIn(await connection.answers(1))).toEqual([200]);
  });

  it('requires authentication if configured, except for health checks (OB-04)', async () => {
    const { get } = await admin({ auth: apiKey({ keys: ['k'] }) });
    expect((await get('/metrics'))[0]).toBe(401);
    expect((await get('/metrics', { 'X-Api-Key': 'k' }))[0]).toBe(200);
    expect((await get('/readyz'))[0]).toBe(200);
  });

  it('rejects a public address without authentication, unless that is allowed (OB-09)', async () => {
    const { server } = testServer();
    await expect(serveHttp(server, { admin: { host: '0.0.0.0' } })).rejects.toThrow(
      '0.0.0.0 is reachable from other machines without authentication: set the "auth" option of "admin", ' +
        'or publicWithoutAuth of "admin" (--public-admin) to allow that',
    );
    for (const options of [{ publicWithoutAuth: true }, { auth: apiKey({ keys: ['k'] }) }]) {
      const { adminUrl } = await admin({ host: '0.0.0.0', ...options });
      expect((await fetch(`${adminUrl.replace('0.0.0.0', '127.0.0.1')}/healthz`)).status).toBe(200);
    }
  });

  it('serves a status as JSON where there is one, to those who may read the metrics', async () => {
    const { get } = await admin({ status: () => ({ up: 2 }), auth: apiKey({ keys: ['k'] }) });
    expect(await get('/status', { 'X-Api-Key': 'k' })).toEqual([200, '{"up":2}']);
    expect((await get('/status'))[0]).toBe(401);
    const { get: without } = await admin();
    expect((await without('/status'))[0]).toBe(404);
  });

  it('answers 404 to other paths, and 405 to other methods', async () => {
    const { get, adminUrl } = await admin();
    expect((await get('/'))[0]).toBe(404);
    expect((await get('/mcp'))[0]).toBe(404);
    expect(await get('/metrics', {}, 'HEAD')).toEqual([200, '']);
    const rejected = await fetch(`${adminUrl}/metrics`, { method: 'POST', body: 'x' });
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('closes the service if its port is in use', async () => {
    const other = createHttp().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const free = createHttp().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    const { port: main } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    await expect(serveHttp(testServer().server, { port: main, admin: { port } })).rejects.toThrow('EADDRINUSE');
    await expect(fetch(`http://127.0.0.1:${main}/healthz`)).rejects.toThrow('fetch failed');
  });
});

describe('metrics at a custom route', () => {
  it('include those of a handler until it is closed', async () => {
    const { server } = testServer();
    const made = metrics(server);
    onTestFinished(() => made.stop());
    const handler = httpHandler(server, { metrics: made });
    await handler.fetch(new Request('http://127.0.0.1/mcp', { method: 'PUT' }));
    expect(made.text()).toContain('ccmcp_http_responses_total{status="405"} 1\n');
    await handler.close({ graceMs: 0 });
    expect(made.text()).not.toContain('ccmcp_http_responses_total');
  });
});
