import { callQuota, sharedCallQuota } from '../../../features/quotas/limit-calls.ts';
import { endpointRateLimit } from '../../../features/rate-limit/limit-rate.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { anyOf } from '../../../auth/server/any-of.ts';
import type { Authenticator, ProtectedEndpoint, PublicDocument } from '../../../auth/server/authenticator.ts';
import { readResource, type Resource } from '../../../auth/server/resource-url.ts';
import type { Metrics } from '../../../features/metrics/metrics.ts';
import type { ServerCardOptions } from '../../../features/server-card/server-card.ts';
import { versionsIn } from '../../../revisions/negotiate.ts';
import { cardDocuments } from './card-documents.ts';
import { assertKnownOptions } from '../../../schema/known-options.ts';
import type { Engine } from '../../../server/engine.ts';
import { rateCounter } from '../../../features/rate-limit/rate-counter.ts';
import { rateSpec } from '../../../features/rate-limit/rate-spec.ts';
import type { RateLimit } from '../../../server/define/feature-options.ts';
import type { Server } from '../../../server/server.ts';
import { provideServing } from '../../../features/load-serving.ts';
import { serving } from '../../../features/serving.ts';
import { engineOf } from '../../../server/server-handle.ts';
import { warmUpAfterAnswer } from '../../../server/warm-up.ts';
import { isWorkerd } from '../../../runtime/kind.ts';
import { isMemoryStore, memoryStore } from '../../../stores/memory.ts';
import type { Store } from '../../../stores/store.ts';
import { openSse, postSse, type SsePaths } from '../../sse/server/serve.ts';
import type { HttpRequest, Serve } from './bindings/binding.ts';
import { fetchBinding } from './bindings/fetch.ts';
import { nodeBinding } from './bindings/node.ts';
import { PendingResponses } from './bindings/pending-responses.ts';
import { SlowConsumers } from './bindings/slow-consumers.ts';
import { type CallerOf, Callers } from './endpoint/callers.ts';
import { countAnswers, type StatusCounts } from './endpoint/counted-answers.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { endpointFamilies } from './endpoint/endpoint-metrics.ts';
import { FairScheduler } from './endpoint/fair-scheduler.ts';
import { guardStore, watchStore } from './endpoint/guarded-store.ts';
import { type HealthPaths, type Readiness, readinessOf } from './endpoint/health.ts';
import { InFlight } from './endpoint/in-flight.ts';
import { MemoryPressure } from './endpoint/memory-pressure.ts';
import { offeredLists } from './endpoint/offered-lists.ts';
import { SharedQuotas } from '../../../features/quotas/shared-quotas.ts';
import { get } from './get/get.ts';
import { createPipeline, post } from './pipeline.ts';
import { relayChanges } from './sessions/relay-changes.ts';
import { type SessionOptions, Sessions } from './sessions/sessions.ts';
import { createGuard, type GuardOptions } from './steps/guard.ts';
import type { HttpPage } from './steps/pages.ts';
import type { Route, Routes } from './steps/route.ts';
import { Streams } from './streams/streams.ts';
import { checkLimits, limits } from '../../../limits.ts';
import { maxSubscriptionBytes } from '../../../server/change-feed.ts';
import { reject } from './answer/reject.ts';
import { sendEmpty } from './answer/send.ts';
import type { HttpContext } from './endpoint/context.ts';
import { isRejected, sessionOf } from './sessions/session-of-message.ts';

/** Maximum number of requests in the queue of the scheduler. */
const maxWaiting = 4096;

