import { describe, expect, it, vi } from 'vitest';
import { storeContract } from '../testing/store-contract.ts';
import { memoryStore } from './memory.ts';

const life = { ttlMs: 1000, kind: 'test', limit: 10 };
const bounds = { maxEntries: 100, maxLength: 1000 };

describe('the memory store', () => {
  it.each(storeContract)('$name', async ({ run }) => {
    const store = memoryStore();
    await expect(run(() => store)).resolves.toBeUndefined();
    await store.close();
  });

  it('bounds all logs together: those go that were written longest ago, and numbers go on', async () => {
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

  it('counts out the logs of records that are gone', async () => {
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

  it('looks for what has expired while it holds something, and only then', async () => {
    vi.useFakeTimers();
    try {
      const store = memoryStore();
      expect(vi.getTimerCount()).toBe(0);
      await store.create('a', {}, life);
      await store.create('b', {}, { ...life, ttlMs: 45_000 });
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(30_000);
      expect(await store.remove('a')).toBe(false);
      vi.advanceTimersByTime(30_000);
      expect(vi.getTimerCount()).toBe(0);
      await store.create('a', {}, life);
      expect(vi.getTimerCount()).toBe(1);
      await store.close();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
