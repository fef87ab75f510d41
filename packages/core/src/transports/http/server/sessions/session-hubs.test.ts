import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Authenticator } from '../../../../auth/server/authenticator.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import { stopClock } from '../fixtures/clock.ts';
import { handshake, sessionClient, textOf } from '../fixtures/client.ts';
import { type Remote, remote } from '../fixtures/remote-store.ts';
import { testServer } from '../fixtures/server.ts';
import { start } from '../fixtures/start.ts';
import { engineOf } from '../../../../server/server-handle.ts';
import type { SessionEvent } from './session-hub.ts';
import type { HubCache } from './hub-cache.ts';
import { type HubOptions, SessionHubs } from './session-hubs.ts';

const life = { ttlMs: 60_000, kind: 'sessions', limit: 1000 };

interface Cached extends Remote {
  hubs: SessionHubs;
  cache: HubCache;
  /** Creates records, and caches them. */
  known(...keys: string[]): Promise<void>;
  publish(key: string, event: SessionEvent): Promise<void>;
}

const options: HubOptions = {
  life,
  busyLife: life,
  extendMs: 30_000,
  cache: { trustMs: 1000, lifeMs: 10_000 },
  keyPrefix: '',
};

function cached(bounds: Partial<HubOptions> = {}): Cached {
  const elsewhere = remote();
  const { store, reads } = elsewhere;
  const hubs = new SessionHubs(engineOf(testServer().server), store, { ...options, ...bounds });
  const { cache } = hubs;
  onTestFinished(() => cache.close());
  const known = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await store.create(key, { name: key }, life);
      // The first time it is only listened to.
      for (let each = 0; each < 2; each++) {
        await hubs.read(key);
        await turn();
      }
    }
    reads.length = 0;
  };
  const publish = async (key: string, event: SessionEvent): Promise<void> => {
    await store.publish(key, JSON.stringify(event));
    await turn();
  };
  return { ...elsewhere, hubs, cache, known, publish };
}

