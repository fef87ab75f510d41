import type { Caller } from '../revisions/revision.ts';

/** How many callers are remembered at most. */
const maxCallers = 100;

/** The longest text of a caller that is remembered. */
const maxLength = 1000;

const known = new Map<string, Caller>();

/** What is kept of a caller whose call goes on aside, once for all who say the same of themselves: most do. */
export function sharedCaller({ revision, capabilities, clientInfo }: Caller): Caller {
  const text = JSON.stringify([revision.version, capabilities, clientInfo]);
  const shared = known.get(text);
  if (shared?.revision === revision) return shared;
  const caller: Caller = { revision, capabilities, clientInfo, logLevel: undefined };
  if (text.length > maxLength) return caller;
  if (known.size === maxCallers) known.clear();
  known.set(text, caller);
  return caller;
}
