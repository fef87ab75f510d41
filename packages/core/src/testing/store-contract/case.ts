import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Fields, Life, Store } from '../../stores/store.ts';

/** Opens one more instance of a store, as another process would, on the data of all that it opened before. */
export type OpenStore = () => Store | Promise<Store>;

/** One thing that every store must do. */
export interface StoreCase {
  readonly name: string;
  /** How many separate instances it takes to see that. A store that serves one process only can't show those with 2. */
  readonly instances: 1 | 2;
  /** Rejects where the store does not do it. Closes what it opens. */
  run(open: OpenStore): Promise<void>;
}

/** What an instance must do for itself. */
export function onOneInstance(name: string, check: (store: Store) => Promise<void>): StoreCase {
  return { name, instances: 1, run: (open) => withInstance(open, check) };
}

/** What must be so for one instance when another one has done something. */
export function acrossInstances(
  name: string,
  check: (one: Store, two: Store, open: OpenStore) => Promise<void>,
): StoreCase {
  const run = (open: OpenStore): Promise<void> =>
    withInstance(open, (one) =>
      withInstance(open, (two) => {
        assert(one !== two, 'this takes two separate instances, and open() gave the same one twice');
        return check(one, two, open);
      }),
    );
  return { name, instances: 2, run };
}

async function withInstance(open: OpenStore, check: (store: Store) => Promise<void>): Promise<void> {
  const store = await open();
  try {
    await check(store);
  } finally {
    await store.close();
  }
}

/** What must be so whether one instance has done all of it or two have shared the work. */
export function onOneAndTwoInstances(name: string, check: (one: Store, two: Store) => Promise<void>): StoreCase[] {
  return [
    onOneInstance(name, (store) => check(store, store)),
    acrossInstances(`${name}, between two instances`, check),
  ];
}

/** A life that no case outlasts. */
export const longLife: Life = { ttlMs: 60_000, kind: 'test', limit: 1000 };

/** A life that ends while a case waits for it: as `outlast` does. */
export const shortLife: Life = { ...longLife, ttlMs: 20 };

/** Waits for the end of what lives as long as `short`. */
export function waitForExpiry(): Promise<void> {
  return setTimeout(60);
}

/** Lets a moment pass, because a store may order uses by a clock of milliseconds. */
export function waitForTick(): Promise<void> {
  return setTimeout(2);
}

/** What a log may hold where that is not what a case is about. */
export const bounds = { maxEntries: 100, maxLength: 1_000_000 };

/** Longer than what some ways of telling others can carry. */
export const longText = 'long '.repeat(4000);

/** A key, kind or topic that no other case uses. */
export function uniqueKey(): string {
  return `test/${crypto.randomUUID()}`;
}

/** As many of them as are needed. */
export function uniqueKeys(count: number): string[] {
  return Array.from({ length: count }, uniqueKey);
}

/** Waits until a condition holds, for stores that tell their instances a moment later. */
export async function waitUntil(holds: () => boolean, expected: string): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert(tries < 500, `waited in vain until ${expected}`);
    await setTimeout(10);
  }
}

/** The fields of a record as a plain object, to be compared. */
export async function fieldsOf(store: Store, key: string): Promise<Fields | undefined> {
  const fields = await store.read(key, longLife);
  return fields && { ...fields };
}

/** Those of some keys that still have a record, by their index. */
export async function remainingKeys(store: Store, keys: readonly string[], kind: Life): Promise<number[]> {
  const found = [];
  for (const [index, key] of keys.entries()) if ((await store.read(key, kind)) !== undefined) found.push(index);
  return found;
}
