import { listFrom } from '../../list-page.ts';
import type { Method } from '../method.ts';

export const listTools: Method = {
  run: (call) => listFrom(call, 'tools', call.server.tools),
};
