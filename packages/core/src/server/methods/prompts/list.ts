import { listFrom } from '../../list-page.ts';
import { shownTo } from '../../scopes-listing.ts';
import type { Method } from '../method.ts';

/** Serves `prompts/list`. */
export const listPrompts: Method = {
  run: (call) => listFrom(call, 'prompts', shownTo(call, call.server.prompts)),
};
