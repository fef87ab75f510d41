import { selfCommand } from '../util/program-name.ts';

/** What is being served on stdio, as it stands on a command line. */
export interface Served {
  /** What the commands of the client side call it. */
  target: string;
  /** What follows the command's name to serve it. */
  serve: string;
}

/** What somebody is told who serves on a terminal, where a client was expected. */
export function waitingText({ target, serve }: Served): string {
  const name = selfCommand();
  const rows = [
    [`${name} list ${target}`, 'shows what it offers'],
    [`${name} call ${target} TOOL key=value`, 'calls one of its tools'],
    [`${name} install CLIENT ${target}`, 'puts it into Claude, Cursor, VS Code and others'],
    [`${name} ${serve} --http`, 'serves it over HTTP'],
    [`${name} help`, 'tells the rest'],
  ] as const;
  const width = Math.max(...rows.map(([command]) => command.length));
  const table = rows.map(([command, about]) => `  ${command.padEnd(width)}  ${about}`).join('\n');
  return `An MCP server runs here, and waits for the messages of a client on standard input. Ctrl+C ends it.
Clients start it by themselves. To use it yourself, type instead:

${table}
`;
}
