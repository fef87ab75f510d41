import type { Method } from './method.ts';

/** Serves `ping`. */
export const ping: Method = {
  run: () => ({}),
};