/** Options of `httpHandler`. */
export interface HttpOptions extends GuardOptions {
  /**
   * The path of the endpoint; others are 404. Under a router of express it may be relative to the router; under those of
   * other frameworks it is the whole path. Default: `/mcp`.
   */
  path?: string;
  /** Authenticates callers; several are tried in order. Default: everyone may call. */
  auth?: Authenticator | readonly Authenticator[];
  /**
   * The public URL of this endpoint, such as `https://api.example.com/mcp`: the audience of tokens. It ends with the
   * path.
   */
  resource?: string;
  /** The maximum size of a request body, in bytes. Default: 1 MiB. */
  maxBody?: number;
  sessions?: SessionOptions;
  /** The maximum of open streams. Default: 2000. */
  maxStreams?: number;
  /** The maximum of concurrent requests. Default: 4096. */
  maxRunning?: number;
  /** The approximate memory of all requests while they are read and served, in bytes. Default: 16 MiB. */
  maxIncoming?: number;
  /** The maximum of unread responses over all connections, in bytes: above it, slow consumers are dropped. Default: 24 MiB. */
  maxUnsent?: number;
  /** A client that reads nothing for so long is dropped, in milliseconds. Default: 30 000. */
  stalledMs?: number;
  /** The quota of one caller, in percent of all calls, streams, sessions and subscriptions; 100: no quota. Default: 25. */
  callerShare?: number;
  /**
   * Identifies callers for quotas and rate limits. Default: the principal, else the session, else the address. Behind a
   * proxy all have one address: use a header that the proxy sets.
   */
  callerOf?: CallerOf;
  /** Limits the rate of requests of one caller, except `ping`. Default: no limit. */
  rateLimit?: RateLimit;
  /** The interval of keep-alive comments on idle streams, in milliseconds. Default: 15 000. */
  keepAliveMs?: number;
  /** Also serves HTTP+SSE, the transport of the first revision, at two more paths. Default: off. */
  sse?: true | SsePaths;
  /** The store that instances of this server share. Default: memory, for a single instance. */
  store?: Store;
  /** The paths of unauthenticated health checks; `true`: `/healthz` and `/readyz`. Default: none. */
  health?: boolean | HealthPaths;
  /** Pages for browsers beside the endpoint, such as those of a sign-in. Default: none. */
  pages?: readonly HttpPage[];
  /**
   * Serves a server card at the path of the endpoint and `/server-card`, and the catalog of the domain, for clients that have
   * not connected yet. Needs `resource`. Default: none.
   */
  serverCard?: true | ServerCardOptions;
  /** The metrics of the server, to which the handler adds its own. Default: none. */
  metrics?: Metrics;
}

/** An MCP endpoint over HTTP, for `node:http` and for web-standard requests. */
export interface HttpHandler {
  /** For `http.createServer(handler.node)`, and frameworks on `node:http`. */
  node(request: IncomingMessage, response: ServerResponse): void;
  /** For frameworks and runtimes with `Request` and `Response`. */
  fetch(request: Request): Promise<Response>;
  /** Whether requests should be sent here, or why not: as `/readyz` answers. */
  readiness(): Readiness;
  /** Shuts down gracefully: ends streams, and drains running requests within the grace period; the others are aborted. */
  close(options?: { graceMs?: number }): Promise<void>;
}

const defaultPath = '/mcp';

/** Time for aborted requests to send their errors, in milliseconds. */
const abortMs = 500;

/** Options of `close`. */
interface CloseOptions {
  graceMs?: number;
  /** Waits for requests in transit: until it resolves, they are served too. Absent: none is. */
  linger?: () => Promise<unknown>;
}

/** A handler that can be drained: it is closed while requests still arrive. */
export interface DrainedHandler extends HttpHandler {
  close(options?: CloseOptions): Promise<void>;
}

/** The names of the options. A misspelt one would silently leave an endpoint open. */
export const handlerOptions = Object.keys({
  allowHosts: true,
  allowOrigins: true,
  path: true,
  auth: true,
  resource: true,
  maxBody: true,
  sessions: true,
  maxStreams: true,
  maxRunning: true,
  maxIncoming: true,
  maxUnsent: true,
  stalledMs: true,
  callerShare: true,
  callerOf: true,
  rateLimit: true,
  keepAliveMs: true,
  sse: true,
  store: true,
  health: true,
  pages: true,
  serverCard: true,
  metrics: true,
} satisfies Record<keyof HttpOptions, true>);

/** Serves MCP over HTTP: every revision on one endpoint. */
export function httpHandler(server: Server, options: HttpOptions = {}): HttpHandler {
  if ('workers' in options) {
    throw new TypeError('"workers" is an option of serveHttp: a handler is a part of your program, which has its own');
  }
  assertKnownOptions('httpHandler', options, handlerOptions);
  return drainedHandler(server, options);
}

