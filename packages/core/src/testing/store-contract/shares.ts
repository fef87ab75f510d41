import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Store } from '../../stores/store.ts';
import { aMoment, alone, both, fresh, left, life, outlast, several, short } from './case.ts';

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

/** Nothing comes into it while a case lasts. */
const still = { size: 10, perMs: 1e-9 };

/** What a store must do so that instances can have their shares of something. */
export const shareCases = [
  ...both('gives the tokens of a bucket to whoever takes them, no more than there are', async (one, two) => {
    const key = fresh();
    assert.equal((await one.take(key, 4, still, life)).taken, 4);
    const { taken, left: rest } = await two.take(key, 4, still, life);
    assert.equal(taken, 4);
    assert.equal(Math.round(rest), 2);
    assert.equal((await one.take(key, 4, still, life)).taken, 2);
    assert.equal((await two.take(key, 1, still, life)).taken, 0);
  }),

  ...both('gives no token twice to several who take some at once', async (one, two) => {
    const key = fresh();
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => (index % 2 === 0 ? one : two).take(key, 1, still, life)),
    );
    assert.equal(
      all.reduce((sum, { taken }) => sum + taken, 0),
      10,
    );
  }),

  ...both('takes tokens back, no more than the bucket holds', async (one, two) => {
    const key = fresh();
    await one.take(key, 5, still, life);
    assert.equal(Math.round((await two.take(key, -3, still, life)).left), 8);
    assert.equal(Math.round((await one.take(key, -30, still, life)).left), 10);
    assert.equal((await two.take(key, 30, still, life)).taken, 10);
  }),

  ...both('lets tokens come back at an even pace, whole ones, until the bucket is full', async (one, two) => {
    const [slow, quick] = [fresh(), fresh()];
    // One in ten seconds, so that however busy the machine is, the bucket does not fill up while the case lasts.
    const pace = { size: 2, perMs: 0.0001 };
    const began = performance.now();
    assert.equal((await one.take(slow, 2, pace, life)).taken, 2);
    await setTimeout(5);
    const { taken, left: rest } = await two.take(slow, 2, pace, life);
    const passed = performance.now() - began;
    assert(
      taken + rest > 0.0003 && taken + rest <= passed * 0.0001 + 0.001,
      `${taken + rest} came back in ${passed} ms`,
    );
    assert.equal(taken, Math.floor(taken + rest + 1e-6), 'whole ones are given');
    await one.take(quick, 2, { size: 2, perMs: 1 }, life);
    await outlast();
    assert.equal((await two.take(quick, 5, { size: 2, perMs: 1 }, life)).taken, 2);
  }),

  ...both('gives places to holders, no more than others leave', async (one, two) => {
    const key = fresh();
    const hold = (store: Store, holder: string, wanted: number) => store.hold(key, holder, { wanted, max: 10 }, life);
    assert.equal(await hold(one, 'one', 6), 6);
    assert.equal(await hold(two, 'two', 6), 4);
    assert.equal(await hold(two, 'three', 1), 0);
    assert.equal(await hold(one, 'one', 2), 2);
    assert.equal(await hold(two, 'two', 9), 8);
    assert.equal(await hold(one, 'one', 0), 0);
    assert.equal(await hold(two, 'two', 20), 10);
  }),

  ...both('gives no place twice to several who want some at once', async (one, two) => {
    const key = fresh();
    const all = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        (index % 2 === 0 ? one : two).hold(key, `${index}`, { wanted: 3, max: 10 }, life),
      ),
    );
    assert.equal(
      all.reduce((sum, held) => sum + held, 0),
      10,
    );
  }),

  ...both('gives the places of a holder who is silent to others, and not those of one who is not', async (one, two) => {
    const key = fresh();
    const all = { wanted: 5, max: 10 };
    await one.hold(key, 'silent', all, short);
    await one.hold(key, 'there', all, life);
    await outlast();
    assert.equal(await two.hold(key, 'new', { wanted: 10, max: 10 }, life), 5);
  }),

  alone('keeps no more buckets and places than there may be of their kind', async (store) => {
    const few = { ...life, kind: fresh(), limit: 2 };
    const keys = several(4);
    for (const [index, key] of keys.entries()) {
      if (index % 2 === 0) await store.take(key, 1, still, few);
      else await store.hold(key, 'one', { wanted: 1, max: 2 }, few);
      await aMoment();
    }
    assert.deepEqual(await left(store, keys, few), [2, 3]);
  }),
];
