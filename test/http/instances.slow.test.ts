import { describe, expect, it, vi } from 'vitest';
import {
  answerOf,
  handshake,
  statelessClient,
  type TestSession,
  textOf,
} from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { readEvents } from '../../packages/core/src/transports/http/server/fixtures/events.ts';
import { type StartedServer, start } from '../../packages/core/src/transports/http/server/fixtures/start.ts';
import { tool } from '../../packages/core/src/server/define/define.ts';
import { memoryStore, type Store } from '@ccmcp/core/http';
import { engineOf } from '../../packages/core/src/server/server-handle.ts';

const capabilities = { elicitation: {}, sampling: {}, roots: {} };
const stateSecret = new Uint8Array(32).fill(7);

interface Pair {
  one: StartedServer;
  two: StartedServer;
  /** A session that was started on the first instance. */
  session: TestSession;
  /** The URL of the second instance. */
  there: { url: string };
  store: Store;
}

/** Two instances of a server that share nothing but a store with delayed operations. */
async function pair(version = '2025-11-25'): Promise<Pair> {
  const store = slow(memoryStore());
  const [one, two] = await Promise.all([start({ store }, { stateSecret }), start({ store }, { stateSecret })]);
  const session = await handshake(one.url, { version, capabilities });
  return { one, two, session, there: { url: two.url }, store };
}

/** Delays all operations and messages of a store, as a remote store does. */
function slow(store: Store): Store {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const after = <A extends unknown[], T>(work: (...given: A) => T | Promise<T>): ((...given: A) => Promise<T>) => {
    return async (...given) => {
      await turn();
      const result = await work(...given);
      await turn();
      return result;
    };
  };
  return {
    create: after(store.create),
    claim: after(store.claim),
    read: after(store.read),
    update: after(store.update),
    updateIf: after(store.updateIf),
    remove: after(store.remove),
    lease: after(store.lease),
    release: after(store.release),
    count: after(store.count),
    take: after(store.take),
    leaseQuota: after(store.leaseQuota),
    members: after(store.members),
    alter: after(store.alter),
    append: after(store.append),
    after: after(store.after),
    publish: after(store.publish),
    subscribe: after((topic: string, listener: (message: string) => void) =>
      store.subscribe(topic, (message) => void turn().then(() => listener(message))),
    ),
    close: after(store.close),
  };
}

