import { listFrom } from '../../../list-page.ts';
import { shownTo } from '../../../scopes-listing.ts';
import type { Method } from '../../method.ts';

/** Serves `resources/templates/list`. */
export const listTemplates: Method = {
  run: (call) => listFrom(call, 'resourceTemplates', shownTo(call, call.server.templates)),
};
