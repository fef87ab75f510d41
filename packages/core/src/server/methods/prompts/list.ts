import { listFrom } from '../../lists/pagination.ts';
import { shownTo } from '../../scopes/list-by-scope.ts';
import type { Method } from '../method.ts';

/** Serves `prompts/list`. */
export const listPrompts: Method = {
  run: (call) => listFrom(call, 'prompts', shownTo(call, call.server.prompts)),
};
