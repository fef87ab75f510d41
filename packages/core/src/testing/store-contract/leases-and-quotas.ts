import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Store } from '../../stores/store.ts';
import {
  waitForTick,
  onOneInstance,
  onOneAndTwoInstances,
  uniqueKey,
  remainingKeys,
  longLife,
  waitForExpiry,
  uniqueKeys,
  shortLife,
} from './case.ts';

/** Leases. */
export const leaseCases = [
  ...onOneAndTwoInstances('grants a lease to one holder, who can renew and release it', async (one, two) => {
    const key = uniqueKey();
    assert.equal(await one.lease(key, 'one', longLife), true);
    assert.equal(await two.lease(key, 'two', longLife), false);
    assert.equal(await two.release(key, 'two'), false);
    assert.equal(await one.lease(key, 'one', longLife), true);
    assert.equal((await two.read(key, longLife))?.holder, 'one');
    assert.equal(await one.release(key, 'one'), true);
    assert.equal(await one.release(key, 'one'), false);
    assert.equal(await two.lease(key, 'two', longLife), true);
  }),

  ...onOneAndTwoInstances('grants a lease to one of several concurrent holders', async (one, two) => {
    const key = uniqueKey();
    const held = await Promise.all(
      [one, two, one, two].map(async (store, index) => store.lease(key, `${index}`, longLife)),
    );
    assert.equal(held.filter(Boolean).length, 1);
    assert.equal((await two.read(key, longLife))?.holder, String(held.indexOf(true)));
  }),

  ...onOneAndTwoInstances('grants an expired lease to another holder, and not a renewed one', async (one, two) => {
    const [ended, prolonged] = [uniqueKey(), uniqueKey()];
    await one.lease(ended, 'one', shortLife);
    await one.lease(prolonged, 'one', longLife);
    await one.lease(prolonged, 'one', { ...longLife, ttlMs: 30_000 });
    await waitForExpiry();
    assert.equal(await two.lease(ended, 'two', longLife), true);
    assert.equal(await one.release(ended, 'one'), false);
    assert.equal(await two.lease(prolonged, 'two', longLife), false);
  }),

  onOneInstance('renews a lease for the given time, even a shorter one', async (store) => {
    const key = uniqueKey();
    await store.lease(key, 'one', longLife);
    await store.lease(key, 'one', shortLife);
    await waitForExpiry();
    assert.equal(await store.lease(key, 'two', longLife), true);
  }),
];

/** Shared counters. */
export const countCases = [
  ...onOneAndTwoInstances('counts concurrent additions', async (one, two) => {
    const key = uniqueKey();
    const counted = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => (index % 2 === 0 ? one : two).count(key, 1, longLife)),
    );
    const numbers = counted.map(({ count }) => count).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      counted.map((_, index) => index + 1),
    );
    assert.equal((await two.count(key, 30, longLife)).count, 50);
    assert.equal((await one.count(key, 0, longLife)).count, 50);
  }),

  ...onOneAndTwoInstances('counts from zero after the lifetime of a counter', async (one, two) => {
    const [ended, kept] = [uniqueKey(), uniqueKey()];
    assert.equal((await one.count(ended, 5, shortLife)).count, 5);
    assert.equal((await one.count(kept, 5, longLife)).count, 5);
    await waitForExpiry();
    assert.equal((await two.count(ended, 1, longLife)).count, 1);
    assert.equal((await two.count(kept, 1, longLife)).count, 6);
  }),

  onOneInstance('does not extend the lifetime of a counter by counting', async (store) => {
    const key = uniqueKey();
    const first = await store.count(key, 1, longLife);
    assert(first.leftMs > 0 && first.leftMs <= longLife.ttlMs, 'it counts for as long as was said');
    await waitForTick();
    await waitForTick();
    const second = await store.count(key, 1, { ...longLife, ttlMs: 2 * longLife.ttlMs });
    assert(second.leftMs > 0 && second.leftMs < first.leftMs, 'counting must not prolong the time');
  }),

  onOneInstance('keeps no more counters and leases than their kind allows', async (store) => {
    const few = { ...longLife, kind: uniqueKey(), limit: 2 };
    const keys = uniqueKeys(4);
    for (const [index, key] of keys.entries()) {
      if (index % 2 === 0) await store.count(key, 1, few);
      else await store.lease(key, 'one', few);
      await waitForTick();
    }
    assert.deepEqual(await remainingKeys(store, keys, few), [2, 3]);
  }),
];

/** A bucket that practically does not refill during a case. */
const still = { size: 10, perMs: 1e-9 };

