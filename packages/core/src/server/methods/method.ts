import type { Call } from '../call.ts';
import type { Outcome } from '../server.ts';

/** How one method of the protocol is served. */
export interface Method {
  /** What the server must offer; without it the method does not exist there. */
  needs?: 'tools' | 'resources' | 'prompts' | 'completions';
  /** Loads what must be there before the method can run; undefined where it is. */
  prepare?(call: Call): Promise<void> | undefined;
  run(call: Call): Outcome | Promise<Outcome>;
}
