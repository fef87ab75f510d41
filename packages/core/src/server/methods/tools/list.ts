import { listFrom } from '../../list-page.ts';
import type { Method } from '../method.ts';

/** Serves `tools/list`. */
export const listTools: Method = {
  run(call) {
    const { tools, toolDigest } = call.server;
    toolDigest.shown(tools.entries());
    return listFrom(call, 'tools', tools);
  },
};
