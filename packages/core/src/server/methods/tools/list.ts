import { listFrom } from '../../list.ts';
import type { Method } from '../method.ts';

export const listTools: Method = {
  needs: 'tools',
  run: (call) => listFrom(call, 'tools', call.server.tools),
};
