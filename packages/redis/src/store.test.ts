import { randomBytes } from 'node:crypto';
import type { Store } from '@ccmcp/core/http';
import { storeContract } from '@ccmcp/core/testing';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedUrl, stopAll } from './fixtures/redis.ts';
import { redisStore } from './store.ts';

const prefix = `ccmcp-test-${randomBytes(6).toString('hex')}`;
const life = { ttlMs: 60_000, kind: 'test', limit: 100 };
const bounds = { maxEntries: 100, maxLength: 100_000 };

/** The keys of some prefix. */
async function keysOf(client: Redis, ofPrefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const keys of client.scanStream({ match: `{${ofPrefix}}*`, count: 1000 }))
    found.push(...(keys as string[]));
  return found;
}

describe.skipIf(sharedUrl === undefined)('a store in Redis', () => {
  const outside = new Redis(sharedUrl ?? '', { lazyConnect: true });
  const open = (): Promise<Store> => redisStore({ url: sharedUrl as string, prefix });

  afterAll(async () => {
    const keys = (await keysOf(outside, prefix)).concat(await keysOf(outside, `${prefix}-2`));
    if (keys.length > 0) await outside.unlink(keys);
    outside.disconnect();
    await stopAll();
  });

  it.each(storeContract)('$name', async ({ run }) => {
    await expect(run(open)).resolves.toBeUndefined();
  });

  it('leaves no key that Redis would keep for ever', async () => {
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
});
