import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppSandbox, appSandbox, type AppSandboxOptions } from './sandbox.ts';

/** Options of `serveAppSandbox`. */
export interface ServeAppSandboxOptions extends AppSandboxOptions {
  /** Default: 0, any free port. */
  port?: number;
}

/** Sandboxes served on this machine. */
export interface ServedAppSandbox {
  /** For `sandboxUrl` of `appHost`: `*` is replaced by a name for each view. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves sandbox pages on a loopback port. Each view gets a name below `localhost`, which browsers resolve to loopback:
 * unlike ports, names also separate cookies and processes.
 */
export async function serveAppSandbox({ port = 0, ...options }: ServeAppSandboxOptions): Promise<ServedAppSandbox> {
  const sandbox = appSandbox(options);
  const server = createServer((request, response) => void serve(sandbox, request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://*.localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const ownHost = /^(?:[a-z0-9-]+\.)?localhost(?::\d+)?$/i;

async function serve(sandbox: AppSandbox, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { host = '' } = request.headers;
  const url = ownHost.test(host) ? addressOf(request.url ?? '', host) : undefined;
  if (url === undefined) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end('This server is for names below localhost\n');
    return;
  }
  // Not a platform `Request`, which rejects some methods.
  const answer = sandbox({ url, method: request.method ?? 'GET' } as Request);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
}

/** The full URL of a request; undefined if it names another host than its header. */
function addressOf(target: string, host: string): string | undefined {
  const base = `http://${host.toLowerCase()}`;
  if (!URL.canParse(target, base)) return undefined;
  const url = new URL(target, base);
  return url.origin === new URL(base).origin ? url.href : undefined;
}
