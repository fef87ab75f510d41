import { request as nodeRequest } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tool } from '../../../../server/define/define.ts';
import { answerOf, handshake, post, statelessClient, textOf } from '../fixtures/client.ts';
import { readEvents } from '../fixtures/events.ts';
import { deferred } from '../fixtures/gates.ts';
import { testServer } from '../fixtures/server.ts';
import { start } from '../fixtures/start.ts';
import { engineOf } from '../../../../server/server-handle.ts';
import { unlimited } from '../../../../features/quotas/quota.ts';
import { HttpCaller } from '../endpoint/callers.ts';
import type { HttpRequest, HttpResponder } from '../bindings/binding.ts';
import { HttpContext } from '../endpoint/context.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { joinSession } from '../endpoint/session-peer.ts';
import { handshakeRevision } from '../../../../revisions/history.ts';
import { Session } from '../../../../server/session.ts';
import { RunningIds } from '../sessions/running-ids.ts';
import { Streams } from '../streams/streams.ts';
import { respond } from './respond.ts';

const progressToken = 'p';

describe('a response', () => {
  it('is JSON if nothing is sent before it (S-H-04)', async () => {
    const { url } = await start();
    const session = await handshake(url);
    for (const response of [
      await session.sendCall('echo', { text: 'x' }),
      await session.sendCall('later', { text: 'x' }),
    ]) {
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(textOf(await answerOf(response))).toBe('x');
    }
  });

  it('is a stream if something is sent before it, and ends with the result (S-H-05, S-H-08)', async () => {
    const { url, gates } = await start();
    const session = await handshake(url, { version: '2025-06-18' });
    const response = await session.sendCall('steps', { gate: 'g' }, { id: 7, meta: { progressToken } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = readEvents(response);
    expect(await events.message()).toMatchObject({ params: { progressToken, progress: 1, message: 'one' } });
    gates.open('g');
    expect(await events.rest()).toMatchObject([
      { method: 'notifications/progress', params: { progress: 2 } },
      { method: 'notifications/progress', params: { progress: 3 } },
      { id: 7, result: { content: [{ text: 'stepped' }] } },
    ]);
  });

  it('has headers against sniffing, caching and buffering (HT-39, HT-50, S-M-12)', async () => {
    const { url } = await start();
    const session = await handshake(url);
    const json = await session.send('ping');
    expect(json.headers.get('x-content-type-options')).toBe('nosniff');
    expect(json.headers.get('cache-control')).toBe('no-store');
    const stream = await session.get();
    expect(stream.headers.get('x-content-type-options')).toBe('nosniff');
    expect(stream.headers.get('cache-control')).toContain('no-cache');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    await stream.body?.cancel();
    const accepted = await session.notify('notifications/initialized');
    expect(accepted.headers.get('x-content-type-options')).toBe('nosniff');
    expect(accepted.headers.get('cache-control')).toBe('no-store');
  });

  it('is JSON for a client that accepts nothing else, without notifications', async () => {
    const { url, gates } = await start();
    gates.open('g');
    const session = await handshake(url);
    const headers = { Accept: 'application/json' };
    const response = await session.sendCall('steps', { gate: 'g' }, { headers, meta: { progressToken } });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(textOf(await answerOf(response))).toBe('stepped');
  });

  it('is a stream for a client that accepts nothing else', async () => {
    const { url } = await start();
    const session = await handshake(url);
    const response = await session.sendCall('echo', { text: 'x' }, { headers: { Accept: 'text/event-stream' } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(textOf(await answerOf(response))).toBe('x');
  });

  it('hides internal errors (HT-38, JR-32)', async () => {
    const { url, log } = await start();
    const session = await handshake(url);
    const response = await session.sendCall('fail');
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ result: { isError: true } });
    expect(body).not.toMatch(/secret|\bat \S+:\d+/);
    expect(response.headers.get('x-powered-by')).toBeNull();
    expect(response.headers.get('server')).toBeNull();
    expect(log).toMatchObject([{ error: { message: 'a secret of the server' } }]);
  });

  it('is an error for a broken handler, and the server survives (LC-11)', async () => {
    const circle: Record<string, unknown> = {};
    circle.again = circle;
    const { url } = await start(
      {},
      { tools: [tool('circle', {}, () => ({ structuredContent: circle, content: [] }))] },
    );
    const session = await handshake(url);
    expect(await session.call('circle')).toMatchObject({ error: { code: -32603 } });
    expect(await session.request('ping')).toMatchObject({ result: {} });
  });
});

describe('streams of 2025-11-25', () => {
  it('start with an event id and a retry delay (S-H-07)', async () => {
    const { url, gates } = await start();
    gates.open('g');
    const session = await handshake(url, { version: '2025-11-25' });
    const events = readEvents(await session.sendCall('steps', { gate: 'g' }, { meta: { progressToken } }));
    const first = await events.next();
    expect(first).toEqual({ id: expect.stringMatching(/^r[0-9a-f]{8}-1$/), retry: expect.any(Number), data: '' });
    expect(first?.retry).toBeGreaterThanOrEqual(1000);
    expect(first?.retry).toBeLessThan(2000);
    expect(await events.rest()).toHaveLength(4);
  });

  it.each(['2025-03-26', '2025-06-18'])(
    'and not those of %s, whose clients would choke on it (trap 8.28)',
    async (version) => {
      const { url, gates } = await start();
      gates.open('g');
      const session = await handshake(url, { version });
      const events = readEvents(await session.sendCall('steps', { gate: 'g' }, { meta: { progressToken } }));
      const first = await events.next();
      expect(first?.retry).toBeUndefined();
      expect(JSON.parse(first?.data ?? '')).toMatchObject({ method: 'notifications/progress' });
      await events.rest();
    },
  );

  it('have event ids that are unique in the session and name their stream (S-H-12)', async () => {
    const { url, gates } = await start();
    gates.open('g');
    const session = await handshake(url);
    const ids: string[] = [];
    for (let each = 0; each < 3; each++) {
      const events = readEvents(await session.sendCall('steps', { gate: 'g' }, { meta: { progressToken } }));
      for (let event = await events.next(); event !== undefined; event = await events.next()) ids.push(event.id ?? '');
    }
    expect(new Set(ids).size).toBe(15);
    expect(new Set(ids.map((id) => id.split('-')[0])).size).toBe(3);
  });

  it('have no event ids without a session', async () => {
    const { url, gates } = await start();
    gates.open('g');
    const params = { name: 'steps', arguments: { gate: 'g' }, _meta: { progressToken } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const events = readEvents(await post(url, message, { 'MCP-Protocol-Version': '2025-11-25' }));
    const all = [];
    for (let event = await events.next(); event !== undefined; event = await events.next()) all.push(event);
    expect(all).toHaveLength(4);
    expect(all.every(({ id, retry }) => id === undefined && retry === undefined)).toBe(true);
  });
});

describe('a client that disconnects', () => {
  it('before the response does not cancel its request (LC-17, S-H-09, trap 8.6)', async () => {
    const { url, gates } = await start();
    const session = await handshake(url);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'wait', arguments: { gate: 'g' } },
    });
    const headers = { ...session.headers, 'Content-Type': 'application/json' };
    const request = nodeRequest(url, { method: 'POST', headers }).on('error', () => {});
    request.end(body);
    await gates.reached('g');
    request.destroy();
    const aborted = gates.aborted('g').then(() => 'aborted');
    // Two round trips later the server has certainly noticed.
    await session.request('ping');
    await session.request('ping');
    expect(await Promise.race([aborted, Promise.resolve('running')])).toBe('running');
    gates.open('g');
    expect(await session.request('ping')).toMatchObject({ result: {} });
  });

  it('frees its quota when its request times out, even if the handler runs on (LC-13)', async () => {
    const aborted: string[] = [];
    const stopped = deferred<void>();
    const reached = deferred<void>();
    let begun = 0;
    const deaf = tool('deaf', {}, (_, { signal }) => {
      signal.addEventListener('abort', () => aborted.push(signal.reason.name) === 3 && stopped.resolve());
      begun += 1;
      if (begun === 3) reached.resolve();
      return new Promise(() => {});
    });
    const { url } = await start({ maxRunning: 3, callerShare: 100 }, { tools: [deaf] });
    const session = await handshake(url);
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const headers = { ...session.headers, 'Content-Type': 'application/json' };
    const requests = [1, 2, 3].map((id) => {
      const request = nodeRequest(url, { method: 'POST', headers, agent: false }).on('error', () => {});
      request.end(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'deaf' } }));
      return request;
    });
    await reached.promise;
    for (const request of requests) request.destroy();
    expect((await session.send('tools/list')).status).toBe(503);
    await vi.advanceTimersByTimeAsync(303_000);
    await stopped.promise;
    expect(aborted).toEqual(['TimeoutError', 'TimeoutError', 'TimeoutError']);
    expect((await session.send('tools/list')).status).toBe(200);
  });

  it('and cancels gets no response, only the end of the stream (LC-16, S-K-01)', async () => {
    const { url, gates } = await start();
    const session = await handshake(url);
    const plain = session.sendCall('wait', { gate: 'a' }, { id: 'plain' });
    const streamed = readEvents(
      await session.sendCall('steps', { gate: 'b' }, { id: 'streamed', meta: { progressToken } }),
    );
    await Promise.all([gates.reached('a'), gates.reached('b')]);
    for (const requestId of ['plain', 'streamed']) {
      expect((await session.notify('notifications/cancelled', { requestId, reason: 'enough' })).status).toBe(202);
    }
    expect(await Promise.all([gates.aborted('a'), gates.aborted('b')])).toEqual(['enough', 'enough']);
    const response = await plain;
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect((await streamed.rest()).map(({ method }) => method)).toEqual(['notifications/progress']);
  });

  it('may cancel unknown, finished or invalid ids (JR-27)', async () => {
    const { url } = await start();
    const session = await handshake(url);
    for (const params of [{ requestId: 99 }, {}, { requestId: null }, { requestId: { a: 1 } }, undefined]) {
      expect((await session.notify('notifications/cancelled', params)).status).toBe(202);
    }
    expect(await session.request('ping')).toMatchObject({ result: {} });
  });
});

