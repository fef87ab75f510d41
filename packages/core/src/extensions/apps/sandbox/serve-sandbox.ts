import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppSandbox, appSandbox, type AppSandboxOptions } from './sandbox.ts';

/** Where sandboxes are served from. */
export interface ServeAppSandboxOptions extends AppSandboxOptions {
  /** Default: 0, a free one. */
  port?: number;
}

/** Sandboxes that are served on this machine. */
export interface ServedAppSandbox {
  /** For `sandboxUrl` of `appHost`: `*` stands for a name that each view has for itself. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the sandbox pages of views on a port of this machine alone. Each view gets a name below `localhost`, which browsers look
 * for nowhere else: names, unlike ports, also keep cookies and processes apart.
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
  // Not a Request of the platform, which can't be made with every method that a request may come with.
  const answer = sandbox({ url, method: request.method ?? 'GET' } as Request);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
}

/** The whole address of a request; undefined where it names another host than its header. */
function addressOf(target: string, host: string): string | undefined {
  const base = `http://${host.toLowerCase()}`;
  if (!URL.canParse(target, base)) return undefined;
  const url = new URL(target, base);
  return url.origin === new URL(base).origin ? url.href : undefined;
}
