import type { Server } from '@ccmcp/core';
import { type StdioConnection, serveStdio } from '@ccmcp/core/stdio';
import type { ServeCommand } from './serve-options.ts';
import { tell } from '../terminal/print.ts';
import { makeServer } from './servers.ts';
import { isWatched } from './is-observed.ts';

/** Serves until the client goes away, or over HTTP until told to stop. */
export function serve(command: ServeCommand): void {
  try {
    if (command.http === undefined) overStdio(command);
    else overHttp(command).catch(fail);
  } catch (error) {
    fail(error);
  }
}

function overStdio(command: ServeCommand): void {
  const { framing, maxMessage, rateLimit } = command;
  let connection: StdioConnection | undefined;
  const start = (server: Server): void => {
    connection = serveStdio(server, { framing, maxMessage, ...(rateLimit !== undefined && { rateLimit }) });
    if (process.stdin.isTTY) void tellWaiting(command.servers);
  };
  const server = makeServer(command, () => void connection?.close());
  // Without waiting where that is possible: it costs start-up time.
  if (isWatched(command)) startWatched(server, command).then(start).catch(fail);
  else if (server instanceof Promise) server.then(start).catch(fail);
  else start(server);
}

async function startWatched(made: Server | Promise<Server>, command: ServeCommand): Promise<Server> {
  const { watch } = await import('./observe.ts');
  const server = await made;
  await watch(server, command);
  return server;
}

async function tellWaiting(servers: readonly string[]): Promise<void> {
  const { waitingText } = await import('./waiting-text.ts');
  const [only = '', another] = servers;
  tell(waitingText({ target: another === undefined ? only : 'SERVER', serve: servers.join(' ') }));
}

async function overHttp(command: ServeCommand): Promise<void> {
  const { serveOverHttp } = await import('./serve-http.ts');
  return serveOverHttp(command);
}

function fail(error: unknown): void {
  tell(`ccmcp: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
