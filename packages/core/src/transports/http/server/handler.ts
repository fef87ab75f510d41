import type { IncomingMessage, ServerResponse } from 'node:http';
import { anyOf } from '../../../auth/server/any-of.ts';
import type { Authenticator, ProtectedEndpoint } from '../../../auth/server/authenticator.ts';
import { readResource } from '../../../auth/server/resource-url.ts';
import type { Metrics } from '../../../metrics/metrics.ts';
import { assertKnownOptions } from '../../../schema/known-options.ts';
import type { Engine } from '../../../server/engine.ts';
import { rateCounter } from '../../../server/quotas/rate-counter.ts';
import type { RateLimit } from '../../../server/quotas/rate-limit.ts';
import type { Server } from '../../../server/server.ts';
import { engineOf } from '../../../server/server-handle.ts';
import { warmUpAfterAnswer } from '../../../server/warm-up.ts';
import { inWorkers } from '../../../runtime/kind.ts';
import { isMemoryStore, memoryStore } from '../../../stores/memory.ts';
import type { Store } from '../../../stores/store.ts';
import { openSse, postSse, type SsePaths } from '../../sse/server/serve.ts';
import type { HttpRequest, Serve } from './bindings/binding.ts';
import { fetchBinding } from './bindings/fetch.ts';
import { HeldAnswers } from './bindings/held-answers.ts';
import { nodeBinding } from './bindings/node.ts';
import { Outgoing } from './bindings/outgoing.ts';
import { remove } from './delete.ts';
import { documentsAt } from './document.ts';
import { type CallerOf, Callers } from './endpoint/callers.ts';
import { countAnswers, type StatusCounts } from './endpoint/counted-answers.ts';
import type { Endpoint, Route } from './endpoint/endpoint.ts';
import { endpointFamilies } from './endpoint/endpoint-metrics.ts';
import { FairTurns } from './endpoint/fair-turns.ts';
import { guardStore } from './endpoint/guarded-store.ts';
import { type HealthPaths, type Readiness, readinessOf } from './endpoint/health.ts';
import { HeapMark } from './endpoint/heap-mark.ts';
import { LongAnswers } from './endpoint/long-answers.ts';
import { offeredLists } from './endpoint/offered-lists.ts';
import { PlaceKeeper } from './endpoint/shared-places.ts';
import { watchStore } from './endpoint/watch-store.ts';
import { WorkCount } from './endpoint/work-count.ts';
import { createGuard, type GuardOptions } from './gate/guard.ts';
import { createNowhere } from './endpoint/place.ts';
import { get } from './get/get.ts';
import { post, serveRequest } from './request.ts';
import { relayChanges } from './sessions/relay-changes.ts';
import { type SessionOptions, Sessions } from './sessions/sessions.ts';
import { Streams } from './streams/streams.ts';
import { checkLimits, limits } from '../../../limits.ts';

/** How a server is served over HTTP. */
export interface HttpOptions extends GuardOptions {
  /**
   * The path of the endpoint. Default: `/mcp`. Everything else is 404. Below a router of express it may be the path there;
   * below those of other frameworks it is the whole path.
   */
  path?: string;
  /** Who may call; a list is asked in turn. Default: whoever reaches the endpoint. */
  auth?: Authenticator | readonly Authenticator[];
  /**
   * The public address of this endpoint, as its clients write it, such as `https://api.example.com/mcp`. Tokens are for it.
   * It ends with the path.
   */
  resource?: string;
  /** The longest body, in bytes. Default: 1 MiB. */
  maxBody?: number;
  sessions?: SessionOptions;
  /** How many streams may be open at a time. Default: 2000. */
  maxStreams?: number;
  /** How many requests may wait for their handlers at a time. Default: 4096. */
  maxRunning?: number;
  /** How much requests may take in memory, while they are read and served, about, in bytes. Default: 16 MiB. */
  maxIncoming?: number;
  /** How much may wait for clients to read it, over all connections, in bytes. Default: 24 MiB. */
  maxUnsent?: number;
  /** How long a client may take nothing of what waits for it, in milliseconds. Default: 30 000. */
  stalledMs?: number;
  /** How many percent of all calls, streams, sessions and subscriptions one caller may hold; 100: no quota. Default: 25. */
  callerShare?: number;
  /**
   * Names callers for quotas and rate limits. Default: the principal, else the session, else the address. Behind a proxy
   * all come from one address: take their names from a header that the proxy sets.
   */
  callerOf?: CallerOf;
  /** How often one caller may send requests, `ping` aside. Default: as often as they like. */
  rateLimit?: RateLimit;
  /** How often something is written to idle streams, in milliseconds. Default: 15 000. */
  keepAliveMs?: number;
  /** Serves the transport of the first revision too, with its two paths. Default: not. */
  sse?: true | SsePaths;
  /** What instances of this server share. Default: nothing, this process is alone. */
  store?: Store;
  /** Where probes are told that the server is well, whoever asks; `true`: `/healthz` and `/readyz`. Default: nowhere. */
  health?: boolean | HealthPaths;
  /** What is measured of the server: the handler adds what it knows. Default: nothing. */
  metrics?: Metrics;
}

