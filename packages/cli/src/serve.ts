import type { Server } from '@ccmcp/core';
import { serveStdio } from '@ccmcp/core/stdio';
import { ccmcpServer } from '@ccmcp/servers/ccmcp';
import type { ServeCommand } from './command-line.ts';
import { laterServers } from './servers.ts';

/** Serves until the client goes away, or over HTTP until told to stop. */
export function serve(command: ServeCommand): void {
  try {
    if (command.http === undefined && command.server === 'ccmcp') overStdio(command, ccmcpServer(command));
    else serveLater(command).catch(fail);
  } catch (error) {
    fail(error);
  }
}

async function serveLater(command: ServeCommand): Promise<void> {
  if (command.http !== undefined) {
    const { serveOverHttp } = await import('./serve-http.ts');
    return serveOverHttp(command);
  }
  if (command.server === 'ccmcp') return;
  let connection: ReturnType<typeof serveStdio> | undefined;
  const server = await laterServers[command.server].make(command, () => void connection?.close());
  connection = overStdio(command, server);
}

function overStdio({ framing, maxMessage }: ServeCommand, server: Server): ReturnType<typeof serveStdio> {
  return serveStdio(server, { framing, maxMessage });
}

function fail(error: unknown): void {
  process.stderr.write(`ccmcp: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
