import { Engine } from './engine.ts';
import { again, handle, serveCall } from './handle.ts';
import type { ServerOptions } from './options.ts';
import { serverOf } from './server-handle.ts';
import type { Server } from './server.ts';

/** Makes a server from what it offers. It serves any number of connections, over any transports, at the same time. */
export function createServer(options: ServerOptions): Server {
  const engine = new Engine(options, { run: serveCall, handle, again });
  const server = serverOf(engine);
  for (const { around, install } of engine.extensions.all) {
    if (around !== undefined) engine.use(around);
    install?.(server);
  }
  return server;
}