/** Token buckets and quota leases. */
export const quotaCases = [
  ...onOneAndTwoInstances('grants the tokens of a bucket, no more than it has', async (one, two) => {
    const key = uniqueKey();
    assert.equal((await one.take(key, 4, still, longLife)).taken, 4);
    const { taken, left: rest } = await two.take(key, 4, still, longLife);
    assert.equal(taken, 4);
    assert.equal(Math.round(rest), 2);
    assert.equal((await one.take(key, 4, still, longLife)).taken, 2);
    assert.equal((await two.take(key, 1, still, longLife)).taken, 0);
  }),

  ...onOneAndTwoInstances('grants no token twice to concurrent takers', async (one, two) => {
    const key = uniqueKey();
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => (index % 2 === 0 ? one : two).take(key, 1, still, longLife)),
    );
    assert.equal(
      all.reduce((sum, { taken }) => sum + taken, 0),
      10,
    );
  }),

  ...onOneAndTwoInstances('takes tokens back, no more than the bucket holds', async (one, two) => {
    const key = uniqueKey();
    await one.take(key, 5, still, longLife);
    assert.equal(Math.round((await two.take(key, -3, still, longLife)).left), 8);
    assert.equal(Math.round((await one.take(key, -30, still, longLife)).left), 10);
    assert.equal((await two.take(key, 30, still, longLife)).taken, 10);
  }),

  ...onOneAndTwoInstances(
    'refills a bucket with whole tokens at a constant rate, until it is full',
    async (one, two) => {
      const [slow, quick] = [uniqueKey(), uniqueKey()];
      // One in ten seconds, so that however busy the machine is, the bucket does not fill up while the case lasts.
      const pace = { size: 2, perMs: 0.0001 };
      const began = performance.now();
      assert.equal((await one.take(slow, 2, pace, longLife)).taken, 2);
      await setTimeout(5);
      const { taken, left: rest } = await two.take(slow, 2, pace, longLife);
      const passed = performance.now() - began;
      assert(
        taken + rest > 0.0003 && taken + rest <= passed * 0.0001 + 0.001,
        `${taken + rest} came back in ${passed} ms`,
      );
      assert.equal(taken, Math.floor(taken + rest + 1e-6), 'whole ones are given');
      await one.take(quick, 2, { size: 2, perMs: 1 }, longLife);
      await waitForExpiry();
      assert.equal((await two.take(quick, 5, { size: 2, perMs: 1 }, longLife)).taken, 2);
    },
  ),

  ...onOneAndTwoInstances('leases no more quota to a holder than others leave', async (one, two) => {
    const key = uniqueKey();
    const leaseQuota = (store: Store, holder: string, wanted: number) =>
      store.leaseQuota(key, holder, { wanted, max: 10 }, longLife);
    assert.equal(await leaseQuota(one, 'one', 6), 6);
    assert.equal(await leaseQuota(two, 'two', 6), 4);
    assert.equal(await leaseQuota(two, 'three', 1), 0);
    assert.equal(await leaseQuota(one, 'one', 2), 2);
    assert.equal(await leaseQuota(two, 'two', 9), 8);
    assert.equal(await leaseQuota(one, 'one', 0), 0);
    assert.equal(await leaseQuota(two, 'two', 20), 10);
  }),

  ...onOneAndTwoInstances('grants no quota twice to concurrent holders', async (one, two) => {
    const key = uniqueKey();
    const all = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        (index % 2 === 0 ? one : two).leaseQuota(key, `${index}`, { wanted: 3, max: 10 }, longLife),
      ),
    );
    assert.equal(
      all.reduce((sum, held) => sum + held, 0),
      10,
    );
  }),

  ...onOneAndTwoInstances('regrants the quota of an expired holder, and not that of a live one', async (one, two) => {
    const key = uniqueKey();
    const all = { wanted: 5, max: 10 };
    await one.leaseQuota(key, 'silent', all, shortLife);
    await one.leaseQuota(key, 'there', all, longLife);
    await waitForExpiry();
    assert.equal(await two.leaseQuota(key, 'new', { wanted: 10, max: 10 }, longLife), 5);
  }),

  onOneInstance('keeps no more buckets and quota leases than their kind allows', async (store) => {
    const few = { ...longLife, kind: uniqueKey(), limit: 2 };
    const keys = uniqueKeys(4);
    for (const [index, key] of keys.entries()) {
      if (index % 2 === 0) await store.take(key, 1, still, few);
      else await store.leaseQuota(key, 'one', { wanted: 1, max: 2 }, few);
      await waitForTick();
    }
    assert.deepEqual(await remainingKeys(store, keys, few), [2, 3]);
  }),
];