describe('disconnect()', () => {
  it('sends an event id and a retry delay, and the response when the client resumes (S-H-06)', async () => {
    const { url, gates } = await start();
    const session = await handshake(url);
    const events = readEvents(await session.sendCall('leave', { gate: 'g' }, { id: 5 }));
    const first = await events.next();
    expect(first).toEqual({ id: expect.any(String), retry: 25, data: '' });
    expect(await events.next()).toBeUndefined();
    const again = await session.listen({ 'Last-Event-ID': first?.id ?? '' });
    gates.open('g');
    expect(await again.rest()).toMatchObject([{ id: 5, result: { content: [{ text: 'came back to g' }] } }]);
    const tooLate = await session.listen({ 'Last-Event-ID': first?.id ?? '' });
    expect(await tooLate.rest()).toMatchObject([{ id: 5 }]);
  });

  it('sends a retry delay also on an open stream', async () => {
    const { url, gates } = await start(
      {},
      {
        tools: [
          tool('leave', {}, async (_, { progress, disconnect }) => {
            progress(1);
            await disconnect(77);
            return 'done';
          }),
        ],
      },
    );
    gates.open('g');
    const session = await handshake(url);
    const events = readEvents(await session.sendCall('leave', {}, { meta: { progressToken } }));
    const all = [];
    for (let event = await events.next(); event !== undefined; event = await events.next()) all.push(event);
    expect(all).toMatchObject([
      { retry: expect.any(Number) },
      { data: expect.stringContaining('progress') },
      { retry: 77 },
    ]);
    const again = await session.listen({ 'Last-Event-ID': all[1]?.id ?? '' });
    expect(await again.rest()).toMatchObject([{ result: { content: [{ text: 'done' }] } }]);
  });

  it.each(['2025-03-26', '2025-06-18'])(
    'does nothing in %s, whose servers stay on the line (S-H-06)',
    async (version) => {
      const { url, gates } = await start();
      gates.open('g');
      const session = await handshake(url, { version });
      const response = await session.sendCall('leave', { gate: 'g' });
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(textOf(await answerOf(response))).toBe('came back to g');
    },
  );
});

