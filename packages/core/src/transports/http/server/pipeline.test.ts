import { describe, expect, it, vi } from 'vitest';
import { setImmediate } from 'node:timers/promises';
import { tool } from '../../../server/define/define.ts';
import { post, statelessClient, textOf } from './fixtures/client.ts';
import { deferred } from './fixtures/gates.ts';
import { testServer } from './fixtures/server.ts';
import { start } from './fixtures/start.ts';
import { watchedStore } from './fixtures/watched-store.ts';
import { httpHandler } from './handler.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

async function rejection(response: Response): Promise<unknown[]> {
  const { error, ...rest } = (await response.json()) as { error: { code: number; message: string } };
  expect(rest).toEqual({ jsonrpc: '2.0' });
  return [response.status, error.code, error.message];
}

describe('a rejected request', () => {
  it('gets an error that says what is wrong and what to do', async () => {
    const { url, log } = await start({ path: '/here', sse: true });
    const at = (path: string): string => new URL(path, url).href;
    expect(await rejection(await post(at('/there'), ping))).toEqual([404, -32600, 'Not found: the endpoint is /here']);
    expect(await rejection(await fetch(url, { method: 'PUT' }))).toEqual([
      405,
      -32600,
      'PUT is not served: use POST, GET, DELETE',
    ]);
    expect(await rejection(await fetch(at('/sse'), { method: 'DELETE' }))).toEqual([
      405,
      -32600,
      'DELETE is not served: use GET',
    ]);
    expect(await rejection(await post(url, ping, { Accept: 'text/html' }))).toEqual([
      406,
      -32600,
      'Accept must allow application/json or text/event-stream',
    ]);
    expect(await rejection(await fetch(at('/sse'), { headers: { Accept: 'text/html' } }))).toEqual([
      406,
      -32600,
      'Accept must allow text/event-stream',
    ]);
    expect(await rejection(await post(at('/messages?sessionId=x'), ping))).toEqual([
      404,
      -32600,
      'Session not found: open the stream first',
    ]);
    expect(await rejection(await post(url, { jsonrpc: '2.0', id: 1, result: {} }))).toEqual([
      400,
      -32600,
      'A response belongs to a session: Mcp-Session-Id is missing',
    ]);
    expect(await rejection(await post(url, ping, { 'Content-Type': 'text/plain' }))).toEqual([
      415,
      -32600,
      'Content-Type must be application/json, in UTF-8, not compressed',
    ]);
    const preflight = await fetch(url, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([405, 'POST, GET, DELETE']);
    expect((await post(url, ping, { Origin: 'http://evil.example' })).status).toBe(403);
    expect(log).toEqual([]);
  });

  it('for a subscription says why there is no stream', async () => {
    const { url } = await start({ maxStreams: 0 });
    const listen = async (headers: Record<string, string>): Promise<unknown> => {
      const params = { notifications: { toolsListChanged: true } };
      const response = await statelessClient(url).send('subscriptions/listen', params, { id: 'l', headers });
      return [response.status, await response.json()];
    };
    expect(await listen({})).toMatchObject([
      503,
      { id: 'l', error: { message: expect.stringMatching(/^Server busy: 0 streams are open/) } },
    ]);
    expect(await listen({ Accept: 'application/json' })).toMatchObject([
      406,
      { id: 'l', error: { message: 'Accept must allow text/event-stream' } },
    ]);
  });

  it('during shutdown gets Retry-After', async () => {
    const handler = httpHandler(testServer().server);
    await handler.close();
    const headers = { 'Content-Type': 'application/json' };
    const response = await handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body: '{}' }));
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await rejection(response)).toEqual([503, -32603, 'The server is shutting down']);
  });

  it('whose body arrives after shutdown gets the same error, and nothing runs', async () => {
    const ran = vi.fn<() => string>(() => 'ran');
    const handler = httpHandler(testServer({ tools: [tool('run', {}, ran)] }).server);
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const headers = { 'Content-Type': 'application/json' };
    const request = { method: 'POST', headers, body: body.readable, duplex: 'half' };
    const answer = handler.fetch(new Request('http://localhost/mcp', request as RequestInit));
    await handler.close({ graceMs: 0 });
    const writer = body.writable.getWriter();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'run', arguments: {} } };
    await writer.write(new TextEncoder().encode(JSON.stringify(call)));
    await writer.close();
    expect(await rejection(await answer)).toEqual([503, -32603, 'The server is shutting down']);
    expect(ran).not.toHaveBeenCalled();
  });

  it('gets an internal error without details', async () => {
    const auth = { authenticate: () => Promise.reject(new Error('a secret')) };
    const { url, log } = await start({ auth });
    expect(await rejection(await post(url, ping))).toEqual([500, -32603, 'Internal error']);
    expect(log).toMatchObject([{ data: 'Unexpected error in an HTTP request', error: { message: 'a secret' } }]);
  });
});

describe('a request before the server is subscribed to other instances', () => {
  it('waits for that, and is attributed to its caller', async () => {
    const ready = deferred<void>();
    const { store } = watchedStore((memory) => ({
      async subscribe(topic, listener) {
        await ready.promise;
        return memory.subscribe(topic, listener);
      },
    }));
    const auth = { authenticate: () => ({ principal: 'anna' }) };
    const handler = httpHandler(testServer().server, { store, auth });
    const params = { name: 'whoami' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const headers = { 'Content-Type': 'application/json' };
    let answered = false;
    const answer = handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body })).finally(() => {
      answered = true;
    });
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    expect(answered).toBe(false);
    ready.resolve();
    expect(textOf(JSON.parse(await (await answer).text()))).toBe('anna');
    await handler.close();
  });
});
