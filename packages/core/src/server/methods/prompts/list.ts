import { listFrom } from '../../list-page.ts';
import type { Method } from '../method.ts';

/** Serves `prompts/list`. */
export const listPrompts: Method = {
  run: (call) => listFrom(call, 'prompts', call.server.prompts),
};
