import { listFrom } from '../../list-page.ts';
import type { Method } from '../method.ts';

/** Serves `tools/list`. */
export const listTools: Method = {
  run: (call) => listFrom(call, 'tools', call.server.tools),
};
