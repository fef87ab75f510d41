import { once } from 'node:events';
import { createServer as createNodeServer, type Server as NodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type LogEntry } from '@ccmcp/core';
import { type HttpHandler, httpHandler } from '@ccmcp/core/http';
import { serve as serveHono } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  answerOf,
  handshake,
  post,
  statelessClient,
  textOf,
} from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { readEvents } from '../../packages/core/src/transports/http/server/fixtures/events.ts';
import { testServer } from '../../packages/core/src/transports/http/server/fixtures/server.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** Serves a handler until the test ends; returns the URL of the endpoint. */
type Serve = (handler: HttpHandler) => Promise<string>;

async function addressOf(server: NodeServer, path: string): Promise<string> {
  if (!server.listening) await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}

const inExpress = (mount: (app: ReturnType<typeof express>, handler: HttpHandler) => void, path: string): Serve => {
  return (handler) => {
    const app = express();
    mount(app, handler);
    return addressOf(app.listen(0, '127.0.0.1'), path);
  };
};

const ways: [name: string, serve: Serve][] = [
  ['node:http', (handler) => addressOf(createNodeServer(handler.node).listen(0, '127.0.0.1'), '/mcp')],
  [
    'express',
    (handler) => {
      const app = express();
      app.all('/mcp', handler.node);
      return addressOf(app.listen(0, '127.0.0.1'), '/mcp');
    },
  ],
  [
    'express with its own parser of bodies, mounted',
    (handler) => {
      const app = express();
      app.use(express.json());
      app.use('/mcp', handler.node);
      return addressOf(app.listen(0, '127.0.0.1'), '/mcp');
    },
  ],
  [
    'a router of express',
    inExpress((app, handler) => app.use('/api', express.Router().all('/mcp', handler.node)), '/api/mcp'),
  ],
  [
    'a router of a router of express',
    inExpress((app, { node }) => {
      const inner = express.Router().use(node);
      app.use('/a', express.Router().use('/b', inner));
    }, '/a/b/mcp'),
  ],
  ['express, mounted at another path', inExpress((app, handler) => app.use('/tools', handler.node), '/tools')],
  [
    'fastify',
    async (handler) => {
      const app = fastify();
      // The handler reads the body itself.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (_request, _payload, done) => done(null));
      app.all('/mcp', (request, reply) => {
        reply.hijack();
        handler.node(request.raw, reply.raw);
      });
      await app.listen({ port: 0, host: '127.0.0.1' });
      return addressOf(app.server, '/mcp');
    },
  ],
  [
    'hono on node',
    (handler) => {
      const app = new Hono();
      app.all('/mcp', (context) => handler.fetch(context.req.raw));
      return addressOf(serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as NodeServer, '/mcp');
    },
  ],
];

describe.each(ways)('the handler in %s', (_, serve) => {
  it('serves sessions: requests, streams, changes, resumption and DELETE', async () => {
    const { server, gates } = testServer();
    const handler = httpHandler(server);
    onTestFinished(() => handler.close({ graceMs: 0 }));
    const url = await serve(handler);
    const session = await handshake(url, { capabilities: { roots: {} } });
    expect(textOf(await session.call('echo', { text: 'grün' }))).toBe('grün');
    const standalone = await session.listen();
    await standalone.next();
    server.tools.remove('big');
    expect(await standalone.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    const asking = readEvents(await session.sendCall('roots'));
    const question = await asking.message();
    await session.post({ jsonrpc: '2.0', id: question?.id, result: { roots: [{ uri: 'file:///a' }] } });
    expect(textOf((await asking.rest())[0] ?? {})).toBe('file:///a');
    const steps = readEvents(await session.sendCall('steps', { gate: 'g' }, { meta: { progressToken: 1 } }));
    const prime = await steps.next();
    await steps.message();
    await steps.cancel();
    gates.open('g');
    const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' });
    expect(await again.rest()).toHaveLength(4);
    expect((await session.end()).status).toBe(204);
    expect(await standalone.message()).toBeUndefined();
  });

  it('serves stateless requests, and cancels them on disconnect (LC-09)', async () => {
    const { server, gates } = testServer();
    const handler = httpHandler(server);
    onTestFinished(() => handler.close({ graceMs: 0 }));
    const client = statelessClient(await serve(handler));
    expect(textOf(await client.call('later', { text: 'x' }))).toBe('x');
    const controller = new AbortController();
    const sending = client.sendCall('wait', { gate: 'a' }, { signal: controller.signal }).catch(() => {});
    await gates.reached('a');
    controller.abort();
    expect(await gates.aborted('a')).toBe('The client disconnected');
    await sending;
    const events = readEvents(await client.sendCall('steps', { gate: 'b' }, { meta: { progressToken: 1 } }));
    await events.message();
    await events.cancel();
    expect(await gates.aborted('b')).toBe('The client disconnected');
  });

  it('rejects other hosts, content types and bodies that are too long', async () => {
    const handler = httpHandler(testServer().server, { maxBody: 50_000 });
    onTestFinished(() => handler.close({ graceMs: 0 }));
    const url = await serve(handler);
    expect((await post(url, ping, { Origin: 'http://evil.example' })).status).toBe(403);
    expect((await post(url, ping, { 'Content-Type': 'text/plain' })).status).toBe(415);
    const long = await post(url, { ...ping, params: { long: 'x'.repeat(60_000) } });
    expect(long.status).toBe(413);
    await long.text();
    const get = await fetch(url);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answerOf(await post(url, ping))).toMatchObject({ result: {} });
  });

  it('ends its streams and rejects requests when it is closed', async () => {
    const handler = httpHandler(testServer().server);
    const url = await serve(handler);
    const session = await handshake(url);
    const standalone = await session.listen();
    await standalone.next();
    await handler.close();
    expect(await standalone.next()).toBeUndefined();
    expect((await post(url, ping)).status).toBe(503);
  });
});

