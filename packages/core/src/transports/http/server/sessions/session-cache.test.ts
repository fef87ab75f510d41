import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Authenticator } from '../../../../auth/server/authenticator.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import { stopClock } from '../fixtures/clock.ts';
import { handshake, sessionClient, textOf } from '../fixtures/client.ts';
import { type Remote, remote } from '../fixtures/remote-store.ts';
import { start } from '../fixtures/start.ts';
import type { SessionNews } from './live-session.ts';
import { type CacheBounds, SessionCache } from './session-cache.ts';

const life = { ttlMs: 60_000, kind: 'sessions', limit: 1000 };

interface Cached extends Remote {
  cache: SessionCache;
  /** Makes records, and lets the cache know them. */
  known(...keys: string[]): Promise<void>;
  tell(key: string, news: SessionNews): Promise<void>;
}

function cached(bounds: Partial<CacheBounds> = {}): Cached {
  const elsewhere = remote();
  const { store, reads } = elsewhere;
  const cache = new SessionCache(store, life, { trustMs: 1000, lifeMs: 10_000, ...bounds });
  onTestFinished(() => cache.close());
  const known = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await store.create(key, { name: key }, life);
      // The first time it is only listened to.
      for (let each = 0; each < 2; each++) {
        await cache.read(key);
        await turn();
      }
    }
    reads.length = 0;
  };
  const tell = async (key: string, news: SessionNews): Promise<void> => {
    await store.publish(key, JSON.stringify(news));
    await turn();
  };
  return { ...elsewhere, cache, known, tell };
}

