import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { storeContract } from '../../testing/store-contract.ts';
import type { Store } from '../store.ts';
import { createStore } from './create-store.ts';
import { memoryDrivers } from './fixtures/memory-driver.ts';

const life = { ttlMs: 60_000, kind: 'test', limit: 1000 };

describe('a store derived from nine operations', () => {
  it.concurrent.each(storeContract)('$name', async ({ run }) => {
    const driver = memoryDrivers();
    await expect(run(() => createStore(driver()))).resolves.toBeUndefined();
  });

  it('looks at no more than a sample of the records to evict one', async () => {
    const open = memoryDrivers();
    const driver = open();
    const few = { ...life, limit: 300 };
    const store = createStore(driver);
    await store.create('key 0', {}, few);
    // Uses are ordered by the time of day, in milliseconds.
    await setTimeout(20);
    for (let each = 1; each < 300; each++) await store.create(`key ${each}`, {}, few);
    let reads = 0;
    const counted: Store = createStore({
      ...driver,
      get(key, ttlMs) {
        reads += 1;
        return driver.get(key, ttlMs);
      },
    });
    await counted.create('one more', {}, few);
    expect(reads).toBeLessThan(110);
    expect(await store.read('key 0', few)).toBeUndefined();
    expect(await store.read('key 1', few)).toBeDefined();
  });

  it('evicts the least recently used record, however late the answer about it comes', async () => {
    const driver = memoryDrivers()();
    const few = { ...life, limit: 3 };
    const store = createStore({
      ...driver,
      async get(key, ttlMs) {
        const found = await driver.get(key, ttlMs);
        if (key.endsWith('oldest')) await setTimeout(20);
        return found;
      },
    });
    for (const key of ['oldest', 'older', 'newest']) {
      await store.create(key, {}, few);
      await setTimeout(2);
    }
    await store.create('one more', {}, few);
    expect(await store.read('oldest', few)).toBeUndefined();
    expect(await store.read('older', few)).toBeDefined();
  });

  it('counts records that have expired as room', async () => {
    const store = createStore(memoryDrivers()());
    const few = { ...life, limit: 250, room: { length: 1e6, ownerLength: 1e6 } };
    for (let each = 0; each < 250; each++) await store.create(`key ${each}`, {}, few);
    expect(await store.create('one more', {}, few)).toBe('full');
    for (let each = 0; each < 250; each++) await store.remove(`key ${each}`);
    expect(await store.create('one more', {}, few)).toBeUndefined();
  });

  it('has the status of its driver', () => {
    const driver = memoryDrivers()();
    expect(createStore(driver).status).toBeUndefined();
    expect(createStore({ ...driver, status: () => ({ ready: false, reason: 'away' }) }).status?.()).toEqual({
      ready: false,
      reason: 'away',
    });
  });
});
