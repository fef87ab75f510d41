import { listFrom } from '../../../list-page.ts';
import type { Method } from '../../method.ts';

export const listTemplates: Method = {
  run: (call) => listFrom(call, 'resourceTemplates', call.server.templates),
};
