import { serverSummaries } from '../servers/servers.ts';
import { serveOptions } from '../servers/serve-options.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import { exitCodes } from '../command/failure.ts';
import { helpRow, optionRows, wrapText } from '../command/help-text.ts';
import type { Options } from '../command/options.ts';

/** The commands that most people use, in the order in which they try them. */
const firstCommands = ['list', 'call', 'inspect', 'new', 'serve', 'install'];

/** What `ccmcp --help` prints. */
export function generalHelp(groups: readonly CommandGroup[]): string {
  const isHttp = ([name, { needs }]: [string, { needs?: string }]): boolean => name === 'http' || needs === '--http';
  const all = Object.entries(serveOptions);
  const commands = groups.flatMap((group) => group.commands);
  const first = firstCommands.flatMap((name) => commands.filter((command) => command.name === name));
  const others = groups.map(({ title, commands: own }) => ({
    title,
    commands: own.filter((each) => !first.includes(each)),
  }));
  return `Usage: ccmcp COMMAND [arguments] [options]
       ccmcp [SERVER…] [options]

${wrapText(`Uses, shows, makes and installs servers of MCP (Model Context Protocol). Without a command it serves, on standard input and
output unless --http is given. Several servers are joined.`)}

${groupHelp({ title: 'Start with', commands: first })}

${wrapText(`Each command has its own --help. A TARGET is the name of a server, a file, a URL, CLIENT:NAME for a server that is
configured there, or -- COMMAND.`)}

${others
  .filter((group) => group.commands.length > 0)
  .map(groupHelp)
  .join('\n\n')}

Servers:
${Object.entries(serverSummaries)
  .map(([name, summary]) => helpRow(name, summary))
  .join('\n')}

Options of serving:
${rows(all.filter((each) => !isHttp(each)))}

Over HTTP:
${rows(all.filter(isHttp))}

Exit codes of commands:
${Object.values(exitCodes)
  .map(({ code, means }) => helpRow(String(code), means))
  .join('\n')}

${wrapText('Exit codes of serving: 0 the client disconnected or the server was told to stop, 1 it could not start, 2 the command line is wrong.')}
`;
}

function rows(options: readonly [string, Options[string]][]): string {
  return optionRows(Object.fromEntries(options)).join('\n');
}

function groupHelp({ title, commands }: CommandGroup): string {
  const shown = commands
    .filter(({ hidden }) => hidden !== true)
    .map((command) => ({ ...command, line: lineOf(command) }));
  const width = Math.max(24, ...shown.map(({ line }) => line.length));
  return `${title}:\n${shown.map(({ line, summary }) => helpRow(line, summary, width)).join('\n')}`;
}

/** The command with the arguments that it needs. */
function lineOf({ name, usage, briefUsage = usage.replace(/(?<=\S) \[.*$/s, '') }: Command): string {
  return `ccmcp ${name} ${briefUsage}`.trimEnd();
}
