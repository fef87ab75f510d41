import type { Server as NodeServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Server } from '../../../server/server.ts';
import { nodeHttp } from '../../node-http.ts';
import { type HttpOptions, httpHandler } from './handler.ts';
import { limits } from '../../../limits.ts';

/** How a server is served over HTTP, and where it listens. */
export interface ServeHttpOptions extends HttpOptions {
  /** Default: 127.0.0.1, which only this machine reaches. */
  host?: string;
  /** Default: 0, a free one. */
  port?: number;
  /** Allows an address that others can reach although callers need not say who they are. */
  publicWithoutAuth?: boolean;
  timeouts?: HttpTimeouts;
}

/** How long a client may take, in milliseconds. Answers take as long as they need. */
export interface HttpTimeouts {
  /** For the headers of a request. Default: 10 000. */
  headersMs?: number;
  /** For the whole request. Default: 20 000. */
  requestMs?: number;
  /** Between two requests on one connection. Default: 15 000. */
  idleMs?: number;
}

/** An endpoint that is being served. */
export interface HttpService {
  readonly url: string;
  /** Stops accepting, lets running requests finish within the grace period, and ends. */
  close(options?: { graceMs?: number }): Promise<void>;
}

/** How long clients may take to read the last answers when the service is closed. */
const flushMs = limits.http.lastAnswersMs.value;

/** Serves a server over HTTP, on this machine only unless told otherwise. */
export async function serveHttp(server: Server, options: ServeHttpOptions = {}): Promise<HttpService> {
  const { host = '127.0.0.1', port = 0, auth, publicWithoutAuth = false, path = '/mcp', allowHosts = [] } = options;
  if (!isLoopback(host) && auth === undefined && !publicWithoutAuth) {
    throw new Error(
      `${host} can be reached by others, and nobody is asked who they are: give an "auth" option (--api-key-env), ` +
        'or say publicWithoutAuth (--public-without-auth) if that is what you want',
    );
  }
  const { createServer } = await nodeHttp();
  const name = host.includes(':') ? `[${host}]` : host;
  const handler = httpHandler(server, { ...options, allowHosts: [...allowHosts, name] });
  const http = createServer(nodeOptions(options.timeouts ?? {}), handler.node);
  const sockets = new Set<Socket>();
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  try {
    await listen(http, host, port);
  } catch (error) {
    await handler.close();
    throw error;
  }
  const { port: bound } = http.address() as AddressInfo;
  return {
    url: `http://${name}:${bound}${path}`,
    async close(closing) {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      await handler.close(closing);
      // For node, a connection is idle only between two requests: not before the first.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      // And only after the last answer was read.
      const sweep = setInterval(() => http.closeIdleConnections(), 20);
      const cut = setTimeout(() => http.closeAllConnections(), flushMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

function nodeOptions(timeouts: HttpTimeouts): object {
  const { headersMs = limits.http.headersMs.value, requestMs = limits.http.requestMs.value } = timeouts;
  return {
    // Node refuses to start where headers may take longer than all.
    headersTimeout: Math.min(headersMs, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: timeouts.idleMs ?? limits.http.idleMs.value,
    connectionsCheckingInterval: Math.min(2000, headersMs / 2, requestMs / 2),
    maxHeaderSize: limits.http.headers.value,
  };
}

function listen(http: NodeServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      resolve();
    });
  });
}

/** True for addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