/** An MCP endpoint over HTTP, for a server of `node:http` and for anything that speaks web-standard requests. */
export interface HttpHandler {
  /** For `http.createServer(handler.node)`, and frameworks that pass such requests on. */
  node(request: IncomingMessage, response: ServerResponse): void;
  /** For frameworks and runtimes with `Request` and `Response`. */
  fetch(request: Request): Promise<Response>;
  /** Whether requests should be sent here, or why not: what `/readyz` says. */
  readiness(): Readiness;
  /** Ends streams properly and lets running requests finish, at most as long as said; then they are given up. */
  close(options?: { graceMs?: number }): Promise<void>;
}

const defaultPath = '/mcp';

/** How long requests that were given up may take to say so. */
const lastWordsMs = limits.http.lastWordsMs.value;

/** How a handler is closed. */
interface Closing {
  graceMs?: number;
  /** Waits for requests that are on their way: until it resolves, they are served too. Default: none is. */
  linger?: () => Promise<unknown>;
}

/** A handler that can be closed while requests still come. */
export interface DrainedHandler extends HttpHandler {
  close(closing?: Closing): Promise<void>;
}

/** The options that a handler has. One that is misspelt would leave an endpoint open without a word. */
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

/** As `httpHandler`, for who knows of the connections too. */
export function drainedHandler(server: Server, options: HttpOptions): DrainedHandler {
  checkLimits('httpHandler', options);
  const engine = engineOf(server);
  const endpoint = openEndpoint(engine, options);
  const callOffWarmUp = warmUpAfterAnswer(engine);
  const relay = options.store === undefined ? undefined : startRelay(endpoint);
  const unwatch = watchStore(endpoint.store, engine);
  const closeExtensions = engine.open(endpoint.store, options.store !== undefined);
  endpoint.starting = relay?.finally(() => {
    endpoint.starting = undefined;
  });

  /** Lets what runs finish, at most as long as said, and ends the streams. */
  async function finish(graceMs: number): Promise<void> {
    const { running, work, streams } = endpoint;
    await work.idle(graceMs);
    for (const request of running) request.giveUp();
    await work.idle(lastWordsMs);
    streams.endAll();
  }

  async function close({ graceMs = limits.http.graceMs.value, linger }: Closing = {}): Promise<void> {
    const { running, sessions, lingering, memory, store } = endpoint;
    const end = performance.now() + graceMs;
    endpoint.closing = true;
    endpoint.refusing = linger === undefined;
    callOffWarmUp();
    for (const request of running) request.close();
    await finish(graceMs);
    if (linger !== undefined) {
      await linger();
      await finish(Math.max(0, end - performance.now()));
      endpoint.refusing = true;
    }
    await closeExtensions();
    for (const end of lingering) end();
    memory.outgoing.clear();
    stopMeasuring();
    (await relay)?.();
    await endpoint.places?.close();
    unwatch();
    sessions.close();
    if (options.store === undefined) await store.close();
  }

  const { serve, stopMeasuring } = measured(endpoint, options.metrics);
  const { outgoing } = endpoint.memory;
  const readiness = (): Readiness => readinessOf(endpoint);
  return { node: nodeBinding(serve, outgoing, endpoint.held), fetch: fetchBinding(serve, outgoing), readiness, close };
}

/** Serves requests, and where somebody measures, adds what is known here. */
function measured(endpoint: Endpoint, metrics: Metrics | undefined): { serve: Serve; stopMeasuring(): void } {
  const serve = serveRequest.bind(undefined, endpoint);
  if (metrics === undefined) return { serve, stopMeasuring() {} };
  const answers: StatusCounts = new Map();
  const stopMeasuring = metrics.add(() => endpointFamilies(endpoint, answers));
  return { serve: countAnswers(serve, answers), stopMeasuring };
}

