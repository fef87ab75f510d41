import type { Server } from '@ccmcp/core';
import type { ServeCommand } from './command-line.ts';

/** Lets a server log its requests where the command line says so. */
export async function watchRequests(server: Server, { logRequests }: Pick<ServeCommand, 'logRequests'>): Promise<void> {
  if (!logRequests) return;
  const { requestLog } = await import('@ccmcp/core/observe');
  server.observe(requestLog());
}
