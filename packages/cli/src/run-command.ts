import { type CommandLineMistake, parseCommandLine } from './serve/serve-options.ts';
import { Misuse } from './command/usage-error.ts';
import { print } from './terminal/print.ts';
import { serve } from './serve/serve.ts';
import { subcommands } from './command/commands.ts';
import { tellFailure } from './command/report-failure.ts';

/**
 * Runs a command line. Gives the exit code, or undefined where the process goes on by itself: a server has been started
 * before this returns, where that is possible.
 */
export async function runCommand(given: readonly string[]): Promise<number | undefined> {
  try {
    const args = withOptions(given);
    const words = [args.slice(0, 2), args.slice(0, 1)].find((first) => Object.hasOwn(subcommands, first.join(' ')));
    const subcommand = words && subcommands[words.join(' ')];
    return await (subcommand === undefined ? serveOrExplain(args) : subcommand(args.slice(words?.length)));
  } catch (error) {
    return tellFailure(error, { args: given });
  }
}

/** Many tools take `help`, `help COMMAND` and `version` as words. */
function withOptions([first, ...rest]: readonly string[]): string[] {
  if (first === 'help') return [...rest, '--help'];
  if (first === 'version') return ['--version'];
  return first === undefined ? [] : [first, ...rest];
}

function serveOrExplain(args: readonly string[]): Promise<number> | undefined {
  const command = parseCommandLine(args, process.env);
  switch (command.kind) {
    case 'print':
      print(command.text);
      break;
    case 'mistake':
      return explainMistake(command, args);
    case 'serve':
      serve(command);
  }
  return undefined;
}

async function explainMistake(mistake: CommandLineMistake, args: readonly string[]): Promise<number> {
  const { explained } = await import('./command/migration-hints.ts');
  const commands = [...Object.keys(subcommands), 'help', 'version'].filter((name) => !name.includes(' '));
  return tellFailure(new Misuse(explained(mistake, commands)), { args });
}
