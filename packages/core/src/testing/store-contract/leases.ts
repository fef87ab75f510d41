import assert from 'node:assert/strict';
import { alone, both, fresh, life, outlast, short } from './case.ts';

/** What a store must do so that one of many does something, until it is done or gone. */
export const leaseCases = [
  ...both('gives a lease to one holder, who may prolong it and give it back', async (one, two) => {
    const key = fresh();
    assert.equal(await one.lease(key, 'one', life), true);
    assert.equal(await two.lease(key, 'two', life), false);
    assert.equal(await two.release(key, 'two'), false);
    assert.equal(await one.lease(key, 'one', life), true);
    assert.equal((await two.read(key, life))?.holder, 'one');
    assert.equal(await one.release(key, 'one'), true);
    assert.equal(await one.release(key, 'one'), false);
    assert.equal(await two.lease(key, 'two', life), true);
  }),

  ...both('gives a lease to one of several who try at once', async (one, two) => {
    const key = fresh();
    const held = await Promise.all(
      [one, two, one, two].map(async (store, index) => store.lease(key, `${index}`, life)),
    );
    assert.equal(held.filter(Boolean).length, 1);
    assert.equal((await two.read(key, life))?.holder, String(held.indexOf(true)));
  }),

  ...both('gives a lease to another when it has expired, and not where it was prolonged', async (one, two) => {
    const [ended, prolonged] = [fresh(), fresh()];
    await one.lease(ended, 'one', short);
    await one.lease(prolonged, 'one', life);
    await one.lease(prolonged, 'one', { ...life, ttlMs: 30_000 });
    await outlast();
    assert.equal(await two.lease(ended, 'two', life), true);
    assert.equal(await one.release(ended, 'one'), false);
    assert.equal(await two.lease(prolonged, 'two', life), false);
  }),

  alone('prolongs a lease by the time that is said, also by a shorter one', async (store) => {
    const key = fresh();
    await store.lease(key, 'one', life);
    await store.lease(key, 'one', short);
    await outlast();
    assert.equal(await store.lease(key, 'two', life), true);
  }),
];
