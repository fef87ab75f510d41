import { parseCommandLine } from './command-line.ts';
import { serve } from './serve.ts';

const command = parseCommandLine(process.argv.slice(2), process.env);

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
