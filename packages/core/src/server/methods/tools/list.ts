import type { Call } from '../../call.ts';
import { isKept, listFrom, rowsFor } from '../../list-page.ts';
import type { Outcome } from '../../operation.ts';
import { whenWritten } from '../../written-listings.ts';
import type { Method } from '../method.ts';

/** Serves `tools/list`. Where many schemas of a library are to be written for it first, others are served meanwhile. */
export const listTools: Method = {
  run(call) {
    const { tools } = call.server;
    const written = isKept(call) ? undefined : whenWritten(rowsFor(call, tools), () => call.done);
    if (written === undefined) return list(call);
    // Tools may have been added while it lasted.
    return written.then(() => (call.done ? {} : listTools.run(call)));
  },
};

function list(call: Call): Outcome {
  const { tools, toolDigest } = call.server;
  toolDigest.shown(tools.list);
  return listFrom(call, 'tools', tools);
}
