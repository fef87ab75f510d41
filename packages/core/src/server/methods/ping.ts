import type { Method } from '../call/call.ts';

/** Serves `ping`. */
export const ping: Method = {
  run: () => ({}),
};
