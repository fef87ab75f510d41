import type { Call } from '../../call/call.ts';
import { withoutForeign } from '../../lists/list-by-client.ts';
import { withFormerForms } from '../../lists/list-by-client.ts';
import { isKept, listFrom, type ListView, rowsFor } from '../../lists/pagination.ts';
import type { Outcome } from '../../call/operation.ts';
import { shownTo, withSchemes } from '../../scopes/list-by-scope.ts';
import { whenWritten } from '../../lists/list-cache.ts';
import type { Method } from '../method.ts';

/** Serves `tools/list`. Where many schemas of a library are to be written for it first, others are served meanwhile. */
export const listTools: Method = {
  run(call) {
    const shown = withoutForeign(call, shownTo(call, call.server.tools));
    const view = withFormerForms(call, withSchemes(call, shown), shown);
    const written = isKept(call, view) ? undefined : whenWritten(rowsFor(call, shown), () => call.done);
    if (written === undefined) return list(call, view);
    // Tools may have been added while it lasted.
    return written.then(() => (call.done ? {} : listTools.run(call)));
  },
};

function list(call: Call, view: ListView): Outcome {
  const { tools, toolDigest } = call.server;
  toolDigest.shown(tools.list);
  return listFrom(call, 'tools', view);
}