/** Creates a handler that can be drained with its connections. */
export function drainedHandler(server: Server, options: HttpOptions): DrainedHandler {
  checkLimits('httpHandler', options);
  provideServing(serving);
  const engine = engineOf(server);
  engine.plug(callQuota);
  if (options.rateLimit !== undefined) engine.plug(endpointRateLimit);
  const { endpoint, serve } = openEndpoint(engine, options);
  if (endpoint.sharedQuotas !== undefined) engine.plug(sharedCallQuota);
  const cancelWarmUp = warmUpAfterAnswer(engine);
  const relay = options.store === undefined ? undefined : startRelay(endpoint);
  const unwatch = watchStore(endpoint.store, engine);
  const closeExtensions = engine.open(endpoint.store, options.store !== undefined);
  endpoint.starting = relay?.finally(() => {
    endpoint.starting = undefined;
  });

  /** Waits for running requests within the grace period, aborts the others and ends the streams. */
  async function finish(graceMs: number): Promise<void> {
    const { running, inFlight, streams } = endpoint;
    await inFlight.idle(graceMs);
    for (const request of running) request.abort();
    await inFlight.idle(abortMs);
    streams.endAll();
  }

  async function close({ graceMs = limits.http.graceMs.value, linger }: CloseOptions = {}): Promise<void> {
    const { running, sessions, resumable, memory, store } = endpoint;
    const end = performance.now() + graceMs;
    endpoint.closing = true;
    endpoint.closed = linger === undefined;
    cancelWarmUp();
    for (const request of running) request.close();
    await finish(graceMs);
    if (linger !== undefined) {
      await linger();
      await finish(Math.max(0, end - performance.now()));
      endpoint.closed = true;
    }
    await closeExtensions();
    for (const end of resumable) end();
    memory.slowConsumers.clear();
    stopMeasuring();
    (await relay)?.();
    await endpoint.sharedQuotas?.close();
    unwatch();
    sessions.close();
    if (options.store === undefined) await store.close();
  }

  const { counted, stopMeasuring } = measure(endpoint, serve, options.metrics);
  const { slowConsumers } = endpoint.memory;
  return {
    node: nodeBinding(counted, slowConsumers, endpoint.pendingResponses),
    fetch: fetchBinding(counted, slowConsumers),
    readiness: () => readinessOf(endpoint),
    close,
  };
}

/** Adds the metrics of the endpoint, and counts responses for them. */
function measure(
  endpoint: Endpoint,
  serve: Serve,
  metrics: Metrics | undefined,
): { counted: Serve; stopMeasuring(): void } {
  if (metrics === undefined) return { counted: serve, stopMeasuring() {} };
  const counts: StatusCounts = new Map();
  const stopMeasuring = metrics.add(() => endpointFamilies(endpoint, counts));
  return { counted: countAnswers(serve, counts), stopMeasuring };
}

function openEndpoint(server: Engine, options: HttpOptions): { endpoint: Endpoint; serve: Serve } {
  const { store: given = memoryStore(), path = defaultPath, health } = options;
  const store = isMemoryStore(given) ? given : guardStore(given, server);
  const resource = options.resource === undefined ? undefined : readResource(options.resource, path);
  const auth = authAt(options.auth, {
    resource: resource?.text,
    path,
    relevantScopes: (granted) => server.access.relevant(granted),
    store,
    log: server.note.bind(server),
  });
  const { maxBody = limits.http.maxBody.value, maxRunning = limits.http.maxRunning.value } = options;
  const { keepAliveMs = limits.http.keepAliveMs.value, callerShare = limits.http.callerShare.value } = options;
  // In edge workers nothing could renew a lease after the request.
  const sharedQuotas = options.store === undefined || isWorkerd ? undefined : new SharedQuotas(options.store);
  const pendingResponses = new PendingResponses((error) => server.reportError('An answer could not be sent', error));
  const endpoint: Endpoint = {
    server,
    store,
    auth,
    sessions: new Sessions(server, store, { ...options.sessions, callerShare }),
    streams: new Streams({ keepAliveMs }),
    callers: callersOf(options, sharedQuotas),
    sharedQuotas,
    // In edge workers a request can't wait for another, and the clock does not advance.
    scheduler: isWorkerd ? undefined : new FairScheduler(undefined, (serve) => pendingResponses.runBatch(serve)),
    pendingResponses,
    memory: new MemoryPressure(new SlowConsumers({ max: options.maxUnsent, stalledMs: options.stalledMs })),
    maxBody,
    maxRunning,
    running: new Set(),
    resumable: new Set(),
    inFlight: new InFlight(),
    starting: undefined,
    closing: false,
    closed: false,
  };
  const serve = createPipeline(endpoint, {
    guard: createGuard(withHost(options, resource?.host), auth?.header),
    hasPreflights: (options.allowOrigins ?? []).length > 0,
    documents: [...(auth?.documents ?? []), ...cardOf(server, options, { resource, auth })],
    pages: options.pages ?? [],
    health: health === true ? {} : health || undefined,
    routes: routesOf(options, resource?.path),
    notFound: { server, path, assumed: options.path === undefined },
  });
  return { endpoint, serve };
}

