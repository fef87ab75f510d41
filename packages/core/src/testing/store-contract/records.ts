import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import {
  onOneInstance,
  acrossInstances,
  onOneAndTwoInstances,
  bounds,
  fieldsOf,
  uniqueKey,
  longLife,
  longText,
} from './case.ts';

/** Records and their fields. */
export const recordCases = [
  ...onOneAndTwoInstances('keeps the fields of a record', async (one, two) => {
    const key = uniqueKey();
    const fields = { a: '1', 'b c': 'ä\n"😀', empty: '', long: longText };
    await one.create(key, fields, longLife);
    assert.deepEqual(await fieldsOf(two, key), fields);
    assert.equal(await two.read(uniqueKey(), longLife), undefined);
  }),

  onOneInstance('replaces an existing record', async (store) => {
    const key = uniqueKey();
    await store.create(key, { a: '1' }, longLife);
    await store.alter(key, { add: ['old'], remove: [] });
    await store.append(key, 'old', bounds);
    await store.create(key, { b: '2' }, longLife);
    assert.deepEqual(await fieldsOf(store, key), { b: '2' });
    assert.deepEqual([...(await store.members(key))], []);
    assert.equal(await store.after(key, 0), undefined);
    assert.equal(await store.append(key, 'new', bounds), 1);
  }),

  onOneInstance('keeps a record without fields', async (store) => {
    const key = uniqueKey();
    await store.create(key, {}, longLife);
    assert.deepEqual(await fieldsOf(store, key), {});
    assert.equal(await store.update(key, { a: '1' }, longLife), true);
    assert.equal(await store.update(key, { a: undefined }, longLife), true);
    assert.deepEqual(await fieldsOf(store, key), {});
  }),

  ...onOneAndTwoInstances(
    'changes single fields, so that concurrent changes of different ones succeed',
    async (one, two) => {
      const key = uniqueKey();
      await one.create(key, { a: '1', b: '1', c: '1' }, longLife);
      await Promise.all([one.update(key, { a: '2', b: undefined }, longLife), two.update(key, { d: '2' }, longLife)]);
      for (const store of [one, two]) assert.deepEqual(await fieldsOf(store, key), { a: '2', c: '1', d: '2' });
    },
  ),

  onOneInstance('returns fields that later changes do not change', async (store) => {
    const key = uniqueKey();
    await store.create(key, { a: '1' }, longLife);
    const before = await store.read(key, longLife);
    await store.update(key, { a: '2' }, longLife);
    assert.equal(before?.a, '1');
  }),

  onOneInstance('leaves members and log as they are when fields change', async (store) => {
    const key = uniqueKey();
    await store.create(key, { a: '1' }, longLife);
    await store.alter(key, { add: ['a'], remove: [] });
    await store.append(key, 'entry', bounds);
    await store.update(key, { a: '2' }, longLife);
    assert.deepEqual([...(await store.members(key))], ['a']);
    assert.equal((await store.after(key, 0))?.length, 1);
  }),

  onOneInstance('does not create a record by changing it', async (store) => {
    const key = uniqueKey();
    assert.equal(await store.update(key, { a: '1' }, longLife), false);
    assert.equal(await store.append(key, 'entry', bounds), undefined);
    assert.equal(await store.alter(key, { add: ['a'], remove: [] }), false);
    assert.equal(await store.read(key, longLife), undefined);
    assert.equal(await store.after(key, 0), undefined);
    assert.deepEqual([...(await store.members(key))], []);
  }),

  acrossInstances('never restores a record by changing it while another instance removes it', async (one, two) => {
    for (let delay = 0; delay < 10; delay++) {
      const key = uniqueKey();
      await one.create(key, { a: '1' }, longLife);
      const changed = one.update(key, { a: '2' }, longLife);
      for (let each = 0; each < delay; each++) await setImmediate();
      assert.equal(await two.remove(key), true);
      await changed;
      for (const store of [one, two]) assert.equal(await store.read(key, longLife), undefined);
    }
  }),

  ...onOneAndTwoInstances('removes a record with its members and its log', async (one, two) => {
    const key = uniqueKey();
    await one.create(key, { a: '1' }, longLife);
    await one.alter(key, { add: ['a'], remove: [] });
    await one.append(key, 'entry', bounds);
    assert.equal(await two.remove(key), true);
    assert.equal(await two.remove(key), false);
    assert.equal(await one.read(key, longLife), undefined);
    assert.deepEqual([...(await one.members(key))], []);
    assert.equal(await one.after(key, 0), undefined);
  }),

  acrossInstances('reports success to one of two concurrent removals', async (one, two) => {
    const key = uniqueKey();
    await one.create(key, {}, longLife);
    assert.notEqual(await two.read(key, longLife), undefined);
    const removed = await Promise.all([one.remove(key), two.remove(key)]);
    assert.deepEqual(removed.map(String).sort(), ['false', 'true']);
  }),

  ...onOneAndTwoInstances('lets a record be claimed once, if there is none', async (one, two) => {
    const [key, taken] = [uniqueKey(), uniqueKey()];
    assert.equal(await one.claim(key, longLife), true);
    assert.equal(await two.claim(key, longLife), false);
    assert.equal(await one.claim(key, longLife), false);
    await one.create(taken, { a: '1' }, longLife);
    assert.equal(await two.claim(taken, longLife), false);
    assert.deepEqual(await fieldsOf(two, taken), { a: '1' });
  }),

  ...onOneAndTwoInstances('lets one of several concurrent claims succeed', async (one, two) => {
    const key = uniqueKey();
    const claims = await Promise.all([one, two, one, two].map(async (store) => store.claim(key, longLife)));
    assert.equal(claims.filter(Boolean).length, 1);
  }),

  ...onOneAndTwoInstances('lets a record be claimed with fields', async (one, two) => {
    const key = uniqueKey();
    assert.equal(await one.claim(key, longLife, { a: '1' }), true);
    assert.equal(await two.claim(key, longLife, { a: '2' }), false);
    assert.deepEqual(await fieldsOf(two, key), { a: '1' });
  }),

  ...onOneAndTwoInstances('changes a record only if it is as expected', async (one, two) => {
    const key = uniqueKey();
    await one.create(key, { a: '1', b: '1' }, longLife);
    assert.equal(await one.updateIf(key, { a: '1', c: undefined }, { a: '2', b: undefined }, longLife), true);
    assert.equal(await two.updateIf(key, { a: '1' }, { a: '3' }, longLife), 'changed');
    assert.equal(await two.updateIf(key, { a: '2', b: '' }, { a: '3' }, longLife), 'changed');
    assert.equal(await two.updateIf(key, { a: undefined }, { a: '3' }, longLife), 'changed');
    assert.deepEqual(await fieldsOf(two, key), { a: '2' });
    const none = uniqueKey();
    assert.equal(await two.updateIf(none, { a: undefined }, { a: '1' }, longLife), false);
    assert.equal(await two.read(none, longLife), undefined);
  }),

  ...onOneAndTwoInstances('lets one of several concurrent compare-and-set operations succeed', async (one, two) => {
    const key = uniqueKey();
    await one.create(key, { state: 'open' }, longLife);
    const changed = await Promise.all(
      [one, two, one, two].map(async (store, index) =>
        store.updateIf(key, { state: 'open' }, { state: `taken by ${index}` }, longLife),
      ),
    );
    assert.deepEqual(changed.map(String).sort(), ['changed', 'changed', 'changed', 'true']);
    assert.deepEqual(await fieldsOf(two, key), { state: `taken by ${changed.indexOf(true)}` });
  }),

  acrossInstances('keeps the state for other instances when one is closed', async (one, two, open) => {
    const key = uniqueKey();
    const closing = await open();
    await closing.create(key, { a: '1' }, longLife);
    await closing.close();
    for (const store of [one, two]) assert.deepEqual(await fieldsOf(store, key), { a: '1' });
  }),
];
