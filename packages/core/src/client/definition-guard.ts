import type { Params } from '../jsonrpc/message.ts';
import type { Result } from '../protocol/results.ts';

/** Decides which definitions of a server a program sees and may use. */
export interface DefinitionGuard {
  /** Sends a request unless it uses a definition that is held back, and removes such definitions from its result. */
  request(method: string, params: Params | undefined, send: () => Promise<Result>): Promise<Result>;
  /** True if the program may see the instructions of the server. */
  allowsInstructions(instructions: string | undefined): boolean;
}
