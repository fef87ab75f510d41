import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Fields, Life, Store } from '../../stores/store.ts';

/** Opens another instance of a store on the same data, as another process would. */
export type OpenStore = () => Store | Promise<Store>;

/** A case of the store contract. */
export interface StoreCase {
  readonly name: string;
  /** The number of instances it needs. A store for one process only supports 1. */
  readonly instances: 1 | 2;
  /** Rejects if the store violates the contract. Closes what it opens. */
  run(open: OpenStore): Promise<void>;
}

/** A case with one instance. */
export function onOneInstance(name: string, check: (store: Store) => Promise<void>): StoreCase {
  return { name, instances: 1, run: (open) => withInstance(open, check) };
}

/** A case with two instances. */
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

/** A case that runs with one instance and with two. */
export function onOneAndTwoInstances(name: string, check: (one: Store, two: Store) => Promise<void>): StoreCase[] {
  return [
    onOneInstance(name, (store) => check(store, store)),
    acrossInstances(`${name}, between two instances`, check),
  ];
}

/** A life longer than any case. */
export const longLife: Life = { ttlMs: 60_000, kind: 'test', limit: 1000 };

/** A life that ends during `waitForExpiry`. */
export const shortLife: Life = { ...longLife, ttlMs: 20 };

/** Waits until a `shortLife` has expired. */
export function waitForExpiry(): Promise<void> {
  return setTimeout(60);
}

/** Waits for the next millisecond: a store may order uses by the clock. */
export function waitForTick(): Promise<void> {
  return setTimeout(2);
}

/** Generous log bounds. */
export const bounds = { maxEntries: 100, maxLength: 1_000_000 };

/** Longer than the message limit of some notification channels. */
export const longText = 'long '.repeat(4000);

/** A unique key, kind or topic. */
export function uniqueKey(): string {
  return `test/${crypto.randomUUID()}`;
}

/** Several unique keys. */
export function uniqueKeys(count: number): string[] {
  return Array.from({ length: count }, uniqueKey);
}

/** Polls until a condition holds, for stores with asynchronous notifications. */
export async function waitUntil(holds: () => boolean, expected: string): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert(tries < 500, `waited in vain until ${expected}`);
    await setTimeout(10);
  }
}

/** The fields of a record as a plain object. */
export async function fieldsOf(store: Store, key: string): Promise<Fields | undefined> {
  const fields = await store.read(key, longLife);
  return fields && { ...fields };
}

/** The indexes of the keys that still have a record. */
export async function remainingKeys(store: Store, keys: readonly string[], kind: Life): Promise<number[]> {
  const found = [];
  for (const [index, key] of keys.entries()) if ((await store.read(key, kind)) !== undefined) found.push(index);
  return found;
}
