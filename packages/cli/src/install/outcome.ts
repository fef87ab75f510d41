import { jsonText } from '../print.ts';
import type { World } from './world.ts';

/** What happened to the configuration of a client. */
export interface Change {
  readonly file: string;
  /** False where there was nothing to do, or nothing was to be done. */
  readonly changed: boolean;
  /** The copy of the file as it was before. */
  readonly backup?: string;
  /** What `--dry-run` would change. */
  readonly diff?: string;
  /** What `--print` prints. */
  readonly entry?: string;
}

/** What `--json` prints of a command that changes a configuration. */
export interface Outcome extends Change {
  readonly client: string;
  readonly servers: readonly string[];
}

/** Runs a command in words or, with `--json`, in silence and with its outcome as one line of JSON. Gives the exit code. */
export function reportOutcome(world: World, json: boolean | undefined, act: (world: World) => Outcome): number {
  const outcome = act(json ? { ...world, print: () => {}, tell: () => {} } : world);
  if (json) world.print(`${jsonText(outcome)}\n`);
  return 0;
}
