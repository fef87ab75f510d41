import type { StoreCase } from './store-contract/case.ts';
import { countCases } from './store-contract/shares.ts';
import { leaseCases } from './store-contract/shares.ts';
import { lifeCases } from './store-contract/lives.ts';
import { logCases } from './store-contract/logs.ts';
import { memberCases } from './store-contract/members.ts';
import { recordCases } from './store-contract/records.ts';
import { shareCases } from './store-contract/shares.ts';
import { topicCases } from './store-contract/topics.ts';

/** What a store must do so that instances of a server can share it: a test of each case is a test of the store. */
export const storeContract: readonly StoreCase[] = [
  ...recordCases,
  ...lifeCases,
  ...leaseCases,
  ...countCases,
  ...shareCases,
  ...memberCases,
  ...logCases,
  ...topicCases,
];
