import type { ClientOptions } from '../client/options.ts';
import type { Output } from '../client/output.ts';
import type { Target } from '../client/target.ts';

/** What a command about logins works with. */
export interface LoginContext {
  target: Target;
  options: ClientOptions;
  output: Output;
  signal: AbortSignal;
}
