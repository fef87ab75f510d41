import assert from 'node:assert/strict';
import { onOneInstance, onOneAndTwoInstances, fieldsOf, uniqueKey, longLife } from './case.ts';

/** Members of records. */
export const memberCases = [
  ...onOneAndTwoInstances('keeps the members of a record', async (one, two) => {
    const key = uniqueKey();
    await one.create(key, {}, longLife);
    assert.deepEqual([...(await one.members(key))], []);
    assert.equal(await one.alter(key, { add: ['a', 'b', 'ä b'], remove: [] }), true);
    assert.equal(await two.alter(key, { add: ['c', 'a'], remove: ['b', 'never there'] }), true);
    for (const store of [one, two]) assert.deepEqual([...(await store.members(key))].sort(), ['a', 'c', 'ä b']);
    assert.deepEqual(await fieldsOf(one, key), {});
  }),

  ...onOneAndTwoInstances(
    'changes single members, so that concurrent changes of different ones succeed',
    async (one, two) => {
      const key = uniqueKey();
      await one.create(key, {}, longLife);
      await one.alter(key, { add: ['a', 'b'], remove: [] });
      await Promise.all([one.alter(key, { add: ['c'], remove: ['a'] }), two.alter(key, { add: ['d'], remove: ['b'] })]);
      assert.deepEqual([...(await two.members(key))].sort(), ['c', 'd']);
    },
  ),

  onOneInstance('adds all members or none if a limit would be exceeded', async (store) => {
    const key = uniqueKey();
    await store.create(key, {}, longLife);
    const max = { count: 3, length: 6 };
    assert.equal(await store.alter(key, { add: ['aa', 'bb'], remove: [], max }), true);
    assert.equal(await store.alter(key, { add: ['c', 'd'], remove: [], max }), 'full');
    assert.equal(await store.alter(key, { add: ['ccc'], remove: [], max }), 'full');
    assert.deepEqual([...(await store.members(key))].sort(), ['aa', 'bb']);
    assert.equal(await store.alter(key, { add: ['aa', 'cc'], remove: [], max }), true);
    assert.equal(await store.alter(key, { add: ['dd'], remove: ['aa'], max }), true);
    assert.equal(await store.alter(key, { add: [], remove: ['bb'], max: { count: 1, length: 1 } }), true);
    assert.deepEqual([...(await store.members(key))].sort(), ['cc', 'dd']);
  }),

  ...onOneAndTwoInstances('limits the members of all records of an owner', async (one, two) => {
    const kind = { ...longLife, kind: uniqueKey() };
    const [first, second, others] = [uniqueKey(), uniqueKey(), uniqueKey()];
    await one.create(first, {}, { ...kind, owner: 'own' });
    await one.create(second, {}, { ...kind, owner: 'own' });
    await one.create(others, {}, { ...kind, owner: 'other' });
    const max = { count: 10, length: 1000, ownerLength: 150 };
    assert.equal(await one.alter(first, { add: ['a'.repeat(20)], remove: [], max }), true);
    assert.equal(await two.alter(second, { add: ['a'.repeat(20)], remove: [], max }), 'full');
    assert.equal(await two.alter(others, { add: ['a'.repeat(20)], remove: [], max }), true);
    await two.remove(first);
    assert.equal(await one.alter(second, { add: ['a'.repeat(20)], remove: [], max }), true);
  }),

  onOneInstance('returns members that later changes do not change', async (store) => {
    const key = uniqueKey();
    await store.create(key, {}, longLife);
    await store.alter(key, { add: ['a'], remove: [] });
    const before = await store.members(key);
    await store.alter(key, { add: ['b'], remove: ['a'] });
    assert.deepEqual([...before], ['a']);
  }),
];
