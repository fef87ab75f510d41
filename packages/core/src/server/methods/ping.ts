import type { Method } from './method.ts';

export const ping: Method = {
  run: () => ({}),
};
