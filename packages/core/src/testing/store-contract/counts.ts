import assert from 'node:assert/strict';
import { aMoment, alone, both, fresh, left, life, outlast, several, short } from './case.ts';

/** What a store must do so that instances can count together. */
export const countCases = [
  ...both('counts what several count at once', async (one, two) => {
    const key = fresh();
    const counted = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => (index % 2 === 0 ? one : two).count(key, 1, life)),
    );
    const numbers = counted.map(({ count }) => count).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      counted.map((_, index) => index + 1),
    );
    assert.equal((await two.count(key, 30, life)).count, 50);
    assert.equal((await one.count(key, 0, life)).count, 50);
  }),

  ...both('counts anew when its time is over', async (one, two) => {
    const [ended, kept] = [fresh(), fresh()];
    assert.equal((await one.count(ended, 5, short)).count, 5);
    assert.equal((await one.count(kept, 5, life)).count, 5);
    await outlast();
    assert.equal((await two.count(ended, 1, life)).count, 1);
    assert.equal((await two.count(kept, 1, life)).count, 6);
  }),

  alone('counts for as long as was said first, however often it is counted', async (store) => {
    const key = fresh();
    const first = await store.count(key, 1, life);
    assert(first.leftMs > 0 && first.leftMs <= life.ttlMs, 'it counts for as long as was said');
    await aMoment();
    await aMoment();
    const second = await store.count(key, 1, { ...life, ttlMs: 2 * life.ttlMs });
    assert(second.leftMs > 0 && second.leftMs < first.leftMs, 'counting must not prolong the time');
  }),

  alone('keeps no more counts and leases than there may be of their kind', async (store) => {
    const few = { ...life, kind: fresh(), limit: 2 };
    const keys = several(4);
    for (const [index, key] of keys.entries()) {
      if (index % 2 === 0) await store.count(key, 1, few);
      else await store.lease(key, 'one', few);
      await aMoment();
    }
    assert.deepEqual(await left(store, keys, few), [2, 3]);
  }),
];
