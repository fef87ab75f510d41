import { createLock, type Lock, type LockedServer } from '@ccmcp/core/contracts';
import { type TargetOutcome, useEachTarget } from '../client/connection/each-target.ts';
import { defaultLock } from '../client/connection/default-lock.ts';
import type { CommandCall } from '../client/context.ts';
import { Failure } from '../command/failure.ts';
import { isRegularFile } from '../config/file/regular-file.ts';

/** What a server offers now, by the name of its target in a lock. */
export interface LiveServer {
  readonly name: string;
  readonly server: LockedServer;
}

/** Reads what the targets of the command line offer. With `--as`, the only one has that name. */
export async function readLive(call: CommandCall): Promise<TargetOutcome<LiveServer>[]> {
  const { words, command, options } = call.words;
  const count = words.length + (command === undefined ? 0 : 1);
  if (options.as !== undefined && count !== 1) throw new Failure('usage', '--as names one target: give exactly one');
  const { lock: _, ...unpinned } = options;
  return useEachTarget({ ...call, words: { ...call.words, options: unpinned } }, async (client, label) => {
    const name = options.as ?? label;
    const { targets } = await createLock({ [name]: client });
    return { name, server: targets[name] as LockedServer };
  });
}

/** The same command line, with the targets of a lock. */
export function withTargetsOf(call: CommandCall, { targets }: Lock): CommandCall {
  const words = Object.keys(targets);
  const started = words.find((word) => /\s/.test(word) && !isRegularFile(word));
  if (started !== undefined) {
    throw new Failure('usage', `The lock has the command "${started}", which is not run by itself`, {
      hint: `Name the targets, such as "ccmcp ${call.words.options.check ? 'lock --check' : 'diff'} -- ${started}".`,
    });
  }
  return { ...call, words: { ...call.words, words } };
}

/** True if the command line names a target. */
export function namesTarget({ words: { words, command } }: CommandCall): boolean {
  return words.length > 0 || command !== undefined;
}

/** The lock that a command reads. */
export function lockPath({ words: { options } }: CommandCall): string {
  return options.lock ?? options.output ?? defaultLock;
}
