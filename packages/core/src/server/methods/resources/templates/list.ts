import { listFrom } from '../../../lists/pagination.ts';
import { viewFor } from '../../../lists/list-by-client.ts';
import type { Method } from '../../../call/call.ts';

/** Serves `resources/templates/list`. */
export const listTemplates: Method = {
  run: (call) => listFrom(call, 'resourceTemplates', viewFor(call, call.server.catalog.templates)),
};