describe('disconnect() for a client that does not accept event streams', () => {
  it('does nothing: the response is JSON', async () => {
    const { url, gates } = await start();
    gates.open('g');
    const session = await handshake(url);
    const response = await session.sendCall('leave', { gate: 'g' }, { headers: { Accept: 'application/json' } });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(textOf(await answerOf(response))).toBe('came back to g');
  });
});

describe('an answered request', () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/progress' } as const;
  const response = { jsonrpc: '2.0', id: 1, result: {} } as const;

  /** A request, and what left the server: responses with their status, and texts of the stream. */
  function request(): { context: HttpContext; sent: unknown[] } {
    const sent: unknown[] = [];
    const write = (text: string): void => void sent.push(text);
    const responder: HttpResponder = {
      send: (status) => void sent.push(status),
      stream: () => ({
        write,
        end: () => void sent.push('end'),
        cut: () => {},
        unsent: 0,
        full: false,
        onDrain: () => {},
      }),
      backpressured: false,
      onDisconnect: () => {},
    };
    const streams = new Streams({ keepAliveMs: 60_000 });
    const sessions = { runningIds: new RunningIds() };
    const endpoint = { server: engineOf(testServer().server), streams, sessions } as unknown as Endpoint;
    const context = new HttpContext(endpoint, { header: () => undefined } as unknown as HttpRequest, responder);
    context.usage = new HttpCaller('test', 'caller', unlimited);
    return { context, sent };
  }

  it.each([
    ['responded to', response, 200],
    ['cancelled', undefined, 202],
  ])('sends nothing more and keeps the connection: %s', async (_, last, status) => {
    const { context: plain, sent } = request();
    const session = new Session();
    session.revision = handshakeRevision('2025-11-25');
    joinSession(plain, { session, id: 's' });
    await respond(plain, last);
    plain.send(notification);
    await plain.disconnect?.(25);
    expect([plain.disconnect, sent]).toEqual([expect.any(Function), [status]]);
    const { context: streaming, sent: events } = request();
    streaming.send(notification);
    await respond(streaming, last);
    streaming.send(notification);
    const first = `data: ${JSON.stringify(notification)}\n\n`;
    const result = 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';
    expect(events).toEqual(last === undefined ? [first, 'end'] : [first, result, 'end']);
  });
});

