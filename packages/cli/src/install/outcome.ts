import { stringifyDeep } from '../terminal/print.ts';
import type { Environment } from '../util/environment.ts';

/** A change to the configuration of a client. */
export interface Change {
  readonly file: string;
  /** False where there was nothing to do, or the options forbid it. */
  readonly changed: boolean;
  /** The path of the backup. */
  readonly backup?: string;
  /** The diff that `--dry-run` prints. */
  readonly diff?: string;
  /** The entry that `--print` prints. */
  readonly entry?: string;
}

/** The result that `--json` prints for a command that changes a configuration. */
export interface Outcome extends Change {
  readonly client: string;
  readonly servers: readonly string[];
}

/** Runs a command. With `--json` it prints nothing but its outcome, as one line of JSON. Returns the exit code. */
export function reportOutcome(
  environment: Environment,
  json: boolean | undefined,
  act: (environment: Environment) => Outcome,
): number {
  const outcome = act(json ? { ...environment, print: () => {}, printStderr: () => {} } : environment);
  if (json) environment.print(`${stringifyDeep(outcome)}\n`);
  return 0;
}
