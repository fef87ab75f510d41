import { runCommand } from './run-command.ts';

void runCommand(process.argv.slice(2)).then(finish);

function finish(code: number | undefined): void {
  if (code !== undefined) process.exitCode = code;
}
