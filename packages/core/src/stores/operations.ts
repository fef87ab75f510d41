import type { Store } from './store.ts';

/**
 * The operations of a store that are a question and an answer; `subscribe` and `close` are more than that. `borrowStore` does
 * not compile where one is missing.
 */
export const storeOperations = [
  'create',
  'claim',
  'read',
  'update',
  'updateIf',
  'remove',
  'members',
  'alter',
  'append',
  'after',
  'publish',
  'lease',
  'release',
  'count',
  'take',
  'hold',
] as const satisfies readonly (keyof Store)[];

/** The name of one of them. */
export type StoreOperation = (typeof storeOperations)[number];
