import { listFrom } from '../../../lists/pagination.ts';
import { shownTo } from '../../../scopes/list-by-scope.ts';
import type { Method } from '../../method.ts';

/** Serves `resources/templates/list`. */
export const listTemplates: Method = {
  run: (call) => listFrom(call, 'resourceTemplates', shownTo(call, call.server.templates)),
};
