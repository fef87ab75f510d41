import { candidates, type Command } from '../command/command.ts';
import { defineCommand } from '../command/define-command.ts';
import { formatHelp } from '../command/help-text.ts';
import { helpOption, type Option, type Options, readOptions } from '../command/options.ts';
import { reportFailure } from '../command/report-failure.ts';
import { explainUnknownOption } from '../command/suggest.ts';
import { UnknownOptionError } from '../command/usage-error.ts';
import { serveOptions, serverOptions } from '../servers/serve-options.ts';
import { processEnvironment } from '../system/environment.ts';
import { print } from '../terminal/print.ts';

const from = {
  value: 'CLIENTS',
  about: 'take over the servers that these clients have configured, such as cursor,claude-code',
} as const satisfies Option;

const name = 'gateway';
const examples = ['ccmcp gateway servers.json', 'ccmcp gateway --from cursor,claude-code --http 8080 --admin 9464'];

/** The options of serving that apply to a gateway. */
const serving: Options = Object.fromEntries(
  Object.entries(serveOptions).filter(
    ([option]) =>
      option === 'log-level' || !['workers', 'version', 'help', ...Object.keys(serverOptions)].includes(option),
  ),
);
const options: Options = { from, ...serving, help: helpOption };

const gateway: Command = {
  name,
  usage: '[FILE]',
  briefUsage: '[FILE]',
  summary: 'serve the servers of a file, or of your clients, as one, and follow changes of the file',
  aliases: { proxy: 'gateway FILE', aggregate: 'gateway FILE' },
  options,
  examples,
  help,
  complete: () => candidates([], 'files'),
  async run(args) {
    try {
      const given: { positionals: string[]; from: string | undefined; serving: string[] } = {
        positionals: [],
        from: undefined,
        serving: [],
      };
      for (const token of readOptions(args, options, { dashValues: true, nonEmpty: true })) {
        if (token.kind === 'positional') given.positionals.push(token.word);
        else if (token.kind === 'rest') given.positionals.push(...token.words);
        else if (token.name === 'help') {
          print(help());
          return 0;
        } else if (token.name === 'from') given.from = token.value;
        else given.serving.push(token.value ? `--${token.name}=${token.value}` : `--${token.name}`);
      }
      return await (await import('./serve-gateway.ts')).serveGateway(given);
    } catch (error) {
      const known = error instanceof UnknownOptionError ? explainUnknownOption(error, Object.keys(options)) : error;
      return reportFailure(known, { args, name });
    }
  },
};

function help(): string {
  return formatHelp({
    name,
    usage: ['[FILE] [--from CLIENTS] [options]'],
    description: `
Serves many MCP servers as one. FILE has the form that clients use, { "mcpServers": { … } }, and more: see docs/gateway.md.
Without FILE and --from it is the mcp.json of the working directory. A mistake in the file is written to stderr, with its
line and column, and the rest is served. When the file changes, what is unchanged runs on.
The options of "ccmcp --help" for messages and for HTTP apply too.`,
    options: { from, help: helpOption },
    examples,
    exitCodes: '0 the client disconnected or it was told to stop, 1 it could not start, 2 the command line is wrong.',
  });
}

const status = defineCommand({
  name: 'gateway status',
  usage: '[FILE | URL]',
  helpUsage: ['[FILE | URL] [--from CLIENTS] [--json]'],
  briefUsage: '[FILE | URL]',
  summary: 'show the status of each upstream: state, revision, tools, restarts, latency, last error',
  description: `
Shows each upstream of a gateway. URL is the address of --admin of one that runs. For a FILE, or with --from, its servers are
started once to try them.`,
  options: { from, json: { about: 'print it as one line of JSON' } },
  examples: ['ccmcp gateway status 127.0.0.1:9464', 'ccmcp gateway status servers.json --json'],
  exitCodes:
    '0 all is well; 1 a server is down or has a mistake; 2 the command line is wrong; 3 no gateway was reached.',
  complete: () => candidates([], 'files'),
  run: async (parsed, { environment = processEnvironment() }) =>
    (await import('./status.ts')).showStatus(parsed, environment),
});

/** `gateway` and `gateway status`. */
export const gatewayCommands: readonly Command[] = [gateway, status];
