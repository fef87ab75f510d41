import { serverSummaries } from '../servers/servers.ts';
import { serveOptions } from '../servers/serve-options.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import { helpRow, optionRows } from '../command/help-text.ts';
import type { Options } from '../command/options.ts';

/** What `ccmcp --help` prints. */
export function generalHelp(groups: readonly CommandGroup[]): string {
  const isHttp = ([name, { needs }]: [string, { needs?: string }]): boolean => name === 'http' || needs === '--http';
  const all = Object.entries(serveOptions);
  return `Usage: ccmcp [SERVER…] [options]

Serves MCP (Model Context Protocol), on standard input and output unless --http is given. Several servers are joined.

Servers:
${Object.entries(serverSummaries)
  .map(([name, summary]) => helpRow(name, summary))
  .join('\n')}

Options:
${rows(all.filter((each) => !isHttp(each)))}

Commands; each has its own --help. A TARGET is the name of a server, a file, a URL, CLIENT:NAME for a server that is
configured there, or -- COMMAND.

${groups.map(groupHelp).join('\n\n')}

Over HTTP:
${rows(all.filter(isHttp))}

Exit codes: 0 the client disconnected or the server was told to stop, 1 it could not start, 2 the command line is wrong.
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
