import { afterEach, describe, expect, it, vi } from 'vitest';
import { storeContract } from '../testing/store-contract.ts';
import { memoryStore } from './memory.ts';

const life = { ttlMs: 1000, kind: 'test', limit: 10 };
const bounds = { maxEntries: 100, maxLength: 1000 };

afterEach(() => {
  vi.useRealTimers();
});

describe('the memory store', () => {
  // It is for one process: the cases that take two instances do not apply to it.
  it.concurrent.each(storeContract.filter(({ instances }) => instances === 1))('$name', async ({ run }) => {
    await expect(run(() => memoryStore())).resolves.toBeUndefined();
  });

  it('is synchronous', async () => {
    const store = memoryStore();
    await store.create('a', { b: 'c' }, life);
    expect(store.read('a', life)).toEqual({ b: 'c' });
    expect(store.read('a', life)).toBe(store.read('a', life));
    expect(store.update('a', { b: 'd' }, life)).toBe(true);
    expect(store.append('a', 'entry', bounds)).toBe(1);
    expect(store.after('a', 0)).toEqual([{ position: 1, entry: 'entry' }]);
    expect(store.alter('a', { add: ['b'], remove: [] })).toBe(true);
    expect(store.members('a')).toEqual(new Set(['b']));
    expect(store.remove('a')).toBe(true);
  });

  it('limits all logs together: evicts those written longest ago, and numbering continues', async () => {
    const store = memoryStore({ maxLogLength: 100 });
    for (const key of ['a', 'b', 'c']) {
      await store.create(key, {}, life);
      await store.append(key, 'x'.repeat(40), bounds);
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

  it('subtracts the logs of removed records', async () => {
    const store = memoryStore({ maxLogLength: 100 });
    for (let each = 0; each < 10; each++) {
      await store.create('gone', {}, life);
      await store.append('gone', 'x'.repeat(60), bounds);
      await store.remove('gone');
    }
    await store.create('one', {}, life);
    await store.create('two', {}, life);
    await store.append('one', 'x'.repeat(50), bounds);
    await store.append('two', 'x'.repeat(50), bounds);
    expect(await store.after('one', 0)).toHaveLength(1);
  });

  it('continues the numbering of a log whose entries were evicted', async () => {
    const store = memoryStore({ maxLogLength: 10 });
    for (const key of ['a', 'b']) await store.create(key, {}, life);
    await store.append('a', 'x'.repeat(10), bounds);
    await store.append('b', 'x'.repeat(10), bounds);
    expect(await store.after('a', 1)).toBeUndefined();
    expect(await store.append('a', 'y', bounds)).toBe(2);
  });

  it('holds 16 Mi characters in logs, unless configured otherwise', async () => {
    const store = memoryStore();
    const large = { maxEntries: 100, maxLength: 1e9 };
    for (const key of ['a', 'b', 'c']) await store.create(key, {}, life);
    await store.append('a', 'x', large);
    await store.append('b', 'x'.repeat(16 * 1024 * 1024 - 1), large);
    expect(await store.after('a', 0)).toHaveLength(1);
    await store.append('c', 'x', large);
    expect(await store.after('a', 0)).toBeUndefined();
    expect(await store.after('b', 0)).toHaveLength(1);
  });

  it('removes an expired record even if it is not read', async () => {
    vi.useFakeTimers();
    const store = memoryStore({ maxLogLength: 10 });
    await store.create('a', {}, life);
    await store.create('b', {}, { ...life, ttlMs: 60_000 });
    await store.append('b', 'x'.repeat(5), bounds);
    await store.append('a', 'x'.repeat(5), bounds);
    vi.advanceTimersByTime(30_000);
    await store.append('b', 'x'.repeat(5), bounds);
    expect(await store.after('b', 0)).toHaveLength(2);
    await store.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is empty after it was closed', async () => {
    const store = memoryStore({ maxLogLength: 10 });
    await store.create('a', {}, life);
    await store.append('a', 'x'.repeat(10), bounds);
    await store.subscribe('topic', () => expect.fail('this was closed'));
    await store.close();
    await store.publish('topic', 'message');
    expect(await store.read('a', life)).toBeUndefined();
    for (const key of ['b', 'c']) {
      await store.create(key, {}, life);
      await store.append(key, 'x'.repeat(5), bounds);
    }
    expect(await store.after('b', 0)).toHaveLength(1);
    await store.close();
  });
});
