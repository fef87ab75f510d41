import { listFrom } from '../../list-page.ts';
import type { Method } from '../method.ts';

export const listPrompts: Method = {
  run: (call) => listFrom(call, 'prompts', call.server.prompts),
};
