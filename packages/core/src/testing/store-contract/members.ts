import assert from 'node:assert/strict';
import { alone, both, fieldsOf, fresh, life } from './case.ts';

/** What a store must do with the members of records. */
export const memberCases = [
  ...both('keeps the members of a record', async (one, two) => {
    const key = fresh();
    await one.create(key, {}, life);
    assert.deepEqual([...(await one.members(key))], []);
    assert.equal(await one.alter(key, { add: ['a', 'b', 'ä b'], remove: [] }), true);
    assert.equal(await two.alter(key, { add: ['c', 'a'], remove: ['b', 'never there'] }), true);
    for (const store of [one, two]) assert.deepEqual([...(await store.members(key))].sort(), ['a', 'c', 'ä b']);
    assert.deepEqual(await fieldsOf(one, key), {});
  }),

  ...both('changes single members, so that two who change different ones both succeed', async (one, two) => {
    const key = fresh();
    await one.create(key, {}, life);
    await one.alter(key, { add: ['a', 'b'], remove: [] });
    await Promise.all([one.alter(key, { add: ['c'], remove: ['a'] }), two.alter(key, { add: ['d'], remove: ['b'] })]);
    assert.deepEqual([...(await two.members(key))].sort(), ['c', 'd']);
  }),

  alone('gives members that later changes do not touch', async (store) => {
    const key = fresh();
    await store.create(key, {}, life);
    await store.alter(key, { add: ['a'], remove: [] });
    const before = await store.members(key);
    await store.alter(key, { add: ['b'], remove: ['a'] });
    assert.deepEqual([...before], ['a']);
  }),
];
