import type { Server } from '@ccmcp/core';
import { type StdioConnection, serveStdio } from '@ccmcp/core/stdio';
import type { ServeCommand } from '../servers/serve-command.ts';
import { createReadyServer } from '../servers/servers.ts';
import { isExtended } from './is-extended.ts';

/** Serves until the client disconnects, or over HTTP until a signal stops it. */
export function serve(command: ServeCommand): void {
  try {
    if (command.http === undefined) serveOnStdio(command);
    else serveOnHttp(command).catch(fail);
  } catch (error) {
    void fail(error);
  }
}

function serveOnStdio(command: ServeCommand): void {
  const { framing, maxMessage, rateLimit } = command;
  let connection: StdioConnection | undefined;
  const start = (server: Server): void => {
    connection = serveStdio(server, { framing, maxMessage, ...(rateLimit !== undefined && { rateLimit }) });
    if (process.stdin.isTTY) void printWaiting(command.servers);
  };
  const server = createReadyServer(command, () => void connection?.close());
  // Synchronous if possible, because waiting costs start-up time.
  if (isExtended(command)) startExtended(server, command).then(start).catch(fail);
  else if (server instanceof Promise) server.then(start).catch(fail);
  else start(server);
}

async function startExtended(made: Server | Promise<Server>, command: ServeCommand): Promise<Server> {
  const { extendServer } = await import('./extend-server.ts');
  const server = await made;
  await extendServer(server, command);
  return server;
}

async function printWaiting(servers: readonly string[]): Promise<void> {
  const [{ waitingText }, { printStderr }] = await Promise.all([
    import('./waiting-text.ts'),
    import('../terminal/print.ts'),
  ]);
  const [only = '', another] = servers;
  printStderr(waitingText({ target: another === undefined ? only : 'SERVER', serve: servers.join(' ') }));
}

async function serveOnHttp(command: ServeCommand): Promise<void> {
  const { serveOverHttp } = await import('./serve-http.ts');
  return serveOverHttp(command);
}

async function fail(error: unknown): Promise<void> {
  process.exitCode = 1;
  const { messageLine } = await import('../terminal/message-line.ts');
  const { printStderr } = await import('../terminal/print.ts');
  printStderr(messageLine(error instanceof Error ? error.message : String(error)));
}