describe('a cached record', () => {
  it('is returned without reading the store', async () => {
    const { hubs, known, reads } = cached();
    await known('a');
    expect(hubs.read('a')).toEqual({ name: 'a' });
    expect(hubs.read('a')).toBe(hubs.read('a'));
    expect(reads).toEqual([]);
  });

  it('is stale before its topic is subscribed', async () => {
    const { hubs, store, topics } = cached();
    await store.create('a', { name: 'a' }, life);
    const first = hubs.read('a');
    expect([first, topics()]).toEqual([expect.any(Promise), []]);
    await first;
    await store.update('a', { name: 'b' }, life);
    await turn();
    expect(topics()).toEqual(['a']);
    expect(await hubs.read('a')).toEqual({ name: 'b' });
  });

  it('is read again after a change, and evicted when the session ends', async () => {
    const { hubs, cache, store, known, publish, topics } = cached();
    await known('a');
    await store.update('a', { name: 'b' }, life);
    await publish('a', { kind: 'changed' });
    expect(await hubs.read('a')).toEqual({ name: 'b' });
    expect(hubs.read('a')).toEqual({ name: 'b' });
    await store.remove('a');
    await publish('a', { kind: 'ended' });
    expect([cache.size, topics()]).toEqual([0, []]);
    expect(await hubs.read('a')).toBeUndefined();
  });

  it('is not read again for other events', async () => {
    const { hubs, known, publish } = cached();
    await known('a');
    await publish('a', { kind: 'watches', add: ['x'], remove: [] });
    await publish('a', { kind: 'cancel', id: 1 });
    expect(hubs.read('a')).toEqual({ name: 'a' });
  });

  it('is not filled by a read that started before a change', async () => {
    const { hubs, cache, store, known, publish, delay } = cached();
    await known('a');
    cache.change('a');
    const goOn = delay();
    const asked = hubs.read('a');
    await turn();
    await store.update('a', { name: 'b' }, life);
    await publish('a', { kind: 'changed' });
    goOn();
    expect(await asked).toEqual({ name: 'a' });
    expect(await hubs.read('a')).toEqual({ name: 'b' });
  });

  it('is read once for concurrent requests', async () => {
    const { hubs, cache, known, reads } = cached();
    await known('a');
    cache.change('a');
    expect(await Promise.all([hubs.read('a'), hubs.read('a'), hubs.read('a')])).toHaveLength(3);
    expect(reads).toEqual(['a']);
  });

  it('is refreshed in the background while it is used', async () => {
    const { hubs, known, reads } = cached();
    await known('a');
    const pass = stopClock();
    await known('b');
    await pass(499);
    expect(hubs.read('b')).toEqual({ name: 'b' });
    expect(reads).toEqual([]);
    await pass(2);
    expect([hubs.read('b'), hubs.read('b')]).toEqual([{ name: 'b' }, { name: 'b' }]);
    expect(reads).toEqual(['b']);
  });

  it('expires after trustMs, whatever was missed', async () => {
    const { hubs, cache, store, known } = cached();
    const pass = stopClock();
    await known('a');
    // No event is published.
    await store.remove('a');
    await pass(400);
    expect(hubs.read('a')).toEqual({ name: 'a' });
    await pass(601);
    expect(await hubs.read('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('is read again after messages may have been missed', async () => {
    const { hubs, store, known, reconnect } = cached();
    await known('a');
    await store.update('a', { name: 'b' }, life);
    reconnect();
    expect(await hubs.read('a')).toEqual({ name: 'b' });
    expect(hubs.read('a')).toEqual({ name: 'b' });
  });
});

describe('while the store is unavailable', () => {
  it.each([true, false])('the last known record counts until it would expire (status reported: %s)', async (says) => {
    const { hubs, known, disconnect } = cached();
    const pass = stopClock();
    await known('a');
    disconnect({ says });
    await pass(5000);
    expect(await hubs.read('a')).toEqual({ name: 'a' });
    await pass(4000);
    expect(await hubs.read('a')).toEqual({ name: 'a' });
    await pass(1100);
    await expect(hubs.read('a')).rejects.toThrow('The store is away');
  });

  it('a record counts although it was not subscribed yet', async () => {
    const { hubs, store, disconnect } = cached();
    await store.create('a', { name: 'a' }, life);
    await hubs.read('a');
    disconnect();
    expect(await hubs.read('a')).toEqual({ name: 'a' });
  });

  it('a record that changed elsewhere counts as it was known last', async () => {
    const { hubs, known, publish, disconnect } = cached();
    await known('a');
    await publish('a', { kind: 'changed' });
    disconnect();
    expect(await hubs.read('a')).toEqual({ name: 'a' });
  });

  it('a record that was created or changed here counts', async () => {
    const { hubs, cache, disconnect } = cached();
    cache.learn('a', { name: 'a' });
    cache.change('a', { name: 'b' });
    cache.change('c', { name: 'c' });
    disconnect();
    expect([await hubs.read('a'), await hubs.read('c')]).toEqual([{ name: 'b' }, { name: 'c' }]);
  });

  it('an unknown record is an error', async () => {
    const { hubs, cache, disconnect } = cached();
    disconnect();
    await expect(hubs.read('a')).rejects.toThrow('The store is away');
    expect(cache.size).toBe(0);
  });

  it('everything is read again after it recovers', async () => {
    const { hubs, store, known, disconnect, reconnect, reads } = cached();
    await known('a', 'b');
    disconnect();
    await hubs.read('a');
    reconnect();
    await store.remove('a');
    reads.length = 0;
    expect([await hubs.read('a'), await hubs.read('b')]).toEqual([undefined, { name: 'b' }]);
    expect(reads).toEqual(['a', 'b']);
  });
});

describe('the cache of records', () => {
  it('evicts the least recently read above its maximum', async () => {
    const { hubs, cache, known, topics } = cached({ max: 2 });
    await known('a', 'b', 'c');
    expect([cache.size, topics()]).toEqual([2, ['b', 'c']]);
    expect(hubs.read('c')).toEqual({ name: 'c' });
    expect(await hubs.read('a')).toEqual({ name: 'a' });
  });

  it('is bounded in length', async () => {
    const { hubs, cache, store, known, topics } = cached({ maxLength: 2000 });
    await known('a', 'b');
    await store.update('b', { name: 'x'.repeat(1200) }, life);
    cache.change('b');
    await hubs.read('b');
    expect([cache.size, topics()]).toEqual([1, ['b']]);
  });

  it('unsubscribes unused records, and evicts them when they would expire', async () => {
    const { cache, known, topics } = cached();
    const pass = stopClock();
    await known('a');
    await pass(1500);
    await known('b');
    await pass(1600);
    expect([cache.size, topics()]).toEqual([2, ['b']]);
    await pass(2000);
    expect([cache.size, topics()]).toEqual([2, []]);
    await pass(8000);
    expect(cache.size).toBe(0);
  });

  it('subscribes again when a record is used again', async () => {
    const { hubs, store, known, publish, topics } = cached();
    const pass = stopClock();
    await known('a');
    await pass(5000);
    await store.update('a', { name: 'b' }, life);
    expect(topics()).toEqual([]);
    expect(await hubs.read('a')).toEqual({ name: 'b' });
    await turn();
    expect([await hubs.read('a'), topics()]).toEqual([{ name: 'b' }, ['a']]);
    expect(hubs.read('a')).toEqual({ name: 'b' });
    await publish('a', { kind: 'changed' });
    expect(hubs.read('a')).toBeInstanceOf(Promise);
  });

  it('stays subscribed while a session is held', async () => {
    const { hubs, known, topics } = cached();
    const pass = stopClock();
    await known('a');
    const { release } = await hubs.acquire('a');
    await pass(5000);
    expect(topics()).toEqual(['a']);
    release();
    await pass(1000);
    expect(topics()).toEqual([]);
  });

  it('does not cache for synchronous stores, nor missing records', async () => {
    const store = memoryStore();
    await store.create('a', {}, life);
    const hubs = new SessionHubs(engineOf(testServer().server), { ...store }, options);
    expect([hubs.read('a'), hubs.cache.size]).toEqual([{}, 0]);
    const far = cached();
    expect([await far.hubs.read('a'), far.cache.size, far.topics()]).toEqual([undefined, 0, []]);
  });

  it('is empty after close', async () => {
    const { hubs, cache, store, known, topics } = cached();
    await known('a');
    await store.create('b', {}, life);
    cache.close();
    await hubs.read('b');
    await turn();
    expect([cache.size, topics()]).toEqual([0, []]);
  });
});

describe('holding a session', () => {
  it('reads nothing if it is cached, and survives eviction', async () => {
    const { hubs, cache, known, publish, topics } = cached();
    await known('a');
    const received: string[] = [];
    const { live, release } = await hubs.acquire('a');
    live.onEvent(({ kind }) => received.push(kind));
    expect(topics()).toEqual(['a']);
    cache.forget(cache.hubs.get('a'));
    await publish('a', { kind: 'cancel', id: 1 });
    expect([received, topics()]).toEqual([['cancel'], ['a']]);
    release();
    expect(topics()).toEqual([]);
  });

  it('reports missed events', async () => {
    const { hubs, known, reconnect } = cached();
    await known('a');
    const received: string[] = [];
    for (const key of ['a', 'b']) {
      const { live } = await hubs.acquire(key);
      live.onEvent(({ kind }) => received.push(`${key} ${kind}`));
    }
    reconnect();
    expect(received).toEqual(['a missed', 'b missed']);
  });
});

describe('sessions in a remote store', () => {
  const byName: Authenticator = {
    header: 'X-Name',
    authenticate: (request) => ({ principal: request.header('x-name') ?? 'nobody' }),
  };

  it('are served from the cache', async () => {
    const { store, reads } = remote();
    const { url } = await start({ store });
    const session = await handshake(url);
    for (let each = 0; each < 3; each++) await session.call('echo', { text: 'x' });
    reads.length = 0;
    for (const tool of ['echo', 'later', 'later']) expect(textOf(await session.call(tool, { text: 'x' }))).toBe('x');
    expect(reads).toEqual([]);
  });

  it('belong to their principal at every call (AU-25)', async () => {
    const { store } = remote();
    const { url } = await start({ store, auth: byName });
    const ann = await handshake(url, { headers: { 'X-Name': 'ann' } });
    const bob = sessionClient(url, ann.id, { headers: { 'X-Name': 'bob' } });
    for (let each = 0; each < 5; each++) {
      expect((await ann.send('ping')).status).toBe(200);
      expect((await bob.send('ping')).status).toBe(404);
    }
  });

  it('see their own changes at once', async () => {
    const { store } = remote();
    const { url } = await start({ store });
    const session = await handshake(url);
    const logs = async (): Promise<boolean> => {
      const response = await session.sendCall('say', { text: 'x' });
      await response.text();
      return response.headers.get('content-type') === 'text/event-stream';
    };
    for (const [level, expected] of [
      ['debug', true],
      ['error', false],
      ['info', true],
    ] as const) {
      for (let each = 0; each < 3; each++) await session.send('ping');
      await session.request('logging/setLevel', { level });
      expect(await logs()).toBe(expected);
    }
    expect((await session.end()).status).toBe(204);
    expect((await session.send('ping')).status).toBe(404);
  });

  it('are unsubscribed on close', async () => {
    const { store, topics } = remote();
    const { url, service } = await start({ store });
    const session = await handshake(url);
    for (let each = 0; each < 3; each++) await session.send('ping');
    expect(topics()).toEqual([`session/${session.id}`]);
    await service.close({ graceMs: 0, lingerMs: 0 });
    expect(topics()).toEqual([]);
  });
});
