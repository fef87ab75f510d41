import { describe, expect, it, vi } from 'vitest';
import { memoryStore } from '../../../stores/memory.ts';
import { tool } from '../../../server/define/define.ts';
import { apiKey } from '../../../auth/server/api-key.ts';
import { stopClock } from '../../http/server/fixtures/clock.ts';
import { initializeRequest, post, textOf } from '../../http/server/fixtures/client.ts';
import { type EventReader, readEvents, type WireMessage } from '../../http/server/fixtures/events.ts';
import { start } from '../../http/server/fixtures/start.ts';
import { engineOf } from '../../../server/server-handle.ts';

interface Connected {
  events: EventReader;
  /** Where messages are posted. */
  messages: string;
  send(message: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Sends a request and returns the next message of the stream. */
  request(method: string, params?: object, id?: string | number): Promise<WireMessage | undefined>;
}

async function open(url: string, headers: Record<string, string> = {}, path = '/sse'): Promise<Connected> {
  const response = await fetch(new URL(path, url), { headers: { Accept: 'text/event-stream', ...headers } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const events = readEvents(response);
  const first = await events.next();
  expect(first?.event).toBe('endpoint');
  const messages = new URL(first?.data ?? '', response.url).href;
  const send: Connected['send'] = (message, more) => post(messages, message, { ...headers, ...more });
  return {
    events,
    messages,
    send,
    async request(method, params, id = 1) {
      const accepted = await send({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
      expect([accepted.status, await accepted.text()]).toEqual([202, 'Accepted']);
      return events.message();
    },
  };
}

async function ready(url: string, capabilities: object = {}): Promise<Connected> {
  const connected = await open(url);
  await connected.send(initializeRequest({ version: '2024-11-05', capabilities: { ...capabilities } }));
  await connected.events.message();
  await connected.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return connected;
}

describe('the HTTP+SSE server', () => {
  it('is served only if the option is set', async () => {
    const { url } = await start();
    expect((await fetch(new URL('/sse', url))).status).toBe(404);
  });

  it('sends log messages of the handshake right after its response', async () => {
    const { url, server } = await start({ sse: true });
    server.use((call, next) => {
      if (call.method === 'initialize') call.log('notice', 'welcome');
      return next();
    });
    const client = await open(url);
    await client.send(initializeRequest({ version: '2024-11-05' }));
    expect(await client.events.message()).toMatchObject({ result: { protocolVersion: '2024-11-05' } });
    expect(await client.events.message()).toMatchObject({ params: { level: 'notice', data: 'welcome' } });
  });

  it('announces the endpoint, and responds on the stream (S-X-01)', async () => {
    const { url } = await start({ sse: true });
    const client = await open(url);
    expect(client.messages).toMatch(/\/messages\?sessionId=[0-9a-f-]{36}$/);
    const response = await client.send(initializeRequest({ version: '2024-11-05' }));
    expect(response.headers.get('mcp-session-id')).toBeNull();
    const event = await client.events.next();
    expect(event?.event).toBe('message');
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ id: 0, result: { protocolVersion: '2024-11-05' } });
    await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(await client.request('tools/call', { name: 'echo', arguments: { text: 'hi' } })).toMatchObject({
      id: 1,
      result: { content: [{ text: 'hi' }] },
    });
    expect(await client.request('tools/call', { name: 'later', arguments: { text: 'ho' } }, 'x')).toMatchObject({
      id: 'x',
    });
  });

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('carries %s too', async (version) => {
    const { url } = await start({ sse: true });
    const client = await open(url);
    await client.send(initializeRequest({ version }));
    expect(await client.events.message()).toMatchObject({ result: { protocolVersion: version } });
  });

  it('can be served at other paths', async () => {
    const { url } = await start({ sse: { stream: '/old/events', messages: '/old/in' } });
    const client = await open(url, {}, '/old/events');
    expect(client.messages).toContain('/old/in?');
    expect(await client.request('ping')).toMatchObject({ result: {} });
    expect((await fetch(new URL('/sse', url))).status).toBe(404);
  });

  it('sends progress, changes and log messages', async () => {
    const { url, server, gates } = await start({ sse: true });
    gates.open('g');
    const client = await ready(url);
    const steps = { name: 'steps', arguments: { gate: 'g' }, _meta: { progressToken: 'p' } };
    expect(await client.request('tools/call', steps)).toMatchObject({ params: { progress: 1 } });
    expect(await client.events.message()).toMatchObject({ params: { progress: 2 } });
    expect(await client.events.message()).toMatchObject({ params: { progress: 3 } });
    expect(await client.events.message()).toMatchObject({ id: 1 });
    server.tools.remove('big');
    expect(await client.events.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    server.log('error', 'oh');
    expect(await client.events.message()).toMatchObject({ params: { data: 'oh' } });
  });

  it('sends each message as an event named "message", and nothing else', async () => {
    const { url, server, log } = await start({ sse: true });
    const client = await ready(url);
    server.tools.remove('big');
    expect(await client.events.next()).toEqual({
      event: 'message',
      data: '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
    });
    expect((await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    await client.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await client.events.next()).toEqual({ event: 'message', data: '{"jsonrpc":"2.0","id":1,"result":{}}' });
    expect(log).toEqual([]);
  });

  it('sends the response to a slow reader, and drops notifications before it', async () => {
    const chatty = tool('chatty', {}, (_, { log }) => {
      for (let each = 0; each < 100; each++) log('error', 'x'.repeat(10_000));
      return 'done';
    });
    const { url } = await start({ sse: true }, { tools: [chatty], logger: { level: 'emergency', write: () => {} } });
    const client = await ready(url);
    await client.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'chatty' } });
    let received = 0;
    for (let message = await client.events.message(); ; message = await client.events.message()) {
      if (message?.id === 'c') {
        expect(textOf(message)).toBe('done');
        break;
      }
      received += 1;
    }
    expect(received).toBeGreaterThan(10);
    expect(received).toBeLessThan(100);
  });

  it('counts only unanswered requests as running', async () => {
    const { url } = await start({ sse: true, maxRunning: 1 });
    const client = await ready(url);
    const params = { name: 'later', arguments: { text: 'x' } };
    expect(await client.request('tools/call', params)).toMatchObject({ result: {} });
    const elsewhere = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(elsewhere.status).toBe(200);
  });

  it('asks the client and receives its answer', async () => {
    const { url } = await start({ sse: true });
    const client = await ready(url, { roots: {} });
    const question = await client.request('tools/call', { name: 'roots' }, 'r');
    expect(question).toMatchObject({ method: 'roots/list' });
    await client.send({ jsonrpc: '2.0', id: question?.id, result: { roots: [{ uri: 'file:///x' }] } });
    expect(await client.events.message()).toMatchObject({ id: 'r', result: { content: [{ text: 'file:///x' }] } });
  });

  it('cancels requests on cancellation and on disconnect', async () => {
    const { url, gates, server } = await start({ sse: true });
    const client = await ready(url);
    for (const gate of ['a', 'b']) {
      await client.send({
        jsonrpc: '2.0',
        id: gate,
        method: 'tools/call',
        params: { name: 'wait', arguments: { gate } },
      });
    }
    await Promise.all([gates.reached('a'), gates.reached('b')]);
    await client.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'a', reason: 'enough' },
    });
    expect(await gates.aborted('a')).toBe('enough');
    await client.events.cancel();
    expect(await gates.aborted('b')).toBe('The client disconnected');
    await expect.poll(async () => (await client.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
    expect(engineOf(server).feed.size).toBe(0);
  });

  it('isolates clients that use the same request ids (SS-05)', async () => {
    const { url } = await start({ sse: true });
    const clients = await Promise.all(Array.from({ length: 10 }, () => ready(url)));
    const answers = await Promise.all(
      clients.map((client, each) => client.request('tools/call', { name: 'later', arguments: { text: `${each}` } }, 1)),
    );
    expect(answers.map((answer) => textOf(answer ?? {}))).toEqual(clients.map((_, each) => `${each}`));
  });

  it('drains running requests on shutdown, then ends the stream', async () => {
    const { url, gates, service } = await start({ sse: true });
    const client = await ready(url);
    await client.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'wait', arguments: { gate: 'g' } },
    });
    await gates.reached('g');
    const closing = service.close({ graceMs: 60_000 });
    gates.open('g');
    expect(await client.events.rest()).toMatchObject([{ id: 1, result: { content: [{ text: 'passed g' }] } }]);
    await closing;
  });

  it('sends keep-alive comments on an idle stream', async () => {
    const { url } = await start({ sse: true, keepAliveMs: 20 });
    const pass = stopClock();
    const client = await ready(url);
    for (let each = 0; each < 10; each++) {
      await pass(20);
      expect(await client.events.nextLine()).toEqual({ comment: 'keep-alive' });
    }
    expect(await client.request('ping')).toMatchObject({ result: {} });
  });

  it('counts towards the limit of open streams', async () => {
    const { url } = await start({ sse: true, maxStreams: 1, callerShare: 100 });
    await open(url);
    const rejected = await fetch(new URL('/sse', url));
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await rejected.json()).toMatchObject({
      error: { code: -32603, message: expect.stringMatching(/^Server busy: 1 streams are open/) },
    });
  });

  it('rejects clients that do not accept event streams', async () => {
    const { url } = await start({ sse: true });
    expect((await fetch(new URL('/sse', url), { headers: { Accept: 'application/json' } })).status).toBe(406);
  });

  it('expires after four missed keep-alives, and evicts above 10,000 sessions', async () => {
    const store = memoryStore();
    const create = vi.spyOn(store, 'create');
    const read = vi.spyOn(store, 'read');
    const { url } = await start({ sse: true, store, keepAliveMs: 20 });
    const client = await open(url);
    const life = { ttlMs: 80, busyMs: 80, kind: 'sse', limit: 10_000 };
    const owned = { ...life, owner: 'address 127.0.0.1' };
    expect(create).toHaveBeenCalledWith(expect.stringMatching(/^sse\/[0-9a-f-]{36}$/), {}, owned);
    await client.events.nextLine();
    await vi.waitFor(() => expect(read).toHaveBeenCalledWith(create.mock.calls[0]?.[0], life));
  });

  it('rejects a stream whose session can not be stored', async () => {
    const store = memoryStore();
    const create = (): Promise<void> => Promise.reject(new Error('no room'));
    const { url } = await start({ sse: true, store: { ...store, create } });
    const response = await fetch(new URL('/sse', url), { headers: { Accept: 'text/event-stream' } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('a client of HTTP+SSE', () => {
  it('gets no questions before notifications/initialized (S-V-04)', async () => {
    const { url } = await start({ sse: true });
    const client = await open(url);
    await client.send(initializeRequest({ version: '2024-11-05', capabilities: { roots: {} } }));
    await client.events.message();
    await client.send({ jsonrpc: '2.0', id: 'asking', method: 'tools/call', params: { name: 'roots' } });
    expect(await client.request('ping', {}, 'ping')).toMatchObject({ id: 'ping', result: {} });
    await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const question = await client.events.message();
    expect(question).toMatchObject({ method: 'roots/list' });
    await client.send({ jsonrpc: '2.0', id: question?.id, result: { roots: [] } });
    expect(await client.events.message()).toMatchObject({ id: 'asking', result: {} });
  });
});

describe('a message posted to HTTP+SSE', () => {
  it('is accepted with 202 and CORS headers for an allowed origin', async () => {
    const { url } = await start({ sse: true });
    const client = await open(url);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const { headers } = await client.send(ping, { Origin: 'http://localhost:5173' });
    expect([headers.get('content-type'), headers.get('access-control-allow-origin')]).toEqual([
      'text/plain',
      'http://localhost:5173',
    ]);
  });

  it('is rejected with 404 for an unknown session', async () => {
    const { url } = await start({ sse: true });
    for (const query of [
      '',
      '?sessionId=',
      '?sessionId=x',
      '?sessionId=__proto__',
      `?sessionId=${crypto.randomUUID()}`,
    ]) {
      expect(
        (await post(new URL(`/messages${query}`, url).href, { jsonrpc: '2.0', id: 1, method: 'ping' })).status,
      ).toBe(404);
    }
  });

  it('is rejected if it is invalid, too long, or of another content type', async () => {
    const { url } = await start({ sse: true, maxBody: 1000 });
    const client = await open(url);
    const malformed = await client.send('{');
    expect([malformed.status, await malformed.json()]).toMatchObject([400, { id: null, error: { code: -32700 } }]);
    expect((await client.send('x'.repeat(1001))).status).toBe(413);
    expect(
      (await client.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'Content-Type': 'text/plain' })).status,
    ).toBe(415);
    expect(await client.request('ping')).toMatchObject({ result: {} });
  });

  it('reaches the stream on another instance', async () => {
    const store = memoryStore();
    const [one, two] = await Promise.all([start({ sse: true, store }), start({ sse: true, store })]);
    const client = await open(one.url);
    const elsewhere = client.messages.replace(new URL(one.url).host, new URL(two.url).host);
    const response = await post(elsewhere, { jsonrpc: '2.0', id: 7, method: 'ping' });
    expect(response.status).toBe(202);
    expect(await client.events.message()).toMatchObject({ id: 7, result: {} });
  });

  it('is rejected if another caller opened the stream (AU-25)', async () => {
    const { url } = await start({ sse: true, auth: apiKey({ keys: ['ann', 'bob'] }) });
    const ann = await open(url, { 'X-Api-Key': 'ann' });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await ann.send(ping, { 'X-Api-Key': 'bob' })).status).toBe(404);
    expect(await ann.request('ping')).toMatchObject({ result: {} });
  });

  it('rejects other HTTP methods with an Allow header', async () => {
    const { url } = await start({ sse: true });
    const stream = await fetch(new URL('/sse', url), { method: 'POST' });
    expect([stream.status, stream.headers.get('allow')]).toEqual([405, 'GET']);
    const messages = await fetch(new URL('/messages', url));
    expect([messages.status, messages.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