describe('a session on several instances', () => {
  it('is served by any, and its changes apply to all (MI-01)', async () => {
    const { one, session, there } = await pair();
    expect(textOf(await session.call('echo', { text: 'x' }, there))).toBe('x');
    const standalone = await session.listen();
    await standalone.next();
    await session.request('logging/setLevel', { level: 'debug' }, there);
    await session.request('resources/subscribe', { uri: 'test://one' }, there);
    // The first instance is notified asynchronously.
    const again = setInterval(() => {
      one.server.log('debug', 'now');
      one.server.resources.updated('test://one');
    }, 5);
    const received = new Set<string | undefined>();
    while (received.size < 2) received.add((await standalone.message())?.method);
    clearInterval(again);
    expect(received).toEqual(new Set(['notifications/message', 'notifications/resources/updated']));
  });

  it('survives the loss of its first instance (MI-02)', async () => {
    const { one, session, there } = await pair();
    await one.service.close();
    expect(await session.request('ping', {}, there)).toMatchObject({ result: {} });
  });

  it('ends everywhere when it ends anywhere, with requests and streams (MI-14)', async () => {
    const { one, two, session, there } = await pair();
    const running = session.sendCall('wait', { gate: 'g' });
    await one.gates.reached('g');
    const standalone = await session.listen();
    await standalone.next();
    expect((await session.end(there)).status).toBe(204);
    expect(await one.gates.aborted('g')).toContain('The session was ended');
    const error = { code: -32603, message: expect.stringContaining('The session was ended') };
    expect(await answerOf(await running)).toMatchObject({ error });
    expect(await standalone.next()).toBeUndefined();
    for (const { url } of [one, two]) expect((await session.send('ping', {}, { url })).status).toBe(404);
  });

  it('has requests that can be cancelled from any instance (MI-11)', async () => {
    const { one, session, there } = await pair();
    const running = session.sendCall('wait', { gate: 'g' }, { id: 'x' });
    await one.gates.reached('g');
    const cancel = async (): Promise<unknown> => {
      await session.notify('notifications/cancelled', { requestId: 'x', reason: 'enough' }, there);
      return Promise.race([one.gates.aborted('g'), Promise.resolve('still running')]);
    };
    await expect.poll(cancel).toBe('enough');
    expect((await running).status).toBe(202);
  });

  it('accepts the answer to a question on any instance', async () => {
    const { session, there } = await pair();
    const events = readEvents(await session.sendCall('ask'));
    const question = await events.message();
    const result = { action: 'accept', content: { name: 'Ann' } };
    expect((await session.post({ jsonrpc: '2.0', id: question?.id, result }, there)).status).toBe(202);
    expect(textOf((await events.rest())[0] ?? {})).toBe('Hello, Ann');
  });

  it('asks from two instances at once and matches the answers', async () => {
    const { session, there, one } = await pair();
    const streams = await Promise.all([session.sendCall('roots'), session.sendCall('roots', {}, there)]);
    const readers = streams.map(readEvents);
    const questions = await Promise.all(readers.map((events) => events.message()));
    expect(questions[0]?.id).not.toBe(questions[1]?.id);
    for (const [each, question] of questions.entries()) {
      const result = { roots: [{ uri: `file:///${each}` }] };
      await session.post({ jsonrpc: '2.0', id: question?.id, result }, { url: each === 0 ? there.url : one.url });
    }
    const answers = await Promise.all(readers.map((events) => events.message()));
    expect(answers.map((answer) => textOf(answer ?? {}))).toEqual(['file:///0', 'file:///1']);
  });

  it('has one standalone stream: opened on another instance, the first one ends', async () => {
    const { one, two, session, there } = await pair();
    const first = await session.listen();
    await first.next();
    const second = await session.listen({}, there);
    await second.next();
    expect(await first.next()).toBeUndefined();
    await expect.poll(() => engineOf(one.server).feed.size).toBe(1);
    two.server.tools.remove('big');
    expect(await second.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });
});

describe.each(['2025-03-26', '2025-06-18', '2025-11-25'])('a stream of %s that broke on one instance', (version) => {
  it('has streams that can be resumed on another instance, without gaps or duplicates (MI-12)', async () => {
    const { one, session, there } = await pair(version);
    const response = await session.sendCall('steps', { gate: 'g' }, { id: 'x', meta: { progressToken: 'p' } });
    const events = readEvents(response);
    let last = await events.next();
    if (last?.data === '') last = await events.next();
    await events.cancel();
    const again = await session.listen({ 'Last-Event-ID': last?.id ?? '' }, there);
    one.gates.open('g');
    expect(await again.rest()).toMatchObject([
      { params: { progress: 2 } },
      { params: { progress: 3 } },
      { id: 'x', result: { content: [{ text: 'stepped' }] } },
    ]);
  });
});

describe('a broken stream', () => {
  it('can not be resumed from another session, on any instance (MI-12)', async () => {
    const { one, two, session, there } = await pair();
    one.gates.open('g');
    const events = readEvents(await session.sendCall('steps', { gate: 'g' }, { meta: { progressToken: 'p' } }));
    const prime = await events.next();
    const other = await handshake(two.url);
    await readEvents(await other.sendCall('say', { text: 'x' })).rest();
    expect((await other.get({ 'Last-Event-ID': prime?.id ?? '' }, there)).status).toBe(400);
    expect((await other.get({ 'Last-Event-ID': prime?.id ?? '' }, { url: one.url })).status).toBe(400);
  });

  it('that was the standalone one resumes elsewhere, with missed events (MI-12)', async () => {
    const { one, session, there } = await pair();
    const first = await session.listen();
    const prime = await first.next();
    await first.cancel();
    one.server.tools.remove('big');
    await vi.waitFor(async () => {
      const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' }, there);
      expect(await again.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
      one.server.prompts.remove('greet');
      expect(await again.message()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    }, 10_000);
  });

  it('that was the standalone one reports everything as changed if its instance crashed (FT-21)', async () => {
    const { one, two, session, there } = await pair();
    await session.request('resources/subscribe', { uri: 'test://one' });
    const first = await session.listen();
    const prime = await first.next();
    await one.service.close();
    // The event log of the session does not contain this.
    two.server.resources.updated('test://one');
    const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' }, there);
    const notified = [];
    while (notified.length < 4) notified.push(await again.message());
    expect(notified.map((message) => message?.params?.uri ?? message?.method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'test://one',
    ]);
    two.server.tools.remove('big');
    expect(await again.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it('after disconnect() resumes on another instance', async () => {
    const { one, session, there } = await pair();
    const events = readEvents(await session.sendCall('leave', { gate: 'g' }, { id: 5 }));
    const prime = await events.next();
    expect(await events.next()).toBeUndefined();
    const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' }, there);
    one.gates.open('g');
    expect(await again.rest()).toMatchObject([{ id: 5, result: { content: [{ text: 'came back to g' }] } }]);
  });
});

describe('a change on one instance', () => {
  it('reaches sessions and subscribers on all, once and in order (MI-03, MI-07)', async () => {
    const store = slow(memoryStore());
    const instances = await Promise.all([0, 1, 2, 3].map(() => start({ store })));
    const urls = instances.map(({ url }) => url);
    const uris = Array.from({ length: 25 }, (_, each) => `test://${each}`);
    const listens = await Promise.all(
      [...urls, ...urls, ...urls].map(async (url) => {
        const params = { notifications: { resourceSubscriptions: uris, toolsListChanged: true } };
        const events = readEvents(await statelessClient(url).send('subscriptions/listen', params));
        await events.message();
        return events;
      }),
    );
    const standings = await Promise.all(
      urls.map(async (url) => {
        const session = await handshake(url);
        await session.request('resources/subscribe', { uri: 'test://one' });
        const events = await session.listen();
        await events.next();
        return events;
      }),
    );
    for (const uri of uris) instances[0]?.server.resources.updated(uri);
    instances[0]?.server.tools.remove('big');
    for (const events of listens) {
      const received = [];
      for (let each = 0; each < uris.length; each++) received.push((await events.message())?.params?.uri);
      expect(received).toEqual(uris);
      expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    }
    instances[3]?.server.resources.updated('test://one');
    for (const events of standings) {
      expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
      expect(await events.message()).toMatchObject({ params: { uri: 'test://one' } });
    }
  });

  it('leaves no listeners when the instances are closed', async () => {
    const { one, two } = await pair();
    await Promise.all([one.service.close(), two.service.close()]);
    expect([engineOf(one.server).feed.size, engineOf(two.server).feed.size]).toEqual([0, 0]);
  });
});

describe('a suspended request of the stateless era', () => {
  it('resumes on another instance (MI-09)', async () => {
    const { one, there } = await pair();
    const client = statelessClient(one.url, { capabilities });
    const { result } = await client.call('ask');
    const inputResponses = { 'input-1': { action: 'accept', content: { name: 'Ann' } } };
    const params = { name: 'ask', arguments: {}, inputResponses, requestState: result?.requestState };
    expect(textOf(await client.request('tools/call', params, there))).toBe('Hello, Ann');
  });

  it('resumes once over all instances with resumeOnce (RS-06)', async () => {
    const once = tool('once', { resumeOnce: true }, async (_, { roots }) => `${(await roots()).length} folders`);
    const store = slow(memoryStore());
    const [one, two] = await Promise.all([
      start({ store }, { stateSecret, tools: [once] }),
      start({ store }, { stateSecret, tools: [once] }),
    ]);
    const client = statelessClient(one.url, { capabilities });
    const { result } = await client.call('once');
    const inputResponses = { 'input-1': { roots: [] } };
    const params = { name: 'once', arguments: {}, inputResponses, requestState: result?.requestState };
    const answers = await Promise.all(
      [one, two, one, two].map(({ url }) => client.request('tools/call', params, { url })),
    );
    expect(answers.flatMap((answer) => textOf(answer) ?? [])).toEqual(['0 folders']);
    expect(answers.flatMap(({ error }) => error?.code ?? [])).toEqual([-32602, -32602, -32602]);
  });
});

describe('a rolling restart', () => {
  it('causes no failure for clients that retry once (MI-04)', async () => {
    const store = memoryStore();
    let instances: [StartedServer, StartedServer] = [await start({ store }), await start({ store })];
    const session = await handshake(instances[0].url);
    const stateless = statelessClient('http://unused');
    const stop = new AbortController();
    let served = 0;
    const load = (async () => {
      for (let each = 0; !stop.signal.aborted; each++) {
        const client = each % 2 === 0 ? session : stateless;
        const text = `${each}`;
        const send = async (index: 0 | 1): Promise<string | undefined> => {
          const response = await client.sendCall('later', { text }, { url: instances[index].url });
          if (response.status !== 200) throw new Error(`${response.status}`);
          return textOf(await answerOf(response));
        };
        expect(await send(0).catch(() => send(1))).toBe(text);
        served += 1;
      }
    })();
    for (let round = 0; round < 4; round++) {
      const [old, kept] = instances;
      const next = await start({ store });
      instances = [kept, next];
      await old.service.close();
      const before = served;
      await expect.poll(() => served).toBeGreaterThan(before + 5);
    }
    stop.abort();
    await load;
  });
});

describe('a failing store', () => {
  it('fails the requests that need it with 503, without details, and no others', async () => {
    const store = memoryStore();
    let away = false;
    const flaky = Object.fromEntries(
      Object.entries(store).map(([name, work]) => [
        name,
        (...given: unknown[]) => {
          if (away) return Promise.reject(new Error('a secret address of the store'));
          return (work as (...all: unknown[]) => unknown)(...given);
        },
      ]),
    ) as unknown as Store;
    const { url, log } = await start({ store: flaky });
    const session = await handshake(url);
    const events = await session.listen();
    await events.next();
    away = true;
    const response = await session.sendCall('echo', { text: 'x' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32603, message: expect.stringMatching(/^Server busy/) } });
    expect(body).not.toContain('secret');
    expect(log.at(-1)).toMatchObject({ error: { message: 'a secret address of the store' } });
    expect(textOf(await statelessClient(url).call('later', { text: 'x' }))).toBe('x');
    away = false;
    expect(textOf(await session.call('echo', { text: 'x' }))).toBe('x');
  });

  it('makes a running call unresumable, but not its response', async () => {
    const store = memoryStore();
    const failing: Store = { ...store, append: () => Promise.reject(new Error('full')) };
    const { url, gates } = await start({ store: failing });
    gates.open('g');
    const session = await handshake(url);
    const events = readEvents(await session.sendCall('steps', { gate: 'g' }, { id: 1, meta: { progressToken: 1 } }));
    const first = await events.next();
    expect(first?.id).toBeUndefined();
    expect((await events.rest()).at(-1)).toMatchObject({ id: 1, result: {} });
  });
});
