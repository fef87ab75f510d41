import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Life, Store } from '../../stores/store.ts';
import {
  waitForTick,
  onOneInstance,
  onOneAndTwoInstances,
  bounds,
  uniqueKey,
  remainingKeys,
  longLife,
  waitForExpiry,
  uniqueKeys,
  shortLife,
} from './case.ts';

/** Expiry and eviction of records. */
export const expiryCases = [
  ...onOneAndTwoInstances(
    'deletes an idle record after its lifetime, with its members and its log',
    async (one, two) => {
      const [key, removed, kept] = [uniqueKey(), uniqueKey(), uniqueKey()];
      await one.create(kept, {}, longLife);
      for (const each of [key, removed]) {
        await one.create(each, { a: '1' }, shortLife);
        await one.alter(each, { add: ['a'], remove: [] });
        await one.append(each, 'entry', bounds);
      }
      await waitForExpiry();
      assert.equal(await two.remove(removed), false);
      assert.equal(await two.update(key, { a: '2' }, longLife), false);
      assert.equal(await two.append(key, 'entry', bounds), undefined);
      assert.equal(await two.alter(key, { add: ['b'], remove: [] }), false);
      assert.deepEqual([...(await two.members(key))], []);
      assert.equal(await two.after(key, 0), undefined);
      assert.equal(await two.read(key, longLife), undefined);
      assert.notEqual(await two.read(kept, longLife), undefined);
    },
  ),

  ...onOneAndTwoInstances('counts reading and changing as use', (one, two) => checkUseProlongs(one, two, 200)),

  onOneInstance('lets a record be claimed again when it has expired', async (store) => {
    const key = uniqueKey();
    assert.equal(await store.claim(key, shortLife), true);
    await waitForExpiry();
    assert.equal(await store.claim(key, longLife), true);
  }),

  onOneInstance('evicts the least recently used of claimed records', async (store) => {
    const few = { ...longLife, kind: uniqueKey(), limit: 2 };
    const keys = uniqueKeys(3);
    for (const key of keys) {
      await store.claim(key, few);
      await waitForTick();
    }
    assert.deepEqual(await remainingKeys(store, keys, few), [1, 2]);
  }),

  ...onOneAndTwoInstances('evicts the least recently used records of a kind that has too many', async (one, two) => {
    const few = { ...longLife, kind: uniqueKey(), limit: 3 };
    const keys = uniqueKeys(5);
    const other = uniqueKey();
    await one.create(other, {}, { ...longLife, kind: uniqueKey(), limit: 1 });
    for (const key of keys.slice(0, 3)) {
      await one.create(key, {}, few);
      await waitForTick();
    }
    await two.read(keys[0] as string, few);
    await waitForTick();
    await two.create(keys[3] as string, {}, few);
    await waitForTick();
    await one.create(keys[4] as string, {}, few);
    assert.deepEqual(await remainingKeys(two, keys, few), [0, 3, 4]);
    assert.notEqual(await two.read(other, longLife), undefined);
  }),

  onOneInstance('evicts no more records than are beyond the limit', async (store) => {
    const kind = { ...longLife, kind: uniqueKey() };
    const keys = uniqueKeys(5);
    for (const key of keys.slice(0, 4)) {
      await store.create(key, {}, kind);
      await waitForTick();
    }
    await store.create(keys[4] as string, {}, { ...kind, limit: 2 });
    assert.deepEqual(await remainingKeys(store, keys, kind), [3, 4]);
  }),

  onOneInstance('evicts none when a record is replaced', async (store) => {
    const few = { ...longLife, kind: uniqueKey(), limit: 2 };
    const [first, second] = [uniqueKey(), uniqueKey()];
    for (const key of [first, second, second]) {
      await store.create(key, {}, few);
      await waitForTick();
    }
    assert.deepEqual(await remainingKeys(store, [first, second], few), [0, 1]);
  }),

  ...onOneAndTwoInstances('evicts records in use last', async (one, two) => {
    const few = { ...longLife, kind: uniqueKey(), limit: 2 };
    const [busy, ...idle] = uniqueKeys(5) as [string, ...string[]];
    await one.create(busy, {}, few);
    await one.read(busy, { ...few, busyMs: 60_000 });
    // A shorter use must not shorten it.
    await two.read(busy, { ...few, busyMs: 1 });
    await two.read(busy, few);
    for (const key of idle) {
      await waitForTick();
      await two.create(key, {}, few);
    }
    assert.notEqual(await two.read(busy, few), undefined);
    assert.deepEqual(await remainingKeys(two, idle, few), [3]);
  }),

  ...onOneAndTwoInstances('evicts a record like others once it is no longer in use', async (one, two) => {
    const few = { ...longLife, kind: uniqueKey(), limit: 3 };
    const keys = uniqueKeys(4);
    await one.create(keys[0] as string, {}, { ...few, busyMs: shortLife.ttlMs });
    await waitForExpiry();
    for (const [index, key] of keys.slice(1).entries()) {
      await (index === 0 ? one : two).create(key, {}, few);
      await waitForTick();
    }
    assert.deepEqual(await remainingKeys(two, keys, few), [1, 2, 3]);
  }),

  ...onOneAndTwoInstances('evicts records of the owner with the most first', async (one, two) => {
    const few = { ...longLife, kind: uniqueKey(), limit: 4 };
    const [early, ...greedy] = uniqueKeys(4) as [string, ...string[]];
    const late = uniqueKey();
    await one.create(early, {}, { ...few, owner: 'early' });
    for (const key of greedy) {
      await waitForTick();
      await one.create(key, {}, { ...few, owner: 'greedy' });
    }
    await waitForTick();
    await two.create(late, {}, { ...few, owner: 'late' });
    assert.deepEqual(await remainingKeys(two, [early, ...greedy, late], few), [0, 2, 3, 4]);
  }),

  ...onOneAndTwoInstances('evicts records of an owner with too many, and no others', async (one, two) => {
    const few = { ...longLife, kind: uniqueKey(), limit: 10, ownerLimit: 2 };
    const [other, ...own] = uniqueKeys(5) as [string, ...string[]];
    await one.create(other, {}, { ...few, owner: 'other' });
    for (const [index, key] of own.entries()) {
      await waitForTick();
      await (index < 2 ? one : two).create(key, {}, { ...few, owner: 'own' });
    }
    assert.deepEqual(await remainingKeys(two, [other, ...own], few), [0, 3, 4]);
  }),

  ...onOneAndTwoInstances('rejects a record that its kind has no room for, and evicts none', async (one, two) => {
    const roomy = { ...longLife, kind: uniqueKey(), limit: 10, room: { length: 100, ownerLength: 1000 } };
    const keys = uniqueKeys(3);
    const fields = { text: 'x'.repeat(40) };
    assert.equal(await one.create(keys[0] as string, fields, roomy), undefined);
    await waitForTick();
    assert.equal(await two.create(keys[1] as string, fields, roomy), undefined);
    assert.equal(await one.create(keys[2] as string, fields, roomy), 'full');
    assert.deepEqual(await remainingKeys(two, keys, roomy), [0, 1]);
    await one.update(keys[0] as string, { text: 'x'.repeat(200) }, roomy);
    assert.deepEqual(await remainingKeys(two, keys, roomy), [0, 1]);
    await two.remove(keys[0] as string);
    assert.equal(await two.create(keys[2] as string, fields, roomy), undefined);
  }),

  ...onOneAndTwoInstances('rejects a record beyond the limit of a kind that forbids evictions', async (one, two) => {
    const roomy = { ...longLife, kind: uniqueKey(), limit: 2, room: { length: 100, ownerLength: 100 } };
    const keys = uniqueKeys(3);
    assert.equal(await one.create(keys[0] as string, {}, roomy), undefined);
    assert.equal(await one.create(keys[1] as string, {}, roomy), undefined);
    assert.equal(await two.create(keys[2] as string, {}, roomy), 'full');
    assert.equal(await two.claim(keys[2] as string, roomy), false);
    await one.read(keys[0] as string, { ...roomy, ttlMs: shortLife.ttlMs });
    await waitForExpiry();
    assert.equal(await two.create(keys[2] as string, {}, roomy), undefined);
  }),

  ...onOneAndTwoInstances(
    'rejects a record of an owner without room left, and accepts those of others',
    async (one, two) => {
      const roomy = { ...longLife, kind: uniqueKey(), limit: 10, room: { length: 300, ownerLength: 100 } };
      const keys = uniqueKeys(4);
      const fields = { text: 'x'.repeat(40) };
      for (const key of keys.slice(0, 2)) {
        assert.equal(await one.create(key, fields, { ...roomy, owner: 'own' }), undefined);
      }
      assert.equal(await two.create(keys[2] as string, fields, { ...roomy, owner: 'own' }), 'full');
      assert.equal(await two.create(keys[2] as string, fields, { ...roomy, owner: 'other' }), undefined);
      assert.equal(await one.create(keys[3] as string, fields, roomy), undefined);
      assert.deepEqual(await remainingKeys(one, keys, roomy), [0, 1, 2, 3]);
    },
  ),

  ...onOneAndTwoInstances(
    "evicts an owner's own records on request if the store is full, and no others",
    async (one, two) => {
      const room = { length: 300, ownerLength: 100, evictOwn: true };
      const roomy = { ...longLife, kind: uniqueKey(), limit: 3, room };
      const [other, ...own] = uniqueKeys(5) as [string, ...string[]];
      const fields = { text: 'x'.repeat(40) };
      assert.equal(await one.create(other, fields, { ...roomy, owner: 'other' }), undefined);
      for (const [index, key] of own.entries()) {
        await waitForTick();
        assert.equal(await (index < 2 ? one : two).create(key, fields, { ...roomy, owner: 'own' }), undefined);
      }
      assert.deepEqual(await remainingKeys(two, [other, ...own], roomy), [0, 3, 4]);
      // The limit applies to short records too.
      assert.equal(await two.create(own[0] as string, {}, { ...roomy, owner: 'own' }), undefined);
      assert.equal((await remainingKeys(one, [other, ...own], roomy)).length, 3);
    },
  ),

  ...onOneAndTwoInstances('evicts nothing if the record would not fit even then', async (one, two) => {
    const roomy = { ...longLife, kind: uniqueKey(), limit: 10, room: { length: 100, ownerLength: 80, evictOwn: true } };
    const keys = uniqueKeys(4) as [string, string, string, string];
    const fields = { text: 'x'.repeat(40) };
    assert.equal(await one.create(keys[0], fields, { ...roomy, owner: 'other' }), undefined);
    assert.equal(await one.create(keys[1], fields, { ...roomy, owner: 'own' }), undefined);
    assert.equal(await two.create(keys[2], { text: 'x'.repeat(90) }, { ...roomy, owner: 'own' }), 'full');
    assert.equal(await two.create(keys[3], { text: 'x'.repeat(70) }, { ...roomy, owner: 'own' }), 'full');
    assert.deepEqual(await remainingKeys(two, keys, roomy), [0, 1]);
  }),

  ...onOneAndTwoInstances('does not evict a new record while the others are in use', async (one, two) => {
    const few = { ...longLife, kind: uniqueKey(), limit: 10, ownerLimit: 2, owner: 'own' };
    const keys = uniqueKeys(3);
    for (const key of keys.slice(0, 2)) {
      await one.create(key, {}, { ...few, busyMs: 60_000 });
      await waitForTick();
    }
    await two.create(keys[2] as string, {}, few);
    assert.deepEqual(await remainingKeys(two, keys, few), [1, 2]);
  }),

  ...onOneAndTwoInstances('evicts a record in use if all are in use', async (one, two) => {
    const few = { ...longLife, kind: uniqueKey(), limit: 3, busyMs: 60_000 };
    const keys = uniqueKeys(4);
    for (const [index, key] of keys.entries()) {
      await (index < 2 ? one : two).create(key, {}, few);
      await waitForTick();
    }
    assert.deepEqual(await remainingKeys(two, keys, few), [1, 2, 3]);
  }),
];

/** Retries with a longer life if the records expired before they were used. */
async function checkUseProlongs(one: Store, two: Store, ttlMs: number): Promise<void> {
  const brief: Life = { ...longLife, ttlMs };
  const [read, updated, shortened] = [uniqueKey(), uniqueKey(), uniqueKey()];
  const began = performance.now();
  await one.create(read, {}, brief);
  await one.create(updated, {}, brief);
  await one.create(shortened, {}, longLife);
  await two.read(read, longLife);
  await two.update(updated, { a: '1' }, longLife);
  await two.read(shortened, brief);
  if (performance.now() - began >= ttlMs) return checkUseProlongs(one, two, ttlMs * 2);
  await setTimeout(ttlMs * 1.5);
  assert.notEqual(await one.read(read, longLife), undefined);
  assert.notEqual(await one.read(updated, longLife), undefined);
  assert.equal(await one.read(shortened, longLife), undefined);
}
