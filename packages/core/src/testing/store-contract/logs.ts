import assert from 'node:assert/strict';
import type { StoredEntry } from '../../stores/store.ts';
import { onOneInstance, onOneAndTwoInstances, bounds, uniqueKey, longLife, longText } from './case.ts';

function formatEntries(log: readonly StoredEntry[] | undefined): string[] | undefined {
  return log?.map(({ position, entry }) => `${position} ${entry}`);
}

/** Logs of records. */
export const logCases = [
  ...onOneAndTwoInstances('numbers the entries of a log', async (one, two) => {
    const key = uniqueKey();
    await one.create(key, {}, longLife);
    const positions = [];
    for (const store of [one, two, one]) positions.push(await store.append(key, `entry ${positions.length}`, bounds));
    assert.deepEqual(positions, [1, 2, 3]);
    assert.deepEqual(formatEntries(await two.after(key, 0)), ['1 entry 0', '2 entry 1', '3 entry 2']);
    assert.deepEqual(formatEntries(await one.after(key, 2)), ['3 entry 2']);
    assert.deepEqual(formatEntries(await two.after(key, 3)), []);
  }),

  ...onOneAndTwoInstances('numbers concurrent entries differently', async (one, two) => {
    const key = uniqueKey();
    await one.create(key, {}, longLife);
    const entries = Array.from({ length: 20 }, (_, index) => `entry ${index}`);
    const positions = await Promise.all(
      entries.map(async (entry, index) => (index % 2 === 0 ? one : two).append(key, entry, bounds)),
    );
    const expected = entries.map((entry, index) => ({ position: positions[index], entry }));
    expected.sort((a, b) => Number(a.position) - Number(b.position));
    assert.deepEqual(
      expected.map(({ position }) => position),
      entries.map((_, index) => index + 1),
    );
    assert.deepEqual(
      (await two.after(key, 0))?.map(({ position, entry }) => ({ position, entry })),
      expected,
    );
  }),

  ...onOneAndTwoInstances('keeps entries as they are', async (one, two) => {
    const key = uniqueKey();
    const entries = ['', 'ä\n"😀', longText];
    await one.create(key, {}, longLife);
    for (const entry of entries) await one.append(key, entry, bounds);
    assert.deepEqual(
      (await two.after(key, 0))?.map(({ entry }) => entry),
      entries,
    );
  }),

  onOneInstance('returns entries that later ones do not change', async (store) => {
    const key = uniqueKey();
    await store.create(key, {}, longLife);
    await store.append(key, 'a', bounds);
    const before = await store.after(key, 0);
    await store.append(key, 'b', bounds);
    assert.deepEqual(formatEntries(before), ['1 a']);
  }),

  onOneInstance('reports entries of a log that were dropped, or never existed', async (store) => {
    const key = uniqueKey();
    await store.create(key, {}, longLife);
    assert.equal(await store.after(key, 0), undefined);
    for (let each = 1; each <= 5; each++) await store.append(key, String(each), { ...bounds, maxEntries: 2 });
    assert.deepEqual(formatEntries(await store.after(key, 3)), ['4 4', '5 5']);
    assert.equal(await store.after(key, 2), undefined);
    assert.equal(await store.after(key, 6), undefined);
  }),

  onOneInstance('keeps as much of a log as its bounds allow', async (store) => {
    const key = uniqueKey();
    await store.create(key, {}, longLife);
    for (const each of '1234') await store.append(key, each.repeat(10), { ...bounds, maxLength: 20 });
    assert.equal(await store.after(key, 1), undefined);
    assert.equal((await store.after(key, 2))?.length, 2);
    await store.append(key, '5', { ...bounds, maxLength: 20 });
    assert.equal(await store.after(key, 2), undefined);
    assert.equal((await store.after(key, 3))?.length, 2);
  }),

  onOneInstance('always keeps the newest entry of a log', async (store) => {
    const key = uniqueKey();
    await store.create(key, {}, longLife);
    for (const entry of ['a', 'b'.repeat(100)]) await store.append(key, entry, { maxEntries: 0, maxLength: 25 });
    assert.equal(await store.after(key, 0), undefined);
    assert.equal((await store.after(key, 1))?.length, 1);
  }),
];
