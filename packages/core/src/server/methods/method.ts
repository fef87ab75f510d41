import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Call } from '../call/call.ts';
import type { Outcome } from '../call/operation.ts';

/** How one method of the protocol is served. */
export interface Method {
  /** Loads what must be there before the method can run; undefined where it is. */
  prepare?(call: Call): Promise<void> | undefined;
  /** The scopes that a call demands, as far as they are known before its arguments are checked. */
  scopes?(call: Call): readonly string[] | undefined;
  /** All scopes that a call demands, where its arguments say more; undefined where they are wrong. */
  allScopes?(call: Call): Awaitable<readonly string[] | undefined>;
  run(call: Call): Outcome | Promise<Outcome>;
}