describe('a tool that floods its client', () => {
  const chatty = tool('chatty', {}, async (_, { progress, log }) => {
    for (let each = 1; each <= 100_000; each++) {
      progress(each);
      log('warning', `line ${each}`);
    }
    return 'done at last';
  });

  it('has its notifications dropped, but its response arrives, with a session and without (RX-11, RX-12)', async () => {
    const { url } = await start({}, { tools: [chatty], logger: { level: 'emergency', write: () => {} } });
    const session = await handshake(url);
    const stateless = statelessClient(url);
    const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'info' };
    for (const client of [session, stateless]) {
      const messages = await readEvents(await client.sendCall('chatty', {}, { meta })).rest();
      expect(messages.length).toBeGreaterThan(50);
      expect(messages.length).toBeLessThan(20_000);
      expect(textOf(messages.at(-1) ?? {})).toBe('done at last');
    }
  });
});

describe('concurrent requests', () => {
  const sameId = { code: -32600, message: expect.stringMatching(/another request with this id is still running/) };

  it('of one session must have unique ids, also in a batch (JR-28, JR-40)', async () => {
    const { url, gates } = await start();
    const session = await handshake(url, { version: '2025-03-26' });
    const first = session.call('wait', { gate: 'a' }, { id: 1 });
    await gates.reached('a');
    expect(await session.call('echo', { text: 'second' }, { id: 1 })).toMatchObject({ id: 1, error: sameId });
    const ping = (id: string | number): object => ({ jsonrpc: '2.0', id, method: 'ping' });
    const batch = (await (await session.post([ping(1), ping('1')])).json()) as object[];
    expect(batch).toMatchObject([{ error: sameId }, { id: '1', result: {} }]);
    gates.open('a');
    expect(textOf(await first)).toBe('passed a');
    expect(textOf(await session.call('echo', { text: 'third' }, { id: 1 }))).toBe('third');
  });

  it('of several sessions, or of none, may have equal ids (JR-40)', async () => {
    const { url } = await start();
    const clients = [await handshake(url), await handshake(url), statelessClient(url), statelessClient(url)];
    const answers = clients.map((client, each) => client.call('later', { text: `${each}` }, { id: 1 }));
    expect((await Promise.all(answers)).map(textOf)).toEqual(['0', '1', '2', '3']);
  });

  it('of a session free their id when they are cancelled', async () => {
    const { url, gates } = await start();
    const session = await handshake(url);
    const first = session.sendCall('wait', { gate: 'a' }, { id: 1 });
    await gates.reached('a');
    await session.notify('notifications/cancelled', { requestId: 1, reason: 'not needed' });
    await gates.aborted('a');
    expect(textOf(await session.call('echo', { text: 'again' }, { id: 1 }))).toBe('again');
    await (await first).text();
  });

  it('run in parallel, and a ping is answered (LC-10, LC-14)', async () => {
    const { url, gates } = await start();
    const session = await handshake(url);
    const calls = Array.from({ length: 100 }, (_, each) => session.call('wait', { gate: `g${each}` }));
    await Promise.all(calls.map((_, each) => gates.reached(`g${each}`)));
    expect(await session.request('ping')).toMatchObject({ result: {} });
    for (let each = 0; each < 100; each++) gates.open(`g${each}`);
    expect((await Promise.all(calls)).map(textOf)).toEqual(calls.map((_, each) => `passed g${each}`));
  });

  it('are rejected above the limit; a ping and later requests are served (RX-03)', async () => {
    const { url, gates } = await start({ maxRunning: 3, callerShare: 100 });
    const session = await handshake(url);
    const calls = ['a', 'b', 'c'].map((gate) => session.call('wait', { gate }));
    await Promise.all(['a', 'b', 'c'].map(gates.reached));
    const rejected = await session.sendCall('echo', { text: 'x' }, { id: 'mine' });
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await rejected.json()).toMatchObject({
      id: 'mine',
      error: { code: -32603, message: expect.stringMatching(/busy/) },
    });
    expect(await session.request('ping')).toMatchObject({ result: {} });
    gates.open('a');
    await calls[0];
    expect(textOf(await session.call('echo', { text: 'x' }))).toBe('x');
    for (const gate of ['b', 'c']) gates.open(gate);
    await Promise.all(calls);
  });
});