describe('a record that is known', () => {
  it('is given at once, without asking', async () => {
    const { cache, known, reads } = cached();
    await known('a');
    expect(cache.read('a')).toEqual({ name: 'a' });
    expect(cache.read('a')).toBe(cache.read('a'));
    expect(reads).toEqual([]);
  });

  it('is not known before its topic is listened to: what changed meanwhile would not be heard', async () => {
    const { cache, store, topics } = cached();
    await store.create('a', { name: 'a' }, life);
    const first = cache.read('a');
    expect([first, topics()]).toEqual([expect.any(Promise), []]);
    await first;
    await store.update('a', { name: 'b' }, life);
    await turn();
    expect(topics()).toEqual(['a']);
    expect(await cache.read('a')).toEqual({ name: 'b' });
  });

  it('is read again after somebody changed it, and not known any more when it is over', async () => {
    const { cache, store, known, tell, topics } = cached();
    await known('a');
    await store.update('a', { name: 'b' }, life);
    await tell('a', { kind: 'changed' });
    expect(await cache.read('a')).toEqual({ name: 'b' });
    expect(cache.read('a')).toEqual({ name: 'b' });
    await store.remove('a');
    await tell('a', { kind: 'ended' });
    expect([cache.size, topics()]).toEqual([0, []]);
    expect(await cache.read('a')).toBeUndefined();
  });

  it('is not read again for news that do not change it', async () => {
    const { cache, known, tell } = cached();
    await known('a');
    await tell('a', { kind: 'watches', add: ['x'], remove: [] });
    await tell('a', { kind: 'cancel', id: 1 });
    expect(cache.read('a')).toEqual({ name: 'a' });
  });

  it('is not what was asked for before a change was heard, though it came later', async () => {
    const { cache, store, known, tell, delay } = cached();
    await known('a');
    cache.change('a');
    const goOn = delay();
    const asked = cache.read('a');
    await turn();
    await store.update('a', { name: 'b' }, life);
    await tell('a', { kind: 'changed' });
    goOn();
    expect(await asked).toEqual({ name: 'a' });
    expect(await cache.read('a')).toEqual({ name: 'b' });
  });

  it('is asked for once by all who want it at the same time', async () => {
    const { cache, known, reads } = cached();
    await known('a');
    cache.change('a');
    expect(await Promise.all([cache.read('a'), cache.read('a'), cache.read('a')])).toHaveLength(3);
    expect(reads).toEqual(['a']);
  });

  it('is asked for again while it is used, without letting anybody wait', async () => {
    const { cache, known, reads } = cached();
    await known('a');
    const pass = stopClock();
    await known('b');
    await pass(499);
    expect(cache.read('b')).toEqual({ name: 'b' });
    expect(reads).toEqual([]);
    await pass(2);
    expect([cache.read('b'), cache.read('b')]).toEqual([{ name: 'b' }, { name: 'b' }]);
    expect(reads).toEqual(['b']);
  });

  it('does not count for longer than it may, whatever was lost', async () => {
    const { cache, store, known } = cached();
    const pass = stopClock();
    await known('a');
    // Nobody is told.
    await store.remove('a');
    await pass(400);
    expect(cache.read('a')).toEqual({ name: 'a' });
    await pass(601);
    expect(await cache.read('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('is asked for again after messages may have been lost', async () => {
    const { cache, store, known, comeBack } = cached();
    await known('a');
    await store.update('a', { name: 'b' }, life);
    comeBack();
    expect(await cache.read('a')).toEqual({ name: 'b' });
    expect(cache.read('a')).toEqual({ name: 'b' });
  });
});

describe('where the store is away', () => {
  it.each([true, false])(
    'what was known last counts, as long as the record would have lived (it says so: %s)',
    async (says) => {
      const { cache, known, goAway } = cached();
      const pass = stopClock();
      await known('a');
      goAway({ says });
      await pass(5000);
      expect(await cache.read('a')).toEqual({ name: 'a' });
      await pass(4000);
      expect(await cache.read('a')).toEqual({ name: 'a' });
      await pass(1100);
      await expect(cache.read('a')).rejects.toThrow('The store is away');
    },
  );

  it('what was read once counts, though nobody listened yet', async () => {
    const { cache, store, goAway } = cached();
    await store.create('a', { name: 'a' }, life);
    await cache.read('a');
    goAway();
    expect(await cache.read('a')).toEqual({ name: 'a' });
  });

  it('what changed elsewhere counts as it was known last', async () => {
    const { cache, known, tell, goAway } = cached();
    await known('a');
    await tell('a', { kind: 'changed' });
    goAway();
    expect(await cache.read('a')).toEqual({ name: 'a' });
  });

  it('what was made or changed here counts, though it was never read', async () => {
    const { cache, goAway } = cached();
    cache.learn('a', { name: 'a' });
    cache.change('a', { name: 'b' });
    cache.change('c', { name: 'c' });
    goAway();
    expect([await cache.read('a'), await cache.read('c')]).toEqual([{ name: 'b' }, { name: 'c' }]);
  });

  it('nothing is made up of what was never known', async () => {
    const { cache, goAway } = cached();
    goAway();
    await expect(cache.read('a')).rejects.toThrow('The store is away');
    expect(cache.size).toBe(0);
  });

  it('everything is asked for again when it is back', async () => {
    const { cache, store, known, goAway, comeBack, reads } = cached();
    await known('a', 'b');
    goAway();
    await cache.read('a');
    comeBack();
    await store.remove('a');
    reads.length = 0;
    expect([await cache.read('a'), await cache.read('b')]).toEqual([undefined, { name: 'b' }]);
    expect(reads).toEqual(['a', 'b']);
  });
});

describe('what is kept', () => {
  it('has its bounds, in number: what was read longest ago goes', async () => {
    const { cache, known, topics } = cached({ max: 2 });
    await known('a', 'b', 'c');
    expect([cache.size, topics()]).toEqual([2, ['b', 'c']]);
    expect(cache.read('c')).toEqual({ name: 'c' });
    expect(await cache.read('a')).toEqual({ name: 'a' });
  });

  it('has its bounds, in length', async () => {
    const { cache, store, known, topics } = cached({ maxLength: 2000 });
    await known('a', 'b');
    await store.update('b', { name: 'x'.repeat(1200) }, life);
    cache.change('b');
    await cache.read('b');
    expect([cache.size, topics()]).toEqual([1, ['b']]);
  });

  it('is not listened to any more when it is not used, and goes when its record would be gone', async () => {
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

  it('is listened to and known again when it is used again', async () => {
    const { cache, store, known, tell, topics } = cached();
    const pass = stopClock();
    await known('a');
    await pass(5000);
    await store.update('a', { name: 'b' }, life);
    expect(topics()).toEqual([]);
    expect(await cache.read('a')).toEqual({ name: 'b' });
    await turn();
    expect([await cache.read('a'), topics()]).toEqual([{ name: 'b' }, ['a']]);
    expect(cache.read('a')).toEqual({ name: 'b' });
    await tell('a', { kind: 'changed' });
    expect(cache.read('a')).toBeInstanceOf(Promise);
  });

  it('is still listened to while somebody follows it', async () => {
    const { cache, known, topics } = cached();
    const pass = stopClock();
    await known('a');
    const stop = await cache.follow('a', () => {});
    await pass(5000);
    expect(topics()).toEqual(['a']);
    stop();
    await pass(1000);
    expect(topics()).toEqual([]);
  });

  it('is nothing of a store that answers at once, nor of a record that is not there', async () => {
    const store = memoryStore();
    await store.create('a', {}, life);
    const cache = new SessionCache({ ...store }, life, { trustMs: 1000, lifeMs: 10_000 });
    expect([cache.read('a'), cache.size]).toEqual([{}, 0]);
    const far = cached();
    expect([await far.cache.read('a'), far.cache.size, far.topics()]).toEqual([undefined, 0, []]);
  });

  it('is nothing after closing', async () => {
    const { cache, store, known, topics } = cached();
    await known('a');
    await store.create('b', {}, life);
    cache.close();
    await cache.read('b');
    await turn();
    expect([cache.size, topics()]).toEqual([0, []]);
  });
});

describe('following a session', () => {
  it('costs nothing where it is known, and goes on where it is not any more', async () => {
    const { cache, known, tell, topics } = cached();
    await known('a');
    const heard: string[] = [];
    const stop = await cache.follow('a', ({ kind }) => heard.push(kind));
    expect(topics()).toEqual(['a']);
    cache.drop('a');
    await tell('a', { kind: 'cancel', id: 1 });
    expect([heard, topics()]).toEqual([['cancel'], ['a']]);
    stop();
    expect(topics()).toEqual([]);
  });

  it('tells that something may have been lost, of both', async () => {
    const { cache, known, comeBack } = cached();
    await known('a');
    const heard: string[] = [];
    for (const key of ['a', 'b']) await cache.follow(key, ({ kind }) => heard.push(`${key} ${kind}`));
    comeBack();
    expect(heard).toEqual(['a missed', 'b missed']);
  });
});

describe('sessions of a server whose store is elsewhere', () => {
  const byName: Authenticator = {
    header: 'X-Name',
    authenticate: (request) => ({ principal: request.header('x-name') ?? 'nobody' }),
  };

  it('are served without asking it, also where a handler takes its time', async () => {
    const { store, reads } = remote();
    const { url } = await start({ store });
    const session = await handshake(url);
    for (let each = 0; each < 3; each++) await session.call('echo', { text: 'x' });
    reads.length = 0;
    for (const tool of ['echo', 'later', 'later']) expect(textOf(await session.call(tool, { text: 'x' }))).toBe('x');
    expect(reads).toEqual([]);
  });

  it('still belong to who began them, at every call (AU-25)', async () => {
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

  it('are listened to no more when it is closed', async () => {
    const { store, topics } = remote();
    const { url, service } = await start({ store });
    const session = await handshake(url);
    for (let each = 0; each < 3; each++) await session.send('ping');
    expect(topics()).toEqual([`session/${session.id}`]);
    await service.close({ graceMs: 0, lingerMs: 0 });
    expect(topics()).toEqual([]);
  });
});
