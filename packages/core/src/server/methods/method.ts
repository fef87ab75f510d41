import type { Call } from '../call.ts';
import type { Outcome } from '../operation.ts';

/** How one method of the protocol is served. */
export interface Method {
  /** Loads what must be there before the method can run; undefined where it is. */
  prepare?(call: Call): Promise<void> | undefined;
  run(call: Call): Outcome | Promise<Outcome>;
}
