import { describe, expect, it } from 'vitest';
import { tasks } from '../../../../features/tasks/tasks.ts';
import { tool } from '../../../../server/define/define.ts';
import type { ServerOptions } from '../../../../create-server.ts';
import { handshake, post, statelessClient, textOf, answerOf } from '../fixtures/client.ts';
import { readEvents } from '../fixtures/events.ts';
import { deferred } from '../fixtures/gates.ts';
import { start } from '../fixtures/start.ts';
import { remote } from '../fixtures/remote-store.ts';
import { watchedStore } from '../fixtures/watched-store.ts';

const meta = { progressToken: 'p' };
const afterOne = [{ params: { progress: 2 } }, { params: { progress: 3 } }, { result: {} }];

describe('a running request of a session', () => {
  it('gets events of the session until it is answered', async () => {
    const { store, topics } = watchedStore();
    const { url, gates } = await start({ store });
    const session = await handshake(url);
    const running = session.call('wait', { gate: 'g' });
    await gates.reached('g');
    await expect.poll(topics).toEqual([`session/${session.id}`]);
    gates.open('g');
    expect(textOf(await running)).toBe('passed g');
    await expect.poll(topics).toEqual([]);
  });

  it('gets no events after its response although the store was slow', async () => {
    const subscribing = deferred<void>();
    const subscribed = deferred<void>();
    const { store, topics } = watchedStore((memory) => ({
      async subscribe(topic, listener) {
        if (topic.startsWith('session/')) {
          subscribing.resolve();
          await subscribed.promise;
        }
        return memory.subscribe(topic, listener);
      },
    }));
    const { url, gates, log } = await start({ store });
    const session = await handshake(url);
    const running = session.call('wait', { gate: 'g' });
    await Promise.all([gates.reached('g'), subscribing.promise]);
    gates.open('g');
    expect(textOf(await running)).toBe('passed g');
    subscribed.resolve();
    await session.request('ping');
    await expect.poll(topics).toEqual([]);
    expect(log).toEqual([]);
  });

  it('gets no events after its question is answered', async () => {
    const { store, topics } = watchedStore();
    const { url } = await start({ store });
    const session = await handshake(url, { capabilities: { roots: {} } });
    const events = readEvents(await session.sendCall('roots'));
    const question = await events.message();
    await session.post({ jsonrpc: '2.0', id: question?.id, result: { roots: [{ uri: 'file:///x' }] } });
    expect(await events.rest()).toMatchObject([{ result: { content: [{ text: 'file:///x' }] } }]);
    await expect.poll(topics).toEqual([]);
  });

  it('keeps its stream when the client opens the standalone one', async () => {
    const { url, gates } = await start();
    const session = await handshake(url);
    const events = readEvents(await session.sendCall('steps', { gate: 'g' }, { meta }));
    expect(await events.message()).toMatchObject({ params: { progress: 1 } });
    await (await session.listen()).next();
    gates.open('g');
    expect(await events.rest()).toMatchObject(afterOne);
  });

  it('may have no stream yet when the client opens the standalone one', async () => {
    const { url, gates, log } = await start();
    const session = await handshake(url);
    const running = session.call('wait', { gate: 'g' });
    await gates.reached('g');
    await (await session.listen()).next();
    gates.open('g');
    expect(textOf(await running)).toBe('passed g');
    expect(log).toEqual([]);
  });

  it('is cancelled without a reason if the given one is no string', async () => {
    const { url, gates } = await start();
    const session = await handshake(url);
    const [one, two] = [
      session.sendCall('wait', { gate: 'a' }, { id: 1 }),
      session.sendCall('wait', { gate: 'b' }, { id: 2 }),
    ];
    await Promise.all([gates.reached('a'), gates.reached('b')]);
    await session.notify('notifications/cancelled', { requestId: 1 });
    await session.notify('notifications/cancelled', { requestId: 2, reason: { not: 'a text' } });
    expect(await gates.aborted('b')).toBe(await gates.aborted('a'));
    await Promise.all([one, two]);
  });

  it('gets everything although its stream is the last one allowed', async () => {
    const { url, gates } = await start({ maxStreams: 1 });
    const session = await handshake(url);
    for (const client of [session, statelessClient(url)]) {
      gates.open('g');
      const events = readEvents(await client.sendCall('steps', { gate: 'g' }, { meta }));
      expect(await events.rest()).toMatchObject([{ params: { progress: 1 } }, ...afterOne]);
    }
  });
});

/** A server whose sessions can be lost, and a client that has opened its standalone stream. */
async function losing(settings: Partial<ServerOptions> = {}) {
  const { store, reconnect } = remote();
  const started = await start({ store }, settings);
  const session = await handshake(started.url, { capabilities: { elicitation: {} } });
  const standalone = await session.listen();
  await standalone.next();
  return {
    ...started,
    session,
    /** Has the store forget the session. Resolved when the server has found out. */
    async lose(): Promise<void> {
      // The running request is subscribed to its session by then.
      await session.request('ping');
      await store.remove(`session/${session.id}`);
      reconnect();
      await standalone.rest();
    },
  };
}

