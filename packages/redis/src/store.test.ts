import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Store } from '@ccmcp/core/http';
import { storeContract } from '@ccmcp/core/testing';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { otherProcess } from './fixtures/other-process.ts';
import { sharedUrl, stopAll } from './fixtures/redis.ts';
import { redisStore, type RedisStoreOptions } from './store.ts';

const prefix = `ccmcp-test-${randomBytes(6).toString('hex')}`;
const life = { ttlMs: 60_000, kind: 'test', limit: 100 };
const bounds = { maxEntries: 100, maxLength: 100_000 };

/** The keys of some prefix, or of all that begin with it. */
async function keysOf(client: Redis, ofPrefix: string, more = ''): Promise<string[]> {
  const found: string[] = [];
  for await (const keys of client.scanStream({ match: `{${ofPrefix}${more}}*`, count: 1000 }))
    found.push(...(keys as string[]));
  return found;
}

describe.skipIf(sharedUrl === undefined)('a store in Redis', () => {
  const outside = new Redis(sharedUrl ?? '', { lazyConnect: true });
  const open = (): Promise<Store> => redisStore({ url: sharedUrl as string, prefix });

  afterAll(async () => {
    const keys = await keysOf(outside, prefix, '*');
    if (keys.length > 0) await outside.unlink(keys);
    outside.disconnect();
    await stopAll();
  });

  it.concurrent.each(storeContract)('$name', async ({ run }) => {
    await expect(run(open)).resolves.toBeUndefined();
  });

  it('is shared by processes', async () => {
    const openElsewhere = await otherProcess(sharedUrl as string, prefix);
    const between = storeContract.filter(({ instances }) => instances === 2);
    const failed = await Promise.all(
      between.map(async ({ name, run }) => {
        let opened = 0;
        const openEither = async (): Promise<Store> => (opened++ % 2 === 0 ? open() : openElsewhere());
        return run(openEither).then(
          () => [],
          (error: Error) => [`${name}: ${error.message}`],
        );
      }),
    );
    expect(between.length).toBeGreaterThan(30);
    expect(failed.flat()).toEqual([]);
  });

  it('leaves no key without an expiry in Redis', async () => {
    const store = await open();
    await store.create('a', { b: 'c' }, { ...life, owner: 'me' });
    await store.alter('a', { add: ['b'], remove: [] });
    await store.append('a', 'entry', bounds);
    await store.lease('lease', 'me', life);
    await store.count('count', 1, life);
    await store.close();
    const keys = await keysOf(outside, prefix);
    expect(keys.length).toBeGreaterThan(10);
    for (const key of keys) expect([key, await outside.pttl(key)]).not.toEqual([key, -1]);
  });

  it('leaves no key without an expiry if the first record was rejected', async () => {
    const own = `${prefix}-${randomBytes(3).toString('hex')}`;
    const store = await redisStore({ url: sharedUrl as string, prefix: own });
    const room = { length: 1, ownerLength: 1 };
    expect(await store.create('a', { text: 'long' }, { ...life, room })).toBe('full');
    await store.close();
    const keys = await keysOf(outside, own);
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect([key, await outside.pttl(key)]).not.toEqual([key, -1]);
  });

  describe('with limits', () => {
    const bounded = async (options: Partial<RedisStoreOptions>): Promise<Store> => {
      const store = await redisStore({
        url: sharedUrl as string,
        prefix: `${prefix}-${randomBytes(3).toString('hex')}`,
        ...options,
      });
      onTestFinished(() => store.close());
      return store;
    };

    it('evicts the logs that were written longest ago, and numbering continues', async () => {
      const store = await bounded({ maxLogLength: 100 });
      for (const key of ['a', 'b', 'c']) {
        await store.create(key, {}, life);
        await store.append(key, 'ä'.repeat(40), bounds);
      }
      expect(await store.after('a', 0)).toBeUndefined();
      expect(await store.after('b', 0)).toHaveLength(1);
      await store.append('b', 'x'.repeat(10), bounds);
      await store.append('a', 'x'.repeat(40), bounds);
      expect(await store.after('c', 0)).toBeUndefined();
      expect(await store.after('b', 0)).toHaveLength(2);
      expect(await store.after('a', 1)).toEqual([{ position: 2, entry: 'x'.repeat(40) }]);
      await store.append('a', 'x'.repeat(200), bounds);
      expect(await store.after('a', 2)).toHaveLength(1);
    });

    it('evicts the least recently used records if all are too long together', async () => {
      const store = await bounded({ maxRecordLength: 1000 });
      for (const key of ['a', 'b', 'c']) await store.create(key, { text: 'x'.repeat(400) }, life);
      expect(await store.read('a', life)).toBeUndefined();
      expect(await store.read('b', life)).toBeDefined();
      await store.update('b', { text: 'x' }, life);
      await store.create('d', { text: 'x'.repeat(400) }, life);
      expect(await store.read('c', life)).toBeDefined();
    });

    it('keeps records with a separate budget and others apart', async () => {
      const store = await bounded({ maxRecordLength: 1000 });
      const roomy = { ...life, kind: 'kept', room: { length: 2000, ownerLength: 2000 } };
      await store.create('a', {}, life);
      expect(await store.create('k', { text: 'x'.repeat(1500) }, roomy)).toBeUndefined();
      await store.create('b', {}, life);
      await store.update('k', { text: 'x'.repeat(5000) }, roomy);
      expect(await store.create('l', {}, roomy)).toBe('full');
      await store.create('c', { text: 'x'.repeat(2000) }, life);
      expect(await store.read('k', roomy)).toBeDefined();
      for (const key of ['a', 'b']) expect(await store.read(key, life)).toBeUndefined();
      await store.remove('k');
      expect(await store.create('l', {}, roomy)).toBeUndefined();
    });

    it('limits the members of all records together, and frees the space of removed ones', async () => {
      const store = await bounded({ maxMemberLength: 200 });
      for (const key of ['a', 'b']) await store.create(key, {}, { ...life, owner: key });
      expect(await store.alter('a', { add: ['x'.repeat(100)], remove: [] })).toBe(true);
      expect(await store.alter('b', { add: ['x'.repeat(100)], remove: [] })).toBe('full');
      await store.create('a', {}, { ...life, owner: 'other' });
      expect(await store.alter('b', { add: ['x'.repeat(100)], remove: [] })).toBe(true);
      expect(await store.alter('b', { add: ['y'.repeat(100)], remove: ['x'.repeat(100)] })).toBe(true);
    });

    it('removes everything of expired records, even if they were created again', async () => {
      const own = `${prefix}-2`;
      const store = await bounded({ prefix: own });
      const short = { ...life, ttlMs: 20 };
      for (let each = 0; each < 20; each++) {
        await store.create(`${each}`, { a: 'b' }, { ...short, owner: `owner ${each}` });
        await store.alter(`${each}`, { add: ['c'], remove: [] });
        await store.append(`${each}`, 'd', bounds);
      }
      await setTimeout(short.ttlMs + 5);
      await store.create('1', { other: 'fields' }, { ...life, owner: 'new' });
      await store.create('last', {}, life);
      expect(await store.read('1', life)).toEqual({ other: 'fields' });
      const at = (name: string): string => `{${own}}:${name}`;
      expect((await keysOf(outside, own)).sort()).toEqual(
        ['e:test', 'g', 'k:test', 'o:4:test', 'o:4:testnew', 'r:1', 'r:last', 's:1:test', 'w:total'].map(at),
      );
      expect(await outside.hgetall(at('w:total'))).toEqual({ records: '11', members: '0', logs: '0' });
      expect((await outside.zrangebyscore(at('e:test'), '-inf', '+inf')).sort()).toEqual(['0:0:last', '11:3:new1']);
    });
  });
});
