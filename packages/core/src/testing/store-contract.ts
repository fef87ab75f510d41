import type { StoreCase } from './store-contract/case.ts';
import { countCases, leaseCases, quotaCases } from './store-contract/leases-and-quotas.ts';
import { expiryCases } from './store-contract/expiry.ts';
import { logCases } from './store-contract/logs.ts';
import { memberCases } from './store-contract/members.ts';
import { recordCases } from './store-contract/records.ts';
import { topicCases } from './store-contract/topics.ts';

/** The contract of a store: run each case as a test. */
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