describe('a request whose session ends while it runs', () => {
  it('is answered with an error and aborted if the client ended the session', async () => {
    const { store, topics } = watchedStore();
    const { url, gates } = await start({ store });
    const session = await handshake(url);
    const plain = session.sendCall('wait', { gate: 'a' }, { id: 'a' });
    const streamed = session.sendCall('steps', { gate: 'b' }, { id: 'b', meta });
    await Promise.all([gates.reached('a'), gates.reached('b')]);
    await expect.poll(topics).toEqual([`session/${session.id}`]);
    await session.end();
    const error = { code: -32603, message: expect.stringContaining('The session was ended') };
    for (const [id, sent] of Object.entries({ a: plain, b: streamed })) {
      const response = await sent;
      expect(response.status).toBe(200);
      expect(await answerOf(response)).toEqual({ jsonrpc: '2.0', id, error });
      expect(await gates.aborted(id)).toContain('The session was ended');
    }
  });

  it('is answered normally if the store lost the session', async () => {
    const { session, gates, lose } = await losing();
    const plain = session.call('wait', { gate: 'a' });
    const streamed = readEvents(await session.sendCall('steps', { gate: 'b' }, { meta }));
    await Promise.all([gates.reached('a'), gates.reached('b')]);
    await lose();
    gates.open('a');
    gates.open('b');
    expect(textOf(await plain)).toBe('passed a');
    expect((await streamed.rest()).at(-1)).toMatchObject({ result: { content: [{ text: 'stepped' }] } });
    expect((await session.send('ping')).status).toBe(404);
  });

  it('is answered with an error if it waits for an answer of the client', async () => {
    const { session, lose } = await losing();
    const events = readEvents(await session.sendCall('ask'));
    expect(await events.message()).toMatchObject({ method: 'elicitation/create' });
    await lose();
    const error = { code: -32603, message: expect.stringContaining('The session was ended') };
    expect((await events.rest()).at(-1)).toMatchObject({ error });
  });

  it('is answered with an error if it waits for a task', async () => {
    const tools = [tool('rest', { task: 'optional' }, () => new Promise<string>(() => {}))];
    const { session, lose } = await losing({ tools, extensions: [tasks()] });
    const { result } = await session.request('tools/call', { name: 'rest', task: {} });
    const task = result?.task as { taskId: string } | undefined;
    const waiting = session.request('tasks/result', { taskId: task?.taskId });
    await lose();
    const error = { code: -32603, message: expect.stringContaining('The session was ended') };
    expect(await waiting).toMatchObject({ error });
  });
});

describe('a request without a session', () => {
  it('gets no events of sessions', async () => {
    const { store, topics } = watchedStore();
    const { url, gates } = await start({ store });
    const call = (gate: string): object => {
      const params = { name: 'wait', arguments: { gate } };
      return { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    };
    for (const [gate, message] of [
      ['alone', call('alone')],
      ['batch', [call('batch')]],
    ] as const) {
      const running = post(url, message);
      await gates.reached(gate);
      // By then the request would have begun to listen.
      await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' });
      expect(topics()).toEqual([]);
      gates.open(gate);
      expect(await (await running).text()).toContain(`passed ${gate}`);
    }
  });

  it('can not be disconnected', async () => {
    const { url, gates } = await start();
    gates.open('g');
    const params = { name: 'leave', arguments: { gate: 'g' } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const response = await post(url, call, { 'MCP-Protocol-Version': '2025-11-25' });
    expect(textOf(await answerOf(response))).toBe('came back to g');
  });
});

describe('middleware', () => {
  it('knows the sender within a session, and gets nothing without one', async () => {
    const auth = { authenticate: () => ({ principal: 'anna' }) };
    const { url, server } = await start({ auth });
    const seen: unknown[] = [];
    server.use(({ method, auth }, next) => {
      seen.push([method, auth?.principal]);
      return next();
    });
    const lost = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
    expect((await post(url, lost)).status).toBe(202);
    const session = await handshake(url);
    await session.request('ping');
    expect(seen).toEqual([
      ['initialize', 'anna'],
      ['notifications/initialized', 'anna'],
      ['ping', 'anna'],
    ]);
  });
});

describe('an answer to a question', () => {
  it('is rejected with a reason if it is nested too deeply', async () => {
    const { url } = await start();
    const session = await handshake(url, { version: '2025-03-26' });
    const answer = `{"jsonrpc":"2.0","id":1,"result":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const response = await session.post(answer);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('nested too deep')]);
    expect((await session.post(`[${answer}]`)).status).toBe(202);
  });

  it('may come in a batch (S-H-17)', async () => {
    const { url } = await start();
    const session = await handshake(url, { version: '2025-03-26', capabilities: { roots: {} } });
    const events = readEvents(await session.sendCall('roots'));
    const { id } = (await events.message()) ?? {};
    const answer = { jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///x' }] } };
    const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' };
    expect(await (await session.post([ping, answer])).json()).toMatchObject([{ id: 'ping', result: {} }]);
    expect(await events.rest()).toMatchObject([{ result: { content: [{ text: 'file:///x' }] } }]);
  });
});

describe('a store that fails', () => {
  it.each(['at once', 'later'])(
    'asks the client to come back, in words, and never ends its session: %s',
    async (when) => {
      let fails = false;
      const { store } = watchedStore((memory) => ({
        read(...given) {
          if (!fails) return memory.read(...given);
          const error = new Error('a secret of the store');
          if (when === 'later') return Promise.reject(error);
          throw error;
        },
      }));
      const { url, log, service } = await start({ store });
      const session = await handshake(url);
      fails = true;
      for (let each = 0; each < 3; each++) {
        const response = await session.send('ping');
        expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
          503,
          '1',
          {
            jsonrpc: '2.0',
            id: expect.anything(),
            error: {
              code: -32603,
              message: 'Server busy: its shared store is unavailable; try again later',
              data: { limit: 'server', retryAfterMs: 1000 },
            },
          },
        ]);
      }
      // Once for all of them: who sends many requests fills no log.
      expect(log).toMatchObject([{ data: 'The shared store failed', error: { message: 'a secret of the store' } }]);
      fails = false;
      expect((await session.send('ping')).status).toBe(200);
      await service.close({ graceMs: 60_000 });
    },
  );
});
