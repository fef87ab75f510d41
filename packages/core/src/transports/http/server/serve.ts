import type { Awaitable } from '../../../jsonrpc/awaitable.ts';
import type { Metrics } from '../../../metrics/metrics.ts';
import { assertKnownOptions } from '../../../schema/known-options.ts';
import type { Server } from '../../../server/server.ts';
import { engineOf } from '../../../server/server-handle.ts';
import { reportUnhandledErrors } from '../../unhandled-errors.ts';
import type { AdminOptions, AdminSource } from './admin/admin.ts';
import type { Report } from './admin/report.ts';
import { prepareDrain } from './drain.ts';
import { drainedHandler, handlerOptions, type HttpOptions } from './handler.ts';
import type { InspectorMount, MakeInspector } from './inspector/mount.ts';
import { hostInUrl, isLoopback } from './listener/address.ts';
import { type HttpTimeouts, listen, makeListener } from './listener/listener.ts';
import type { WorkerContext } from './workers/shared-service.ts';
import { checkLimits, limits } from '../../../limits.ts';

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
  /** Serves operators at an address of its own: metrics, and whether all is well. Default: not. */
  admin?: AdminOptions;
  /**
   * Serves a page at `/inspect` that shows what the server does, to this machine only and to who has its address. `true` takes
   * the package `@ccmcp/inspector`, which is loaded when the page is first opened; a function makes another. Default: not.
   */
  inspector?: boolean | MakeInspector;
}

/** An endpoint that is being served. */
export interface HttpService {
  readonly url: string;
  /** Where operators look, where that was asked for: metrics are at `/metrics` there. */
  readonly adminUrl?: string;
  /** The address of the inspector with its token, where that was asked for. */
  readonly inspectorUrl?: string;
  /** Which of several workers this process is: 1, 2, 3, … Absent where it is none. */
  readonly worker?: number;
  /**
   * Stops accepting, lets running requests finish within the grace period, and ends. Open connections are let go when
   * nothing has come on them for `lingerMs`: a request may be on its way, and is served. With workers it ends all of them, wherever it is
   * called.
   */
  close(options?: { graceMs?: number; lingerMs?: number }): Promise<void>;
}

const ownOptions = Object.keys({
  host: true,
  port: true,
  publicWithoutAuth: true,
  timeouts: true,
  strayErrors: true,
  workers: true,
  admin: true,
  inspector: true,
} satisfies Record<Exclude<keyof ServeHttpOptions, keyof HttpOptions>, true>);

const adminOptions = Object.keys({
  host: true,
  port: true,
  auth: true,
  publicWithoutAuth: true,
  allowHosts: true,
} satisfies Record<keyof AdminOptions, true>);

/** Serves a server over HTTP, on this machine only unless told otherwise. */
export async function serveHttp(server: Server, options: ServeHttpOptions = {}): Promise<HttpService> {
  assertKnownOptions('serveHttp', options, [...handlerOptions, ...ownOptions]);
  assertKnownOptions('"admin" of serveHttp', options.admin ?? {}, adminOptions);
  checkLimits('httpHandler', options);
  checkLimits('serveHttp', options);
  const { workers, admin, ...alone } = options;
  if (workers !== undefined && options.inspector) {
    throw new TypeError('The inspector shows one process: leave "workers" or "inspector" out');
  }
  assertMeant(alone, {
    auth: '"auth" option (--api-key-env, --oauth)',
    open: 'publicWithoutAuth (--public-without-auth)',
  });
  if (admin !== undefined) {
    assertMeant(admin, { auth: '"auth" option of "admin"', open: 'publicWithoutAuth of "admin" (--public-admin)' });
  }
  const here = (terms: WorkerContext): Promise<ReportingService> => serveHere(server, { ...alone, ...terms }, admin);
  const { report, ...service } = await (workers === undefined ? here({}) : withWorkers(server, options, here));
  if (admin === undefined || report === undefined || service.worker !== undefined) return service;
  return withAdmin(service, admin, { report, reportError: server.reportError });
}

