import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Life, LogEntry, Store } from '../stores/store.ts';

/** One thing that every store must do. */
export interface StoreCase {
  readonly name: string;
  /** Rejects where the store does not do it. `open` gives another instance of the store, on the same data. */
  run(open: () => Store | Promise<Store>): Promise<void>;
}

const life: Life = { ttlMs: 60_000, kind: 'test', limit: 1000 };
const bounds = { maxEntries: 100, maxLength: 10_000 };

/** A key, kind or topic that no other case uses. */
function fresh(): string {
  return `test/${crypto.randomUUID()}`;
}

/** Waits until a condition holds, for stores that tell their instances a moment later. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert(tries < 500, 'waited for 5 seconds in vain');
    await setTimeout(10);
  }
}

function entriesOf(log: readonly LogEntry[] | undefined): string[] | undefined {
  return log?.map(({ position, entry }) => `${position} ${entry}`);
}

/** What a store must do so that instances of a server can share it: run each case against any implementation. */
export const storeContract: readonly StoreCase[] = [
  {
    name: 'keeps the fields of a record, for every instance',
    async run(open) {
      const [one, two] = [await open(), await open()];
      const key = fresh();
      await one.create(key, { a: '1', 'b c': 'ä\n"' }, life);
      assert.deepEqual({ ...(await two.read(key, life)) }, { a: '1', 'b c': 'ä\n"' });
      assert.equal(await two.read(fresh(), life), undefined);
    },
  },
  {
    name: 'makes a record anew where there is one already',
    async run(open) {
      const store = await open();
      const key = fresh();
      await store.create(key, { a: '1' }, life);
      await store.append(key, 'old', bounds);
      await store.create(key, { b: '2' }, life);
      assert.deepEqual({ ...(await store.read(key, life)) }, { b: '2' });
      assert.equal(await store.after(key, 0), undefined);
    },
  },
  {
    name: 'keeps a record without fields',
    async run(open) {
      const store = await open();
      const key = fresh();
      await store.create(key, {}, life);
      assert.deepEqual({ ...(await store.read(key, life)) }, {});
      assert.equal(await store.update(key, { a: '1' }, life), true);
      assert.equal(await store.update(key, { a: undefined }, life), true);
      assert.deepEqual({ ...(await store.read(key, life)) }, {});
    },
  },
  {
    name: 'changes single fields, so that two who change different ones both succeed',
    async run(open) {
      const [one, two] = [await open(), await open()];
      const key = fresh();
      await one.create(key, { a: '1', b: '1', c: '1' }, life);
      await Promise.all([one.update(key, { a: '2', b: undefined }, life), two.update(key, { d: '2' }, life)]);
      assert.deepEqual({ ...(await one.read(key, life)) }, { a: '2', c: '1', d: '2' });
    },
  },
  {
    name: 'gives fields that later changes do not touch',
    async run(open) {
      const store = await open();
      const key = fresh();
      await store.create(key, { a: '1' }, life);
      const before = await store.read(key, life);
      await store.update(key, { a: '2' }, life);
      assert.equal(before?.a, '1');
    },
  },
  {
    name: 'never brings a record back by changing it',
    async run(open) {
      const store = await open();
      const key = fresh();
      assert.equal(await store.update(key, { a: '1' }, life), false);
      assert.equal(await store.append(key, 'entry', bounds), undefined);
      assert.equal(await store.read(key, life), undefined);
      assert.equal(await store.after(key, 0), undefined);
    },
  },
  {
    name: 'removes a record with its log, for every instance',
    async run(open) {
      const [one, two] = [await open(), await open()];
      const key = fresh();
      await one.create(key, { a: '1' }, life);
      await one.append(key, 'entry', bounds);
      assert.equal(await two.remove(key), true);
      assert.equal(await two.remove(key), false);
      assert.equal(await one.read(key, life), undefined);
      assert.equal(await one.after(key, 0), undefined);
    },
  },
  {
    name: 'forgets a record and its log that nobody used for so long',
    async run(open) {
      const store = await open();
      const key = fresh();
      await store.create(key, { a: '1' }, { ...life, ttlMs: 20 });
      await store.append(key, 'entry', bounds);
      await setTimeout(60);
      assert.equal(await store.update(key, { a: '2' }, life), false);
      assert.equal(await store.append(key, 'entry', bounds), undefined);
      assert.equal(await store.after(key, 0), undefined);
      assert.equal(await store.read(key, life), undefined);
    },
  },
  {
    name: 'counts reading and changing as use',
    async run(open) {
      const store = await open();
      const [read, updated, shortened] = [fresh(), fresh(), fresh()];
      const short = { ...life, ttlMs: 200 };
      await store.create(read, {}, short);
      await store.create(updated, {}, short);
      await store.create(shortened, {}, life);
      await store.read(read, life);
      await store.update(updated, { a: '1' }, life);
      await store.read(shortened, short);
      await setTimeout(300);
      assert.notEqual(await store.read(read, life), undefined);
      assert.notEqual(await store.read(updated, life), undefined);
      assert.equal(await store.read(shortened, life), undefined);
    },
  },
  {
    name: 'drops the least recently used records of a kind that has too many',
    async run(open) {
      const store = await open();
      const few = { ...life, kind: fresh(), limit: 3 };
      const keys = [fresh(), fresh(), fresh(), fresh(), fresh()] as const;
      const other = fresh();
      await store.create(other, {}, { ...life, kind: fresh(), limit: 1 });
      for (const key of keys.slice(0, 3)) await store.create(key, {}, few);
      // A store may order uses by the clock.
      await setTimeout(2);
      await store.read(keys[0], few);
      await setTimeout(2);
      await store.create(keys[3], {}, few);
      await store.create(keys[4], {}, few);
      const left = [];
      for (const key of keys) if ((await store.read(key, few)) !== undefined) left.push(keys.indexOf(key));
      assert.deepEqual(left, [0, 3, 4]);
      assert.notEqual(await store.read(other, life), undefined);
    },
  },
  {
    name: 'drops records that are in use last',
    async run(open) {
      const store = await open();
      const few = { ...life, kind: fresh(), limit: 2 };
      const busy = fresh();
      await store.create(busy, {}, few);
      await store.read(busy, { ...few, busyMs: 60_000 });
      const idle = [fresh(), fresh(), fresh(), fresh()];
      for (const key of idle) {
        await setTimeout(2);
        await store.create(key, {}, few);
      }
      assert.notEqual(await store.read(busy, few), undefined);
      const left = [];
      for (const key of idle) if ((await store.read(key, few)) !== undefined) left.push(key);
      assert.deepEqual(left, idle.slice(-1));
    },
  },
  {
    name: 'drops one of them all the same where all are in use',
    async run(open) {
      const store = await open();
      const few = { ...life, kind: fresh(), limit: 2, busyMs: 60_000 };
      const keys = [fresh(), fresh(), fresh()];
      for (const key of keys) {
        await store.create(key, {}, few);
        await setTimeout(2);
      }
      const left = [];
      for (const key of keys) if ((await store.read(key, few)) !== undefined) left.push(key);
      assert.deepEqual(left, keys.slice(1));
    },
  },
  {
    name: 'keeps the members of a record, for every instance',
    async run(open) {
      const [one, two] = [await open(), await open()];
      const key = fresh();
      await one.create(key, {}, life);
      assert.deepEqual([...(await one.members(key))], []);
      assert.equal(await one.alter(key, { add: ['a', 'b', 'ä b'], remove: [] }), true);
      assert.equal(await two.alter(key, { add: ['c', 'a'], remove: ['b', 'never there'] }), true);
      assert.deepEqual([...(await one.members(key))].sort(), ['a', 'c', 'ä b']);
      assert.deepEqual({ ...(await one.read(key, life)) }, {});
    },
  },
  {
    name: 'gives members that later changes do not touch',
    async run(open) {
      const store = await open();
      const key = fresh();
      await store.create(key, {}, life);
      await store.alter(key, { add: ['a'], remove: [] });
      const before = await store.members(key);
      await store.alter(key, { add: ['b'], remove: ['a'] });
      assert.deepEqual([...before], ['a']);
    },
  },
  {
    name: 'has no members without a record, and forgets them with it',
    async run(open) {
      const store = await open();
      const key = fresh();
      assert.equal(await store.alter(key, { add: ['a'], remove: [] }), false);
      assert.deepEqual([...(await store.members(key))], []);
      await store.create(key, {}, life);
      await store.alter(key, { add: ['a'], remove: [] });
      await store.remove(key);
      assert.deepEqual([...(await store.members(key))], []);
      await store.create(key, {}, { ...life, ttlMs: 20 });
      assert.deepEqual([...(await store.members(key))], []);
      await store.alter(key, { add: ['a'], remove: [] });
      await setTimeout(60);
      assert.deepEqual([...(await store.members(key))], []);
    },
  },
  {
    name: 'numbers the entries of a log, whoever adds them',
    async run(open) {
      const [one, two] = [await open(), await open()];
      const key = fresh();
      await one.create(key, {}, life);
      const positions = [];
      for (const store of [one, two, one]) positions.push(await store.append(key, `entry ${positions.length}`, bounds));
      assert.deepEqual(positions, [1, 2, 3]);
      assert.deepEqual(entriesOf(await two.after(key, 0)), ['1 entry 0', '2 entry 1', '3 entry 2']);
      assert.deepEqual(entriesOf(await one.after(key, 2)), ['3 entry 2']);
      assert.deepEqual(entriesOf(await one.after(key, 3)), []);
    },
  },
  {
    name: 'gives every entry its own number when several are added at once',
    async run(open) {
      const [one, two] = [await open(), await open()];
      const key = fresh();
      await one.create(key, {}, life);
      const append = async (store: Store): Promise<number | undefined> => store.append(key, 'x', bounds);
      const positions = await Promise.all(
        Array.from({ length: 20 }, (_, index) => append(index % 2 === 0 ? one : two)),
      );
      assert.deepEqual(
        positions.sort((a, b) => Number(a) - Number(b)),
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
    },
  },
  {
    name: 'says where entries of a log are gone, or never were',
    async run(open) {
      const store = await open();
      const key = fresh();
      await store.create(key, {}, life);
      assert.equal(await store.after(key, 0), undefined);
      for (let each = 1; each <= 5; each++) await store.append(key, String(each), { ...bounds, maxEntries: 2 });
      assert.deepEqual(entriesOf(await store.after(key, 3)), ['4 4', '5 5']);
      assert.equal(await store.after(key, 2), undefined);
      assert.equal(await store.after(key, 6), undefined);
    },
  },
  {
    name: 'keeps no more of a log than it may, but always the newest entry',
    async run(open) {
      const store = await open();
      const key = fresh();
      await store.create(key, {}, life);
      for (let each = 1; each <= 4; each++) {
        await store.append(key, String(each).repeat(10), { ...bounds, maxLength: 25 });
      }
      assert.equal(await store.after(key, 1), undefined);
      assert.equal((await store.after(key, 2))?.length, 2);
      await store.append(key, 'x'.repeat(100), { ...bounds, maxLength: 25 });
      assert.deepEqual((await store.after(key, 4))?.length, 1);
    },
  },
  {
    name: 'tells every subscriber of a topic on every instance, each once and in order',
    async run(open) {
      const [one, two] = [await open(), await open()];
      const topic = fresh();
      const heard: string[][] = [[], [], []];
      await one.subscribe(topic, (message) => heard[0]?.push(message));
      await one.subscribe(topic, (message) => heard[1]?.push(message));
      await two.subscribe(topic, (message) => heard[2]?.push(message));
      await two.subscribe(fresh(), () => assert.fail('this is about another topic'));
      const messages = Array.from({ length: 50 }, (_, index) => `message ${index}`);
      for (const message of messages) await one.publish(topic, message);
      await until(() => heard.every((each) => each.length >= messages.length));
      assert.deepEqual(heard, [messages, messages, messages]);
    },
  },
  {
    name: 'keeps the order for a subscriber that publishes while it is told',
    async run(open) {
      const store = await open();
      const topic = fresh();
      const heard: string[] = [];
      await store.subscribe(topic, (message) => {
        if (message === 'first') void store.publish(topic, 'second');
      });
      await store.subscribe(topic, (message) => heard.push(message));
      await store.publish(topic, 'first');
      await until(() => heard.length === 2);
      assert.deepEqual(heard, ['first', 'second']);
    },
  },
  {
    name: 'tells nothing to those who stopped listening',
    async run(open) {
      const store = await open();
      const topic = fresh();
      const heard: string[] = [];
      const listener = (message: string): void => void heard.push(message);
      const stop = await store.subscribe(topic, listener);
      await store.subscribe(topic, listener);
      await store.publish(topic, 'both');
      await until(() => heard.length === 2);
      stop();
      stop();
      await store.publish(topic, 'one');
      await until(() => heard.length === 3);
      assert.deepEqual(heard, ['both', 'both', 'one']);
    },
  },
];
