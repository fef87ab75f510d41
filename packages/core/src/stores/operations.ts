import type { Store } from './store.ts';

/**
 * The request-response operations of a store; all but `subscribe` and `close`. `borrowStore` does not compile if one is
 * missing.
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
  'leaseQuota',
] as const satisfies readonly (keyof Store)[];

/** The name of a store operation. */
export type StoreOperation = (typeof storeOperations)[number];
