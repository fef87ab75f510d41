import type { Awaitable } from '../../../jsonrpc/awaitable.ts';
import type { Metrics } from '../../../features/metrics/metrics.ts';
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

/** Options of `serveHttp`: those of the handler, and where it listens. */
export interface ServeHttpOptions extends HttpOptions {
  /** The address to listen on. Default: 127.0.0.1, which only this machine reaches. */
  host?: string;
  /** The port. Default: 0, any free port. */
  port?: number;
  /** Allows a public address without authentication. */
  publicWithoutAuth?: boolean;
  timeouts?: HttpTimeouts;
  /**
   * How unhandled errors are treated, which would end the process: `log` writes them to the server's log and keeps the
   * process alive, unless the program has its own listeners; `leave` changes nothing. Default: `log`.
   */
  unhandledErrors?: 'log' | 'leave';
  /**
   * The number of worker processes; `auto` is one per core. The program is started once for each, and all share the
   * memory store. Default: this process alone.
   */
  workers?: number | 'auto';
  /** Serves metrics and health checks to operators, at a separate address. Default: off. */
  admin?: AdminOptions;
  /**
   * Serves the inspector at `/inspect`, to this machine only and with a token in its address. `true` loads the package
   * `@ccmcp/inspector` when the page is first opened; a function creates another one. Default: off.
   */
  inspector?: boolean | MakeInspector;
}

/** A running HTTP service. */
export interface HttpService {
  readonly url: string;
  /** The address for operators, if `admin` is set: metrics are at `/metrics`. */
  readonly adminUrl?: string;
  /** The address of the inspector with its token, if `inspector` is set. */
  readonly inspectorUrl?: string;
  /** The number of this worker: 1, 2, 3, … Absent without workers. */
  readonly worker?: number;
  /**
   * Shuts down gracefully: accepts no new connections, drains running requests within the grace period, and closes open
   * connections after `lingerMs` without a request, so that one in transit is still served. Ends all workers, whichever
   * calls it.
   */
  close(options?: { graceMs?: number; lingerMs?: number }): Promise<void>;
}

const ownOptions = Object.keys({
  host: true,
  port: true,
  publicWithoutAuth: true,
  timeouts: true,
  unhandledErrors: true,
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
  status: true,
} satisfies Record<keyof AdminOptions, true>);

/** Serves a server over HTTP, by default on this machine only. */
export async function serveHttp(server: Server, options: ServeHttpOptions = {}): Promise<HttpService> {
  assertKnownOptions('serveHttp', options, [...handlerOptions, ...ownOptions]);
  assertKnownOptions('"admin" of serveHttp', options.admin ?? {}, adminOptions);
  checkLimits('httpHandler', options);
  checkLimits('serveHttp', options);
  const { workers, admin, ...alone } = options;
  if (workers !== undefined && options.inspector) {
    throw new TypeError('The inspector shows one process: leave "workers" or "inspector" out');
  }
  assertNotOpen(alone, {
    auth: '"auth" option (--api-key-env, --oauth)',
    open: 'publicWithoutAuth (--public-without-auth)',
  });
  if (admin !== undefined) {
    assertNotOpen(admin, { auth: '"auth" option of "admin"', open: 'publicWithoutAuth of "admin" (--public-admin)' });
  }
  const here = (context: WorkerContext): Promise<ReportingService> =>
    serveHere(server, { ...alone, ...context }, admin);
  const { report, ...service } = await (workers === undefined ? here({}) : withWorkers(server, options, here));
  if (admin === undefined || report === undefined || service.worker !== undefined) return service;
  return withAdmin(service, admin, { report, reportError: server.reportError });
}

/** Throws for a public address without authentication, unless that is allowed explicitly. */
function assertNotOpen(
  {
    host = '127.0.0.1',
    auth,
    publicWithoutAuth = false,
  }: { host?: string; auth?: unknown; publicWithoutAuth?: boolean },
  words: { auth: string; open: string },
): void {
  if (isLoopback(host) || auth !== undefined || publicWithoutAuth) return;
  throw new Error(
    `${host} is reachable from other machines without authentication: set the ${words.auth}, ` +
      `or ${words.open} to allow that`,
  );
}

/** A service with a report for operators. */
interface ReportingService extends HttpService {
  report?(): Awaitable<Report>;
}

async function withWorkers(
  server: Server,
  { workers = 1, store, unhandledErrors }: ServeHttpOptions,
  serve: (context: WorkerContext) => Promise<ReportingService>,
): Promise<ReportingService> {
  const { serveWithWorkers } = await import('./workers/workers.ts');
  return serveWithWorkers({
    workers,
    engine: engineOf(server),
    store,
    logsUnhandledErrors: unhandledErrors !== 'leave',
    serveHere: serve,
  });
}

/** Serves operators as long as a service runs: during shutdown, readiness checks fail. */
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
  const { host = '127.0.0.1', port = 0, path = '/mcp', allowHosts = [], unhandledErrors = 'log' } = options;
  const metrics = options.metrics ?? (admin === undefined ? undefined : await createMetrics(server));
  const name = hostInUrl(host);
  const handler = drainedHandler(server, {
    ...options,
    path,
    allowHosts: [...allowHosts, name],
    ...(metrics && { metrics }),
  });
  const mount = options.inspector ? await loadInspector(server, options.inspector, host) : undefined;
  const http = await makeListener(mount?.wrap(handler.node) ?? handler.node, options.timeouts);
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
  const stopReporting = unhandledErrors === 'log' ? reportUnhandledErrors(engine.reportError.bind(engine)) : () => {};
  const url = `http://${name}:${bound}${path}`;
  return {
    url,
    ...(mount && { inspectorUrl: mount.open(url) }),
    ...(metrics && { report: () => ({ families: metrics.families(), readiness: handler.readiness() }) }),
    async close({ lingerMs = limits.http.lastRequestsMs.value, ...closing } = {}) {
      await mount?.close();
      await drain(async (linger) => {
        if (turn === undefined) return handler.close({ ...closing, linger });
        // The last of several workers stops listening while clients of the others reconnect: they would be reset.
        await handler.close(closing);
        await linger();
      }, lingerMs);
      stopReporting();
      end();
    },
  };
}

async function loadInspector(server: Server, inspector: true | MakeInspector, host: string): Promise<InspectorMount> {
  const { mountInspector } = await import('./inspector/mount.ts');
  return mountInspector(server, inspector, host);
}

async function createMetrics(server: Server): Promise<Metrics> {
  const { metrics } = await import('../../../features/metrics/metrics.ts');
  return metrics(server);
}
