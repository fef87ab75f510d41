import type { Call, Method } from '../../call/call.ts';
import { viewFor, withLegacyForms, withoutForeign } from '../../lists/list-by-client.ts';
import type { ListView } from '../../lists/list-view.ts';
import { isKept, listFrom, rowsFor } from '../../lists/pagination.ts';
import type { Outcome } from '../../call/operation.ts';
import { writeRows } from '../../lists/list-cache.ts';

/**
 * Serves `tools/list`. Converts schemas of schema libraries in time slices, so that other requests are served
 * meanwhile.
 */
export const listTools: Method = {
  run(call) {
    const { server, peer } = call;
    const shown = withoutForeign(call, viewFor(call, server.catalog.tools));
    const view = withLegacyForms(call, server.access.toolRows(peer, shown), shown);
    const written = isKept(call, view) ? undefined : writeRows(rowsFor(call, shown), () => call.done);
    if (written === undefined) return list(call, view);
    // Tools may have been added meanwhile.
    return written.then(() => (call.done ? {} : listTools.run(call)));
  },
};

function list(call: Call, view: ListView): Outcome {
  const { catalog, toolDigest } = call.server;
  toolDigest.onListed(catalog.tools.list);
  return listFrom(call, 'tools', view);
}