function callersOf(options: HttpOptions, shared: SharedQuotas | undefined): Callers {
  const { maxRunning: calls = limits.http.maxRunning.value, callerOf, rateLimit, store } = options;
  const { maxStreams: streams = limits.http.maxStreams.value, callerShare: share = limits.http.callerShare.value } =
    options;
  const { maxIncoming: incoming = limits.http.incomingInAll.value } = options;
  const whole = { calls, streams, waiting: maxWaiting, subscriptions: maxSubscriptionBytes, incoming };
  const rates = rateCounter(rateSpec(rateLimit, { name: 'default', key: 'http' }));
  return new Callers({ whole, share, callerOf, terms: { rates, store }, shared });
}

/** The authenticator of this endpoint, with the address it is for. */
function authAt(auth: HttpOptions['auth'], endpoint: ProtectedEndpoint): Authenticator | undefined {
  if (auth === undefined) return undefined;
  const one = 'authenticate' in auth ? auth : anyOf(...auth);
  return one.at?.(endpoint) ?? one;
}

/** Clients send the host of the public URL. */
function withHost({ allowHosts = [], ...options }: GuardOptions, host: string | undefined): GuardOptions {
  return { ...options, allowHosts: host === undefined ? allowHosts : [...allowHosts, host] };
}

/** The documents of a server card, if the endpoint has one. */
function cardOf(
  server: Engine,
  { serverCard, path = defaultPath, sse }: HttpOptions,
  { resource, auth }: { resource: Resource | undefined; auth: Authenticator | undefined },
): PublicDocument[] {
  if (serverCard === undefined) return [];
  if (resource === undefined) {
    throw new TypeError(
      '"serverCard" needs the option "resource": the public URL of the endpoint, such as https://api.example.com/mcp',
    );
  }
  const { header = [], anonymous = false } = auth ?? {};
  const { stream = '/sse' } = sse === true ? {} : (sse ?? {});
  return cardDocuments(
    {
      info: () => server.info,
      paths: [...new Set([path, resource.path])],
      url: resource.text,
      sseUrl: sse === undefined ? undefined : new URL(stream, resource.text).href,
      headers: [header].flat(),
      anonymous,
      versions: [...versionsIn('handshake'), ...versionsIn('stateless')],
    },
    serverCard,
  );
}

/** A proxy may or may not have stripped the prefix of the public path: both are served. */
function routesOf({ path = defaultPath, sse }: HttpOptions, publicPath = path): Routes {
  const route: Route = {
    POST: post,
    GET: (context) => get(context.endpoint, context),
    DELETE: remove,
  };
  const routes = new Map<string, Route>([
    [path, route],
    [publicPath, route],
  ]);
  if (sse === undefined) return routes;
  const { stream = '/sse', messages = '/messages' } = sse === true ? {} : sse;
  const messagesBeside = ({ path: at, mount }: HttpRequest): string => (at === stream ? messages : mount + messages);
  routes.set(stream, { GET: (context) => openSse(context, messagesBeside(context.http)) });
  routes.set(messages, { POST: postSse });
  return routes;
}

function startRelay({ server, store }: Endpoint): Promise<() => void> {
  return relayChanges(server.feed, store, {
    report: (error) => server.reportError('Changes could not be published to other instances', error),
    lists: () => offeredLists(server),
  });
}

/** Serves DELETE: ends the session that the client names. */
async function remove(context: HttpContext): Promise<void> {
  const { endpoint, http } = context;
  const id = http.header('mcp-session-id');
  if (id === undefined) {
    const message = 'DELETE ends a session, and Mcp-Session-Id is missing';
    return reject(context, { status: 405, message, headers: { Allow: 'POST' } });
  }
  const member = await sessionOf(endpoint.sessions, context, { changes: false });
  if (isRejected(member)) return reject(context, member);
  await endpoint.sessions.end(id);
  sendEmpty(context, 204);
}
