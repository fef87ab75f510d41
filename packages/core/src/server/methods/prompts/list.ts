import { listFrom } from '../../lists/pagination.ts';
import { viewFor } from '../../lists/list-by-client.ts';
import type { Method } from '../../call/call.ts';

/** Serves `prompts/list`. */
export const listPrompts: Method = {
  run: (call) => listFrom(call, 'prompts', viewFor(call, call.server.catalog.prompts)),
};