/** An address that others reach must be meant to be open, or be kept by somebody who asks. The words say what to do. */
function assertMeant(
  {
    host = '127.0.0.1',
    auth,
    publicWithoutAuth = false,
  }: { host?: string; auth?: unknown; publicWithoutAuth?: boolean },
  words: { auth: string; open: string },
): void {
  if (isLoopback(host) || auth !== undefined || publicWithoutAuth) return;
  throw new Error(
    `${host} can be reached by others, and nobody is asked who they are: give an ${words.auth}, ` +
      `or say ${words.open} if that is what you want`,
  );
}

/** A service that tells what is known of it, where somebody may ask. */
interface ReportingService extends HttpService {
  report?(): Awaitable<Report>;
}

async function withWorkers(
  server: Server,
  { workers = 1, store, strayErrors }: ServeHttpOptions,
  serve: (terms: WorkerContext) => Promise<ReportingService>,
): Promise<ReportingService> {
  const { serveWithWorkers } = await import('./workers/workers.ts');
  return serveWithWorkers({
    workers,
    engine: engineOf(server),
    store,
    logsStrayErrors: strayErrors !== 'leave',
    serveHere: serve,
  });
}

/** Serves operators for as long as a service is there: while it closes, they are told that it is not ready. */
async function withAdmin(service: HttpService, options: AdminOptions, source: AdminSource): Promise<HttpService> {
  const { serveAdmin } = await import('./admin/admin.ts');
  try {
    const admin = await serveAdmin(options, source);
    return {
      ...service,
      adminUrl: admin.url,
      async close(closing) {
        await service.close(closing);
        await admin.close();
      },
    };
  } catch (error) {
    await service.close({ graceMs: 0, lingerMs: 0 });
    throw error;
  }
}

async function serveHere(
  server: Server,
  { turn, ...options }: ServeHttpOptions & WorkerContext,
  admin: AdminOptions | undefined,
): Promise<ReportingService> {
  const { host = '127.0.0.1', port = 0, path = '/mcp', allowHosts = [], strayErrors = 'log' } = options;
  const metrics = options.metrics ?? (admin === undefined ? undefined : await measure(server));
  const name = hostInUrl(host);
  const handler = drainedHandler(server, {
    ...options,
    path,
    allowHosts: [...allowHosts, name],
    ...(metrics && { metrics }),
  });
  const mount = options.inspector ? await mounted(server, options.inspector, host) : undefined;
  const http = await makeListener(mount?.around(handler.node) ?? handler.node, options.timeouts);
  const drain = prepareDrain(http, turn);
  const end = (): void => {
    if (options.metrics === undefined) metrics?.stop();
  };
  const bound = await listen(http, host, port).catch(async (error: unknown) => {
    await handler.close();
    end();
    throw error;
  });
  const engine = engineOf(server);
  http.on('error', (error) => engine.reportError('Unexpected error of the HTTP server', error));
  const leaveProcess = strayErrors === 'log' ? reportUnhandledErrors(engine.reportError.bind(engine)) : () => {};
  const url = `http://${name}:${bound}${path}`;
  return {
    url,
    ...(mount && { inspectorUrl: mount.open(url) }),
    ...(metrics && { report: () => ({ families: metrics.families(), readiness: handler.readiness() }) }),
    async close({ lingerMs = limits.http.lastRequestsMs.value, ...closing } = {}) {
      await mount?.close();
      await drain(async (linger) => {
        if (turn === undefined) return handler.close({ ...closing, linger });
        // Of several workers one stops listening last: clients that were served would come back at that moment, and be reset.
        await handler.close(closing);
        await linger();
      }, lingerMs);
      leaveProcess();
      end();
    },
  };
}

async function mounted(server: Server, wish: true | MakeInspector, host: string): Promise<InspectorMount> {
  const { mountInspector } = await import('./inspector/mount.ts');
  return mountInspector(server, wish, host);
}

async function measure(server: Server): Promise<Metrics> {
  const { metrics } = await import('../../../metrics/metrics.ts');
  return metrics(server);
}