function openEndpoint(server: Engine, options: HttpOptions): Endpoint {
  const { store: given = memoryStore(), path = defaultPath } = options;
  const store = isMemoryStore(given) ? given : guardStore(given, server);
  const resource = options.resource === undefined ? undefined : readResource(options.resource, path);
  const auth = authAt(options.auth, {
    resource: resource?.text,
    path,
    relevantScopes: (granted) => server.knownScopes.among(granted),
    store,
    log: server.note.bind(server),
  });
  const { maxBody = limits.http.maxBody.value, maxRunning = limits.http.maxRunning.value } = options;
  // There, nobody could say for longer than a request lasts that this instance is still there.
  const places = options.store === undefined || inWorkers ? undefined : new PlaceKeeper(options.store);
  const held = new HeldAnswers((error) => server.reportError('An answer could not be sent', error));
  const { keepAliveMs = limits.http.keepAliveMs.value, callerShare = limits.http.callerShare.value } = options;
  return {
    server,
    store,
    auth,
    guard: createGuard(withHost(options, resource?.host), auth?.header),
    documents: documentsAt(auth?.documents),
    routes: routesOf(options, resource?.path),
    nowhere: createNowhere({ server, path, assumed: options.path === undefined }),
    health: options.health === true ? {} : options.health || undefined,
    sessions: new Sessions(server, store, { ...options.sessions, callerShare }),
    streams: new Streams({ keepAliveMs }),
    callers: callersOf(options, places),
    places,
    // There, a request that waits can't be served by another one, and the clock stands still while one is.
    turns: inWorkers ? undefined : new FairTurns(undefined, (serve) => held.together(serve)),
    held,
    memory: {
      outgoing: new Outgoing({ max: options.maxUnsent, stalledMs: options.stalledMs }),
      heap: new HeapMark(),
      longAnswers: new LongAnswers(),
    },
    maxBody,
    maxRunning,
    running: new Set(),
    lingering: new Set(),
    work: new WorkCount(),
    starting: undefined,
    closing: false,
    refusing: false,
  };
}

function callersOf(options: HttpOptions, places: PlaceKeeper | undefined): Callers {
  const { maxRunning: calls = limits.http.maxRunning.value, callerOf, rateLimit, store } = options;
  const { maxStreams: streams = limits.http.maxStreams.value, callerShare: share = limits.http.callerShare.value } =
    options;
  const { maxIncoming: incoming = limits.http.incomingInAll.value } = options;
  const [waiting, watched] = [limits.http.maxWaiting.value, limits.server.watchedInAll.value];
  const whole = { calls, streams, waiting, watched, incoming };
  const rates = rateCounter(rateLimit, { name: 'default', key: 'http' });
  return new Callers({ whole, share, callerOf, terms: { rates, store }, places });
}

/** The authenticator of this endpoint, with the address it is for. */
function authAt(auth: HttpOptions['auth'], endpoint: ProtectedEndpoint): Authenticator | undefined {
  if (auth === undefined) return undefined;
  const one = 'authenticate' in auth ? auth : anyOf(...auth);
  return one.at?.(endpoint) ?? one;
}

/** Who reaches the endpoint by its public address names that as host. */
function withHost({ allowHosts = [], ...options }: GuardOptions, host: string | undefined): GuardOptions {
  return { ...options, allowHosts: host === undefined ? allowHosts : [...allowHosts, host] };
}

/** A proxy may have taken away the beginning of the public path, or not: both are served. */
function routesOf({ path = defaultPath, sse }: HttpOptions, publicPath = path): Map<string, Route> {
  const route = { POST: post, GET: get, DELETE: remove };
  const routes = new Map<string, Route>([
    [path, route],
    [publicPath, route],
  ]);
  if (sse === undefined) return routes;
  const { stream = '/sse', messages = '/messages' } = sse === true ? {} : sse;
  const messagesBeside = ({ path: at, mount }: HttpRequest): string => (at === stream ? messages : mount + messages);
  routes.set(stream, { GET: (endpoint, visit) => openSse(endpoint, visit, messagesBeside(visit.http)) });
  routes.set(messages, { POST: postSse });
  return routes;
}

function startRelay({ server, store }: Endpoint): Promise<() => void> {
  return relayChanges(server.feed, store, {
    report: (error) => server.reportError('Changes could not be told to other instances', error),
    lists: () => offeredLists(server),
  });
}
