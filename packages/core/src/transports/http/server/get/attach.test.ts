import { describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import { engineOf } from '../../../../server/server-handle.ts';
import { handshake, initializeRequest, post, sessionClient, type TestSession } from '../fixtures/client.ts';
import { readEvents } from '../fixtures/events.ts';
import { deferred } from '../fixtures/gates.ts';
import { type StartedServer, start } from '../fixtures/start.ts';
import { watchedStore } from '../fixtures/watched-store.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import type { Store } from '../../../../stores/store.ts';
import type { LoggedEvent } from '../streams/event-log.ts';

/** Sees how long is waited for clients to come back. */
function watchTimers(): MockInstance<typeof setTimeout> {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  return timers;
}

function pendingResumes(timers: MockInstance<typeof setTimeout>): (() => void)[] {
  return timers.mock.calls.filter(([, ms]) => ms === 60_000).map(([end]) => end);
}

function listeners({ server }: StartedServer): number {
  return engineOf(server).feed.size;
}

/** A session whose client has not sent `notifications/initialized`. */
async function unready(url: string): Promise<TestSession> {
  const response = await post(url, initializeRequest());
  return sessionClient(url, response.headers.get('mcp-session-id') ?? '');
}

describe('two streams of a session', () => {
  it('are independent: resuming one does not end the other', async () => {
    const { url, server, gates } = await start();
    const session = await handshake(url);
    const steps = { gate: 'g' };
    const reply = readEvents(await session.sendCall('steps', steps, { id: 'x', meta: { progressToken: 'p' } }));
    const prime = await reply.next();
    const standalone = await session.listen();
    await standalone.next();
    const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' });
    expect(await again.message()).toMatchObject({ params: { progress: 1 } });
    server.tools.remove('big');
    expect(await standalone.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    const replaced = await session.listen();
    expect(await standalone.message()).toBeUndefined();
    gates.open('g');
    expect(await again.rest()).toMatchObject([{ params: { progress: 2 } }, { params: { progress: 3 } }, { id: 'x' }]);
    await replaced.cancel();
  });
});

describe('a standalone stream whose connection broke', () => {
  it('is resumable for a minute, then released', async () => {
    const { store, topics } = watchedStore();
    const started = await start({ store });
    const timers = watchTimers();
    const standalone = await (await handshake(started.url)).listen();
    await standalone.next();
    await standalone.cancel();
    await expect.poll(() => pendingResumes(timers)).toHaveLength(1);
    expect([listeners(started), topics().length]).toEqual([2, 1]);
    for (const end of pendingResumes(timers)) end();
    expect(listeners(started)).toBe(1);
    await expect.poll(topics).toEqual([]);
  });

  it('is resumable until its client reconnects', async () => {
    const { url, server } = await start();
    const timers = watchTimers();
    const session = await handshake(url);
    const standalone = await session.listen();
    const prime = await standalone.next();
    await standalone.cancel();
    await expect.poll(() => pendingResumes(timers)).toHaveLength(1);
    server.tools.remove('big');
    const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' });
    const next = await again.next();
    expect([next?.retry, JSON.parse(next?.data ?? '')]).toMatchObject([
      undefined,
      { method: 'notifications/tools/list_changed' },
    ]);
    // Whatever happened to the first connection, the second gets the events.
    for (const end of pendingResumes(timers)) end();
    server.prompts.remove('greet');
    expect((await again.next())?.data).toBe('{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}');
  });

  it('is released if the session ended, or another stream replaced it', async () => {
    const { url } = await start();
    const timers = watchTimers();
    const session = await handshake(url);
    const first = await session.listen();
    await first.next();
    const second = await session.listen();
    await second.next();
    expect(await first.next()).toBeUndefined();
    await session.end();
    expect(await second.next()).toBeUndefined();
    expect(pendingResumes(timers)).toEqual([]);
  });

  it('gets events in order, from before and during the resume', async () => {
    const read = deferred<void>();
    const reading = deferred<void>();
    let reads = 0;
    const { store } = watchedStore((memory) => ({
      async after(...given) {
        reads += 1;
        // The first time is to look whether the events are there.
        if (reads !== 2) return memory.after(...given);
        const entries = await memory.after(...given);
        reading.resolve();
        await read.promise;
        return entries;
      },
    }));
    const { url, server } = await start({ store });
    const timers = watchTimers();
    const session = await handshake(url);
    const standalone = await session.listen();
    const prime = await standalone.next();
    await standalone.cancel();
    await expect.poll(() => pendingResumes(timers)).toHaveLength(1);
    server.tools.remove('big');
    const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' });
    await reading.promise;
    server.prompts.remove('greet');
    await session.request('ping');
    read.resolve();
    expect(await again.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(await again.message()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    server.resources.remove('test://two');
    expect(await again.message()).toMatchObject({ method: 'notifications/resources/list_changed' });
  });
});

describe('a stream with missed events', () => {
  /** A store that drops messages to streams, and delays reading their logs until the test continues. */
  function losing(): { store: Store; reads: (() => void)[]; lose(): void; mend(): void } {
    const memory = memoryStore();
    const gaps: (() => void)[] = [];
    const reads: (() => void)[] = [];
    let isCut = false;
    const store: Store = {
      ...memory,
      async after(...given) {
        const entries = await memory.after(...given);
        await new Promise<void>((resolve) => reads.push(resolve));
        return entries;
      },
      subscribe(topic, listener, missed = () => {}) {
        if (!topic.startsWith('stream/')) return memory.subscribe(topic, listener);
        gaps.push(missed);
        return memory.subscribe(topic, (message) => {
          if (!isCut) listener(message);
        });
      },
    };
    const mend = (): void => {
      isCut = false;
      for (const missed of gaps) missed();
    };
    return { store, reads, lose: () => (isCut = true), mend };
  }

  async function standalone(store: Store) {
    const { url, server } = await start({ store });
    const session = await handshake(url);
    const stream = await session.listen();
    await stream.next();
    const ping = (): Promise<unknown> => session.request('ping');
    return {
      server,
      ping,
      session,
      method: async () => ((await stream.message()) as { method: string } | undefined)?.method,
    };
  }

  it('replays them before the next event', async () => {
    const { store, reads, lose, mend } = losing();
    let topic = '';
    let last = '';
    const seen: Store = {
      ...store,
      publish: (to, message) => (([topic, last] = [to, message]), store.publish(to, message)),
    };
    const { server, ping, method } = await standalone(seen);
    lose();
    server.tools.remove('big');
    await ping();
    const { kept, position } = JSON.parse(last) as LoggedEvent;
    mend();
    const next = { kept: { ...kept, data: '{"jsonrpc":"2.0","method":"next"}' }, position: position + 1 };
    await store.publish(topic, JSON.stringify(next));
    await expect.poll(() => reads.length).toBe(1);
    reads[0]?.();
    expect([await method(), await method()]).toEqual(['notifications/tools/list_changed', 'next']);
  });

  it('ends if they can not be read, before later events', async () => {
    const { store, reads, lose, mend } = losing();
    const { session, server, ping, method } = await standalone({
      ...store,
      after: async (...given) => void (await store.after(...given)),
    });
    lose();
    server.tools.remove('big');
    await ping();
    mend();
    server.prompts.remove('greet');
    await ping();
    await expect.poll(() => reads.length).toBe(1);
    reads[0]?.();
    expect(await method()).toBeUndefined();
    await session.end();
  });

  it('replays all in order if more are missed during the replay', async () => {
    const { store, reads, lose, mend } = losing();
    const { server, ping, method } = await standalone(store);
    lose();
    server.tools.remove('big');
    await ping();
    mend();
    await expect.poll(() => reads.length).toBe(1);
    lose();
    server.prompts.remove('greet');
    await ping();
    mend();
    await expect.poll(() => reads.length).toBe(2);
    reads[0]?.();
    expect(await method()).toBe('notifications/tools/list_changed');
    server.resources.remove('test://two');
    await ping();
    reads[1]?.();
    expect(await method()).toBe('notifications/prompts/list_changed');
    expect(await method()).toBe('notifications/resources/list_changed');
  });
});

describe('an event of a session', () => {
  it('about a change does not subscribe it before it is initialized', async () => {
    const { store } = watchedStore();
    const started = await start({ store });
    const session = await unready(started.url);
    const standalone = await session.listen();
    await standalone.next();
    await store.publish(`session/${session.id}`, '{"kind":"changed"}');
    await session.request('ping');
    expect(listeners(started)).toBe(1);
  });

  it('about a change is ignored if the session ended meanwhile', async () => {
    const { store } = watchedStore();
    const { url, log } = await start({ store });
    const session = await handshake(url);
    const standalone = await session.listen();
    await standalone.next();
    await store.remove(`session/${session.id}`);
    await store.publish(`session/${session.id}`, '{"kind":"changed"}');
    expect((await session.send('ping')).status).toBe(404);
    expect(log).toEqual([]);
  });

  it('after its end does not reopen the stream', async () => {
    const reading = deferred<void>();
    const read = deferred<void>();
    let slow = false;
    const { store } = watchedStore((memory) => ({
      async read(...given) {
        const fields = memory.read(...given);
        if (!slow) return fields;
        slow = false;
        reading.resolve();
        await read.promise;
        return fields;
      },
    }));
    const started = await start({ store });
    const session = await handshake(started.url);
    const standalone = await session.listen();
    await standalone.next();
    slow = true;
    await store.publish(`session/${session.id}`, '{"kind":"changed"}');
    await reading.promise;
    await session.end();
    expect(await standalone.next()).toBeUndefined();
    read.resolve();
    await post(started.url, { jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(listeners(started)).toBe(1);
  });
});

describe('a stream that fails to open', () => {
  it.each(['the standalone one', 'one that broke'])('leaves nothing behind: %s', async (which) => {
    let fails = false;
    const { store, topics } = watchedStore((memory) => ({
      subscribe(topic, listener) {
        if (fails && topic.startsWith('stream/')) throw new Error('The store is away');
        return memory.subscribe(topic, listener);
      },
    }));
    const started = await start({ store });
    const session = await handshake(started.url);
    const events = readEvents(await session.send('ping', {}, { headers: { Accept: 'text/event-stream' } }));
    const prime = await events.next();
    await events.rest();
    fails = true;
    const response = await session.get(which === 'the standalone one' ? {} : { 'Last-Event-ID': prime?.id ?? '' });
    expect([response.status, await response.json()]).toMatchObject([503, { error: { code: -32603 } }]);
    await expect.poll(() => [listeners(started), topics()]).toEqual([1, []]);
    expect(started.log).toMatchObject([{ error: { message: 'The store is away' } }]);
  });

  it('because its session just ended is rejected, and releases everything', async () => {
    const { store, topics } = watchedStore((memory) => ({
      subscribe(topic, listener) {
        if (topic.startsWith('session/')) void memory.remove(topic);
        return memory.subscribe(topic, listener);
      },
    }));
    const { url } = await start({ store });
    const session = await handshake(url);
    const response = await session.get();
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: { message: expect.stringMatching(/^Session not found/) } },
    ]);
    expect(topics()).toEqual([]);
  });

  it('because its events were just evicted ends at once', async () => {
    let reads = 0;
    const { store } = watchedStore((memory) => ({
      after(...given) {
        reads += 1;
        return reads === 1 ? memory.after(...given) : undefined;
      },
    }));
    const { url, log } = await start({ store });
    const session = await handshake(url);
    const events = readEvents(await session.send('ping', {}, { headers: { Accept: 'text/event-stream' } }));
    const prime = await events.next();
    await events.rest();
    const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' });
    expect(await again.rest()).toEqual([]);
    expect(log).toEqual([]);
  });

  it('is rejected with a reason', async () => {
    const { url } = await start({ maxStreams: 0 });
    const session = await handshake(url);
    const message = async (response: Response): Promise<unknown> =>
      ((await response.json()) as { error: { message: string } }).error.message;
    expect(await message(await session.get())).toMatch(/^Server busy: 0 streams are open/);
    expect(await message(await session.get({ Accept: 'text/html' }))).toBe('Accept must allow text/event-stream');
    expect(await message(await fetch(url))).toMatch(/^GET opens a stream .* send messages with POST$/);
    expect(await message(await fetch(url, { method: 'DELETE' }))).toMatch(/^DELETE ends a session/);
  });
});
