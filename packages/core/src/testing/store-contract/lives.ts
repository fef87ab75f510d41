import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Life, Store } from '../../stores/store.ts';
import { aMoment, alone, both, bounds, fresh, left, life, outlast, several, short } from './case.ts';

/** What a store must do so that records go when nobody uses them, or when there are too many. */
export const lifeCases = [
  ...both('forgets a record that nobody used for so long, with its members and its log', async (one, two) => {
    const [key, removed, kept] = [fresh(), fresh(), fresh()];
    await one.create(kept, {}, life);
    for (const each of [key, removed]) {
      await one.create(each, { a: '1' }, short);
      await one.alter(each, { add: ['a'], remove: [] });
      await one.append(each, 'entry', bounds);
    }
    await outlast();
    assert.equal(await two.remove(removed), false);
    assert.equal(await two.update(key, { a: '2' }, life), false);
    assert.equal(await two.append(key, 'entry', bounds), undefined);
    assert.equal(await two.alter(key, { add: ['b'], remove: [] }), false);
    assert.deepEqual([...(await two.members(key))], []);
    assert.equal(await two.after(key, 0), undefined);
    assert.equal(await two.read(key, life), undefined);
    assert.notEqual(await two.read(kept, life), undefined);
  }),

  ...both('counts reading and changing as use', (one, two) => usedInTime(one, two, 200)),

  alone('lets a record be claimed again when it has expired', async (store) => {
    const key = fresh();
    assert.equal(await store.claim(key, short), true);
    await outlast();
    assert.equal(await store.claim(key, life), true);
  }),

  alone('drops the least recently used of records that are claimed', async (store) => {
    const few = { ...life, kind: fresh(), limit: 2 };
    const keys = several(3);
    for (const key of keys) {
      await store.claim(key, few);
      await aMoment();
    }
    assert.deepEqual(await left(store, keys, few), [1, 2]);
  }),

  ...both('drops the least recently used records of a kind that has too many', async (one, two) => {
    const few = { ...life, kind: fresh(), limit: 3 };
    const keys = several(5);
    const other = fresh();
    await one.create(other, {}, { ...life, kind: fresh(), limit: 1 });
    for (const key of keys.slice(0, 3)) {
      await one.create(key, {}, few);
      await aMoment();
    }
    await two.read(keys[0] as string, few);
    await aMoment();
    await two.create(keys[3] as string, {}, few);
    await aMoment();
    await one.create(keys[4] as string, {}, few);
    assert.deepEqual(await left(two, keys, few), [0, 3, 4]);
    assert.notEqual(await two.read(other, life), undefined);
  }),

  alone('drops as many as there are too many', async (store) => {
    const kind = { ...life, kind: fresh() };
    const keys = several(5);
    for (const key of keys.slice(0, 4)) {
      await store.create(key, {}, kind);
      await aMoment();
    }
    await store.create(keys[4] as string, {}, { ...kind, limit: 2 });
    assert.deepEqual(await left(store, keys, kind), [3, 4]);
  }),

  alone('drops none for a record that is made anew', async (store) => {
    const few = { ...life, kind: fresh(), limit: 2 };
    const [first, second] = [fresh(), fresh()];
    for (const key of [first, second, second]) {
      await store.create(key, {}, few);
      await aMoment();
    }
    assert.deepEqual(await left(store, [first, second], few), [0, 1]);
  }),

  ...both('drops records that are in use last', async (one, two) => {
    const few = { ...life, kind: fresh(), limit: 2 };
    const [busy, ...idle] = several(5) as [string, ...string[]];
    await one.create(busy, {}, few);
    await one.read(busy, { ...few, busyMs: 60_000 });
    // Others use it too, and for a shorter time.
    await two.read(busy, { ...few, busyMs: 1 });
    await two.read(busy, few);
    for (const key of idle) {
      await aMoment();
      await two.create(key, {}, few);
    }
    assert.notEqual(await two.read(busy, few), undefined);
    assert.deepEqual(await left(two, idle, few), [3]);
  }),

  ...both('drops a record like others when its use is over', async (one, two) => {
    const few = { ...life, kind: fresh(), limit: 3 };
    const keys = several(4);
    await one.create(keys[0] as string, {}, { ...few, busyMs: short.ttlMs });
    await outlast();
    for (const [index, key] of keys.slice(1).entries()) {
      await (index === 0 ? one : two).create(key, {}, few);
      await aMoment();
    }
    assert.deepEqual(await left(two, keys, few), [1, 2, 3]);
  }),

  ...both('drops those of the owner who has the most first', async (one, two) => {
    const few = { ...life, kind: fresh(), limit: 4 };
    const [early, ...greedy] = several(4) as [string, ...string[]];
    const late = fresh();
    await one.create(early, {}, { ...few, owner: 'early' });
    for (const key of greedy) {
      await aMoment();
      await one.create(key, {}, { ...few, owner: 'greedy' });
    }
    await aMoment();
    await two.create(late, {}, { ...few, owner: 'late' });
    assert.deepEqual(await left(two, [early, ...greedy, late], few), [0, 2, 3, 4]);
  }),

  ...both("drops those of an owner who has too many, and nobody else's", async (one, two) => {
    const few = { ...life, kind: fresh(), limit: 10, ownerLimit: 2 };
    const [other, ...own] = several(5) as [string, ...string[]];
    await one.create(other, {}, { ...few, owner: 'other' });
    for (const [index, key] of own.entries()) {
      await aMoment();
      await (index < 2 ? one : two).create(key, {}, { ...few, owner: 'own' });
    }
    assert.deepEqual(await left(two, [other, ...own], few), [0, 3, 4]);
  }),

  ...both('refuses one where its kind has no room, and drops none for it', async (one, two) => {
    const roomy = { ...life, kind: fresh(), limit: 10, room: { length: 100, ownerLength: 1000 } };
    const keys = several(3);
    const fields = { text: 'x'.repeat(40) };
    assert.equal(await one.create(keys[0] as string, fields, roomy), undefined);
    await aMoment();
    assert.equal(await two.create(keys[1] as string, fields, roomy), undefined);
    assert.equal(await one.create(keys[2] as string, fields, roomy), 'full');
    assert.deepEqual(await left(two, keys, roomy), [0, 1]);
    await one.update(keys[0] as string, { text: 'x'.repeat(200) }, roomy);
    assert.deepEqual(await left(two, keys, roomy), [0, 1]);
    await two.remove(keys[0] as string);
    assert.equal(await two.create(keys[2] as string, fields, roomy), undefined);
  }),

  ...both('refuses one where there are as many as there may be, and none of them goes', async (one, two) => {
    const roomy = { ...life, kind: fresh(), limit: 2, room: { length: 100, ownerLength: 100 } };
    const keys = several(3);
    assert.equal(await one.create(keys[0] as string, {}, roomy), undefined);
    assert.equal(await one.create(keys[1] as string, {}, roomy), undefined);
    assert.equal(await two.create(keys[2] as string, {}, roomy), 'full');
    assert.equal(await two.claim(keys[2] as string, roomy), false);
    await one.read(keys[0] as string, { ...roomy, ttlMs: short.ttlMs });
    await outlast();
    assert.equal(await two.create(keys[2] as string, {}, roomy), undefined);
  }),

  ...both('refuses one to an owner who has taken their part of the room, and to nobody else', async (one, two) => {
    const roomy = { ...life, kind: fresh(), limit: 10, room: { length: 300, ownerLength: 100 } };
    const keys = several(4);
    const fields = { text: 'x'.repeat(40) };
    for (const key of keys.slice(0, 2)) {
      assert.equal(await one.create(key, fields, { ...roomy, owner: 'own' }), undefined);
    }
    assert.equal(await two.create(keys[2] as string, fields, { ...roomy, owner: 'own' }), 'full');
    assert.equal(await two.create(keys[2] as string, fields, { ...roomy, owner: 'other' }), undefined);
    assert.equal(await one.create(keys[3] as string, fields, roomy), undefined);
    assert.deepEqual(await left(one, keys, roomy), [0, 1, 2, 3]);
  }),

  ...both("evicts an owner's own where it says so and there is no room left, and nobody else's", async (one, two) => {
    const room = { length: 300, ownerLength: 100, evictOwn: true };
    const roomy = { ...life, kind: fresh(), limit: 3, room };
    const [other, ...own] = several(5) as [string, ...string[]];
    const fields = { text: 'x'.repeat(40) };
    assert.equal(await one.create(other, fields, { ...roomy, owner: 'other' }), undefined);
    for (const [index, key] of own.entries()) {
      await aMoment();
      assert.equal(await (index < 2 ? one : two).create(key, fields, { ...roomy, owner: 'own' }), undefined);
    }
    assert.deepEqual(await left(two, [other, ...own], roomy), [0, 3, 4]);
    // Some may be short, but there may be no more than the limit.
    assert.equal(await two.create(own[0] as string, {}, { ...roomy, owner: 'own' }), undefined);
    assert.equal((await left(one, [other, ...own], roomy)).length, 3);
  }),

  ...both('evicts nothing where there would be no room all the same', async (one, two) => {
    const roomy = { ...life, kind: fresh(), limit: 10, room: { length: 100, ownerLength: 80, evictOwn: true } };
    const keys = several(4) as [string, string, string, string];
    const fields = { text: 'x'.repeat(40) };
    assert.equal(await one.create(keys[0], fields, { ...roomy, owner: 'other' }), undefined);
    assert.equal(await one.create(keys[1], fields, { ...roomy, owner: 'own' }), undefined);
    assert.equal(await two.create(keys[2], { text: 'x'.repeat(90) }, { ...roomy, owner: 'own' }), 'full');
    assert.equal(await two.create(keys[3], { text: 'x'.repeat(70) }, { ...roomy, owner: 'own' }), 'full');
    assert.deepEqual(await left(two, keys, roomy), [0, 1]);
  }),

  ...both('drops none that was just made, where the others are in use', async (one, two) => {
    const few = { ...life, kind: fresh(), limit: 10, ownerLimit: 2, owner: 'own' };
    const keys = several(3);
    for (const key of keys.slice(0, 2)) {
      await one.create(key, {}, { ...few, busyMs: 60_000 });
      await aMoment();
    }
    await two.create(keys[2] as string, {}, few);
    assert.deepEqual(await left(two, keys, few), [1, 2]);
  }),

  ...both('drops one of them all the same where all are in use', async (one, two) => {
    const few = { ...life, kind: fresh(), limit: 3, busyMs: 60_000 };
    const keys = several(4);
    for (const [index, key] of keys.entries()) {
      await (index < 2 ? one : two).create(key, {}, few);
      await aMoment();
    }
    assert.deepEqual(await left(two, keys, few), [1, 2, 3]);
  }),
];

/** Tries again with more time where the records had expired before they could be used. */
async function usedInTime(one: Store, two: Store, ttlMs: number): Promise<void> {
  const brief: Life = { ...life, ttlMs };
  const [read, updated, shortened] = [fresh(), fresh(), fresh()];
  const began = performance.now();
  await one.create(read, {}, brief);
  await one.create(updated, {}, brief);
  await one.create(shortened, {}, life);
  await two.read(read, life);
  await two.update(updated, { a: '1' }, life);
  await two.read(shortened, brief);
  if (performance.now() - began >= ttlMs) return usedInTime(one, two, ttlMs * 2);
  await setTimeout(ttlMs * 1.5);
  assert.notEqual(await one.read(read, life), undefined);
  assert.notEqual(await one.read(updated, life), undefined);
  assert.equal(await one.read(shortened, life), undefined);
}
