import { candidates, type Command } from '../command/command.ts';
import { formatHelp } from '../command/help-text.ts';
import { helpOption, type Options } from '../command/options.ts';
import { print } from '../terminal/print.ts';
import { serveOptions, serverOptions } from '../servers/serve-options.ts';

const watch = { about: 'reload the file when it changes, or a file that it imports; clients stay connected' };
const examples = ['ccmcp serve ./server.js', 'ccmcp serve ./server.ts --watch --http 8080'];

/** The options that apply to a file. */
const fileOptions: Options = Object.fromEntries(
  Object.entries(serveOptions).filter(([name]) => !Object.hasOwn(serverOptions, name)),
);

/** `ccmcp serve FILE`. */
export const serveFile: Command = {
  name: 'serve',
  usage: 'FILE',
  summary: 'serve your own file; with --watch, reload it when it changes',
  aliases: { run: 'serve FILE', start: 'serve FILE', dev: 'serve FILE --watch', watch: 'serve FILE --watch' },
  options: { watch, ...fileOptions },
  examples,
  help,
  complete: () => candidates([], 'files'),
  async run(args) {
    if (args.some((arg) => arg === '--help' || arg === '-h')) {
      print(help());
      return 0;
    }
    try {
      return await (await import('./serve-file.ts')).serveFile(args);
    } catch (error) {
      const { reportFailure } = await import('../command/report-failure.ts');
      return reportFailure(error, { args, name: 'serve' });
    }
  },
};

function help(): string {
  return formatHelp({
    name: 'serve',
    usage: ['FILE [--watch] [options]'],
    description: `
Serves the server of a file of your own, which has one of two forms:
  - it exports the server, as its default or under the name "server": the server itself, or a function that makes one
  - it serves by itself, with "serveStdio(server)"; a program of another library works too, on stdio and without --watch

The options of "ccmcp --help" for messages and for HTTP apply too.`,
    options: { watch, help: helpOption },
    examples,
  });
}
