import { auditCommands } from '../audit/commands.ts';
import { clientCommands, loginCommands } from '../client/commands.ts';
import { completionCommands } from '../completion/commands.ts';
import { installCommands } from '../install/commands.ts';
import { projectCommands } from '../new/commands.ts';
import { notesCommands } from '../notes/commands.ts';
import { topCommands } from '../top/commands.ts';
import type { Command, CommandGroup } from './command.ts';

/**
 * Every command of `ccmcp`, in the order of the help. Dispatch, `--help`, completion, hints and the check of docs/command.md
 * read this. The commands load their modules when they run.
 */
export const commandGroups: readonly CommandGroup[] = [
  projectCommands,
  clientCommands,
  loginCommands,
  installCommands,
  topCommands,
  auditCommands,
  notesCommands,
  completionCommands,
];

/** The same without groups. */
export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands);

/** The command that the first two words, or the first, name. */
export function findCommand(args: readonly string[]): Command | undefined {
  const named = (length: number) => commands.find(({ name }) => name === args.slice(0, length).join(' '));
  return named(2) ?? named(1);
}
