import type { StoreCase } from './store-contract/case.ts';
import { countCases, leaseCases, quotaCases } from './store-contract/leases-and-quotas.ts';
import { expiryCases } from './store-contract/expiry.ts';
import { logCases } from './store-contract/logs.ts';
import { memberCases } from './store-contract/members.ts';
import { recordCases } from './store-contract/records.ts';
import { topicCases } from './store-contract/topics.ts';

/** What a store must do so that instances of a server can share it: a test of each case is a test of the store. */
export const storeContract: readonly StoreCase[] = [
  ...recordCases,
  ...expiryCases,
  ...leaseCases,
  ...countCases,
  ...quotaCases,
  ...memberCases,
  ...logCases,
  ...topicCases,
];
