import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { alone, between, both, bounds, fieldsOf, fresh, life, longText } from './case.ts';

/** What a store must do with records and their fields. */
export const recordCases = [
  ...both('keeps the fields of a record', async (one, two) => {
    const key = fresh();
    const fields = { a: '1', 'b c': 'ä\n"😀', empty: '', long: longText };
    await one.create(key, fields, life);
    assert.deepEqual(await fieldsOf(two, key), fields);
    assert.equal(await two.read(fresh(), life), undefined);
  }),

  alone('makes a record anew where there is one already', async (store) => {
    const key = fresh();
    await store.create(key, { a: '1' }, life);
    await store.alter(key, { add: ['old'], remove: [] });
    await store.append(key, 'old', bounds);
    await store.create(key, { b: '2' }, life);
    assert.deepEqual(await fieldsOf(store, key), { b: '2' });
    assert.deepEqual([...(await store.members(key))], []);
    assert.equal(await store.after(key, 0), undefined);
    assert.equal(await store.append(key, 'new', bounds), 1);
  }),

  alone('keeps a record without fields', async (store) => {
    const key = fresh();
    await store.create(key, {}, life);
    assert.deepEqual(await fieldsOf(store, key), {});
    assert.equal(await store.update(key, { a: '1' }, life), true);
    assert.equal(await store.update(key, { a: undefined }, life), true);
    assert.deepEqual(await fieldsOf(store, key), {});
  }),

  ...both('changes single fields, so that two who change different ones both succeed', async (one, two) => {
    const key = fresh();
    await one.create(key, { a: '1', b: '1', c: '1' }, life);
    await Promise.all([one.update(key, { a: '2', b: undefined }, life), two.update(key, { d: '2' }, life)]);
    for (const store of [one, two]) assert.deepEqual(await fieldsOf(store, key), { a: '2', c: '1', d: '2' });
  }),

  alone('gives fields that later changes do not touch', async (store) => {
    const key = fresh();
    await store.create(key, { a: '1' }, life);
    const before = await store.read(key, life);
    await store.update(key, { a: '2' }, life);
    assert.equal(before?.a, '1');
  }),

  alone('leaves members and log as they are when fields change', async (store) => {
    const key = fresh();
    await store.create(key, { a: '1' }, life);
    await store.alter(key, { add: ['a'], remove: [] });
    await store.append(key, 'entry', bounds);
    await store.update(key, { a: '2' }, life);
    assert.deepEqual([...(await store.members(key))], ['a']);
    assert.equal((await store.after(key, 0))?.length, 1);
  }),

  alone('makes no record by changing it', async (store) => {
    const key = fresh();
    assert.equal(await store.update(key, { a: '1' }, life), false);
    assert.equal(await store.append(key, 'entry', bounds), undefined);
    assert.equal(await store.alter(key, { add: ['a'], remove: [] }), false);
    assert.equal(await store.read(key, life), undefined);
    assert.equal(await store.after(key, 0), undefined);
    assert.deepEqual([...(await store.members(key))], []);
  }),

  between('never brings a record back by changing it while another instance removes it', async (one, two) => {
    for (let delay = 0; delay < 10; delay++) {
      const key = fresh();
      await one.create(key, { a: '1' }, life);
      const changed = one.update(key, { a: '2' }, life);
      for (let each = 0; each < delay; each++) await setImmediate();
      assert.equal(await two.remove(key), true);
      await changed;
      for (const store of [one, two]) assert.equal(await store.read(key, life), undefined);
    }
  }),

  ...both('removes a record with its members and its log', async (one, two) => {
    const key = fresh();
    await one.create(key, { a: '1' }, life);
    await one.alter(key, { add: ['a'], remove: [] });
    await one.append(key, 'entry', bounds);
    assert.equal(await two.remove(key), true);
    assert.equal(await two.remove(key), false);
    assert.equal(await one.read(key, life), undefined);
    assert.deepEqual([...(await one.members(key))], []);
    assert.equal(await one.after(key, 0), undefined);
  }),

  between('tells one of two who remove a record at once that they did', async (one, two) => {
    const key = fresh();
    await one.create(key, {}, life);
    assert.notEqual(await two.read(key, life), undefined);
    const removed = await Promise.all([one.remove(key), two.remove(key)]);
    assert.deepEqual(removed.map(String).sort(), ['false', 'true']);
  }),

  ...both('lets a record be claimed where there is none, and only once', async (one, two) => {
    const [key, taken] = [fresh(), fresh()];
    assert.equal(await one.claim(key, life), true);
    assert.equal(await two.claim(key, life), false);
    assert.equal(await one.claim(key, life), false);
    await one.create(taken, { a: '1' }, life);
    assert.equal(await two.claim(taken, life), false);
    assert.deepEqual(await fieldsOf(two, taken), { a: '1' });
  }),

  ...both('lets one claim a record of several who try at once', async (one, two) => {
    const key = fresh();
    const claims = await Promise.all([one, two, one, two].map(async (store) => store.claim(key, life)));
    assert.equal(claims.filter(Boolean).length, 1);
  }),

  ...both('lets a record be claimed with fields', async (one, two) => {
    const key = fresh();
    assert.equal(await one.claim(key, life, { a: '1' }), true);
    assert.equal(await two.claim(key, life, { a: '2' }), false);
    assert.deepEqual(await fieldsOf(two, key), { a: '1' });
  }),

  ...both('changes a record only where it is as expected', async (one, two) => {
    const key = fresh();
    await one.create(key, { a: '1', b: '1' }, life);
    assert.equal(await one.updateIf(key, { a: '1', c: undefined }, { a: '2', b: undefined }, life), true);
    assert.equal(await two.updateIf(key, { a: '1' }, { a: '3' }, life), 'changed');
    assert.equal(await two.updateIf(key, { a: '2', b: '' }, { a: '3' }, life), 'changed');
    assert.equal(await two.updateIf(key, { a: undefined }, { a: '3' }, life), 'changed');
    assert.deepEqual(await fieldsOf(two, key), { a: '2' });
    const none = fresh();
    assert.equal(await two.updateIf(none, { a: undefined }, { a: '1' }, life), false);
    assert.equal(await two.read(none, life), undefined);
  }),

  ...both('lets one of several change what all of them expected', async (one, two) => {
    const key = fresh();
    await one.create(key, { state: 'open' }, life);
    const changed = await Promise.all(
      [one, two, one, two].map(async (store, index) =>
        store.updateIf(key, { state: 'open' }, { state: `taken by ${index}` }, life),
      ),
    );
    assert.deepEqual(changed.map(String).sort(), ['changed', 'changed', 'changed', 'true']);
    assert.deepEqual(await fieldsOf(two, key), { state: `taken by ${changed.indexOf(true)}` });
  }),

  between('keeps all for the other instances when one is closed', async (one, two, open) => {
    const key = fresh();
    const closing = await open();
    await closing.create(key, { a: '1' }, life);
    await closing.close();
    for (const store of [one, two]) assert.deepEqual(await fieldsOf(store, key), { a: '1' });
  }),
];