/** Serves a handler below `/api` of a framework that does not pass the prefix on. */
const prefixed: [name: string, serve: Serve][] = [
  [
    'fastify with a prefix',
    async (handler) => {
      const app = fastify();
      app.register(
        async (api) => {
          api.removeAllContentTypeParsers();
          api.addContentTypeParser('*', (_request, _payload, done) => done(null));
          api.all('/mcp', (request, reply) => {
            reply.hijack();
            handler.node(request.raw, reply.raw);
          });
        },
        { prefix: '/api' },
      );
      await app.listen({ port: 0, host: '127.0.0.1' });
      return addressOf(app.server, '/api/mcp');
    },
  ],
  [
    'a route of hono',
    (handler) => {
      const api = new Hono().all('/mcp', (context) => handler.fetch(context.req.raw));
      const app = new Hono().route('/api', api);
      return addressOf(serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as NodeServer, '/api/mcp');
    },
  ],
];

describe.each(prefixed)('the handler below %s', (_, serve) => {
  it('is served at the full path', async () => {
    const handler = httpHandler(testServer().server, { path: '/api/mcp' });
    onTestFinished(() => handler.close({ graceMs: 0 }));
    const session = await handshake(await serve(handler));
    expect(textOf(await session.call('echo', { text: 'x' }))).toBe('x');
  });

  it('says which path to set, in every response and once in the log', async () => {
    const log: LogEntry[] = [];
    const logger = { level: 'warning', write: (entry: LogEntry) => void log.push(entry) } as const;
    const handler = httpHandler(createServer({ name: 'lost', version: '1.0.0', logger }));
    onTestFinished(() => handler.close({ graceMs: 0 }));
    const url = await serve(handler);
    for (const id of [1, 2]) {
      const answer = await post(url, { ...ping, id });
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { error: { message: expect.stringContaining('give httpHandler the option { path: "/api/mcp" }') } },
      ]);
    }
    expect(log.map(({ data }) => data)).toEqual([
      'A request came to /api/mcp, and the endpoint is /mcp. ' +
        'If the handler is mounted at this path, give httpHandler the option { path: "/api/mcp" }',
    ]);
  });
});

describe('the handler below a router of express', () => {
  it('announces the endpoint of HTTP+SSE below the router', async () => {
    const handler = httpHandler(testServer().server, { sse: true });
    onTestFinished(() => handler.close({ graceMs: 0 }));
    const url = await inExpress((app, { node }) => app.use('/api', node), '/api/sse')(handler);
    const events = readEvents(await fetch(url, { headers: { Accept: 'text/event-stream' } }));
    const place = (await events.next())?.data ?? '';
    expect(place).toMatch(/^\/api\/messages\?sessionId=/);
    expect((await post(new URL(place, url).href, { ...ping, method: 'initialize', params: {} })).status).toBe(202);
    expect(await events.message()).toMatchObject({ id: 1 });
    await events.cancel();
  });

  it('answers 404 to other paths', async () => {
    const handler = httpHandler(testServer().server);
    onTestFinished(() => handler.close({ graceMs: 0 }));
    const url = await inExpress((app, { node }) => app.use('/api', node), '/api')(handler);
    expect((await post(`${url}/other`, ping)).status).toBe(404);
    expect((await post(`${url}/mcp/mcp`, ping)).status).toBe(404);
    expect((await post(`${url}?x=1`, ping)).status).toBe(200);
    expect((await post(`${url}/mcp?x=1`, ping)).status).toBe(200);
  });
});
