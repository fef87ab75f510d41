import type { Server as NodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from '../../../server/server.ts';
import { engineOf } from '../../../server/server-face.ts';
import { nodeHttp } from '../../node-http.ts';
import { reportStrayErrors } from '../../stray-errors.ts';
import { prepareDrain } from './drain.ts';
import { type HttpOptions, httpHandler } from './handler.ts';
import type { WorkerTerms } from './workers/shared-service.ts';
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
  /**
   * What becomes of errors that nobody caught, which would end the process: `log` writes them to the server's log and
   * lets the process go on, unless the program listens for them itself; `leave` leaves the process alone. Default: `log`.
   */
  strayErrors?: 'log' | 'leave';
  /**
   * How many processes serve, each with a core of its own; `auto` is one for each core. The program is started anew for
   * each, and what is in the memory store is shared by all. Default: this process alone.
   */
  workers?: number | 'auto';
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
  /** Which of several workers this process is: 1, 2, 3, … Absent where it is none. */
  readonly worker?: number;
  /**
   * Stops accepting, lets running requests finish within the grace period, and ends. Open connections are let go when
   * nothing has come on them for `lingerMs`: a request may be on its way. With workers it ends all of them, wherever it is
   * called.
   */
  close(options?: { graceMs?: number; lingerMs?: number }): Promise<void>;
}

/** Serves a server over HTTP, on this machine only unless told otherwise. */
export async function serveHttp(server: Server, options: ServeHttpOptions = {}): Promise<HttpService> {
  const { workers, ...alone } = options;
  const { host = '127.0.0.1', auth, publicWithoutAuth = false } = alone;
  if (!isLoopback(host) && auth === undefined && !publicWithoutAuth) {
    throw new Error(
      `${host} can be reached by others, and nobody is asked who they are: give an "auth" option (--api-key-env, --oauth), ` +
        'or say publicWithoutAuth (--public-without-auth) if that is what you want',
    );
  }
  if (workers === undefined) return serveHere(server, alone);
  const { serveWithWorkers } = await import('./workers/workers.ts');
  return serveWithWorkers({
    workers,
    engine: engineOf(server),
    store: options.store,
    logsStrayErrors: options.strayErrors !== 'leave',
    serveHere: ({ turn, ...terms }) => serveHere(server, { ...alone, ...terms }, turn),
  });
}

async function serveHere(server: Server, options: ServeHttpOptions, turn?: WorkerTerms['turn']): Promise<HttpService> {
  const { host = '127.0.0.1', port = 0, path = '/mcp', allowHosts = [], strayErrors = 'log' } = options;
  const { createServer } = await nodeHttp();
  const name = host.includes(':') ? `[${host}]` : host;
  const handler = httpHandler(server, { ...options, path, allowHosts: [...allowHosts, name] });
  const http = createServer(nodeOptions(options.timeouts ?? {}), handler.node);
  const drain = prepareDrain(http, turn);
  try {
    await listen(http, host, port);
  } catch (error) {
    await handler.close();
    throw error;
  }
  const engine = engineOf(server);
  http.on('error', (error) => engine.reportError('Unexpected error of the HTTP server', error));
  const leaveProcess = strayErrors === 'log' ? reportStrayErrors(engine.reportError.bind(engine)) : () => {};
  const { port: bound } = http.address() as AddressInfo;
  return {
    url: `http://${name}:${bound}${path}`,
    async close({ lingerMs = limits.http.lastRequestsMs.value, ...closing } = {}) {
      await drain(() => handler.close(closing), lingerMs);
      leaveProcess();
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
