import { parseCommandLine } from './command-line.ts';
import { serve } from './serve.ts';
import { subcommands } from './subcommands.ts';

const args = process.argv.slice(2);
const words = [args.slice(0, 2), args.slice(0, 1)].find((first) => Object.hasOwn(subcommands, first.join(' ')));
const subcommand = words && subcommands[words.join(' ')];

if (subcommand === undefined) {
  serveOrExplain();
} else {
  subcommand(args.slice(words?.length)).then(finish, fail);
}

function finish(code: number | undefined): void {
  if (code !== undefined) process.exitCode = code;
}

function fail(error: unknown): void {
  process.stderr.write(`ccmcp: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function serveOrExplain(): void {
  const command = parseCommandLine(args, process.env);
  switch (command.kind) {
    case 'print':
      process.stdout.write(command.text);
      break;
    case 'mistake':
      process.stderr.write(`ccmcp: ${command.message}\nTry "ccmcp --help".\n`);
      process.exitCode = 2;
      break;
    case 'serve':
      serve(command);
  }
}
