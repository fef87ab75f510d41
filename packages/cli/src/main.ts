import { type CommandLineMistake, parseCommandLine } from './command-line.ts';
import { print, tell } from './print.ts';
import { serve } from './serve.ts';
import { subcommands } from './subcommands.ts';

const args = withOptions(process.argv.slice(2));
const words = [args.slice(0, 2), args.slice(0, 1)].find((first) => Object.hasOwn(subcommands, first.join(' ')));
const subcommand = words && subcommands[words.join(' ')];

if (subcommand === undefined) {
  serveOrExplain();
} else {
  subcommand(args.slice(words?.length)).then(finish, fail);
}

/** Many tools take `help`, `help COMMAND` and `version` as words. */
function withOptions([first, ...rest]: readonly string[]): string[] {
  if (first === 'help') return [...rest, '--help'];
  if (first === 'version') return ['--version'];
  return first === undefined ? [] : [first, ...rest];
}

function finish(code: number | undefined): void {
  if (code !== undefined) process.exitCode = code;
}

function fail(error: unknown): void {
  tell(`ccmcp: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function explainMistake(mistake: CommandLineMistake): Promise<number> {
  const { explained } = await import('./hints.ts');
  const commands = [...Object.keys(subcommands), 'help', 'version'].filter((name) => !name.includes(' '));
  tell(`ccmcp: ${explained(mistake, commands)}\nTry "ccmcp --help".\n`);
  return 2;
}

function serveOrExplain(): void {
  const command = parseCommandLine(args, process.env);
  switch (command.kind) {
    case 'print':
      print(command.text);
      break;
    case 'mistake':
      explainMistake(command).then(finish, fail);
      break;
    case 'serve':
      serve(command);
  }
}
