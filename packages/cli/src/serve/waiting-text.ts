import { selfCommand } from '../system/self-command.ts';

/** A server on stdio, as typed on the command line. */
export interface Served {
  /** Its target for client commands. */
  target: string;
  /** The arguments that serve it. */
  serve: string;
}

/** The message for a user who serves on a terminal, where a client was expected. */
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
