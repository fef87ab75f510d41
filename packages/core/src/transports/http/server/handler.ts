import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authenticator, AuthRefusal } from '../../../auth/server/authenticator.ts';
import { ErrorCode } from '../../../jsonrpc/errors.ts';
import type { Auth } from '../../../server/exchange.ts';
import type { Server } from '../../../server/server.ts';
import { memoryStore } from '../../../stores/memory.ts';
import type { Store } from '../../../stores/store.ts';
import { openSse, postSse, type SsePaths } from '../../sse/server/serve.ts';
import { acceptable } from './gate/accept.ts';
import type { Awaitable } from '../../../jsonrpc/awaitable.ts';
import type { HttpRequest, HttpResponder } from './bindings/binding.ts';
import { remove } from './delete.ts';
import { fetchBinding } from './bindings/fetch.ts';
import { get } from './get/get.ts';
import { createGuard, type GuardOptions } from './gate/guard.ts';
import type { Endpoint, Visit } from './endpoint/endpoint.ts';
import { nodeBinding } from './bindings/node.ts';
import { post } from './post/post.ts';
import { later, noHeaders, type Refusal, refuse } from './answer/refusal.ts';
import { relayChanges } from './sessions/relay-changes.ts';
import { type SessionOptions, Sessions } from './sessions/sessions.ts';
import { Streams } from './streams/streams.ts';
import { WorkCount } from './endpoint/work-count.ts';

export interface HttpOptions extends GuardOptions {
  /** The path of the endpoint. Default: `/mcp`. Everything else is 404. */
  path?: string;
  /** Who may call. Default: whoever reaches the endpoint. */
  auth?: Authenticator;
  /** The longest body, in bytes. Default: 1 MiB. */
  maxBody?: number;
  sessions?: SessionOptions;
  /** How many streams may be open at a time. Default: 2000. */
  maxStreams?: number;
  /** How many requests may wait for their handlers at a time. Default: 4096. */
  maxRunning?: number;
  /** How often something is written to idle streams, in milliseconds. Default: 15 000. */
  keepAliveMs?: number;
  /** Serves the transport of the first revision too, with its two paths. Default: not. */
  sse?: true | SsePaths;
  /** What instances of this server share. Default: nothing, this process is alone. */
  store?: Store;
}

/** An MCP endpoint over HTTP, for a server of `node:http` and for anything that speaks web-standard requests. */
export interface HttpHandler {
  /** For `http.createServer(handler.node)`, and frameworks that pass such requests on. */
  node(request: IncomingMessage, response: ServerResponse): void;
  /** For frameworks and runtimes with `Request` and `Response`. */
  fetch(request: Request): Promise<Response>;
  /** Ends streams properly and lets running requests finish, at most as long as said; then they are given up. */
  close(options?: { graceMs?: number }): Promise<void>;
}

/** How long requests that were given up may take to say so. */
const lastWordsMs = 500;

type Method = 'POST' | 'GET' | 'DELETE';
type Route = Partial<Record<Method, (endpoint: Endpoint, visit: Visit) => Awaitable<void>>>;

type Caller = Auth | AuthRefusal | undefined;

/** A request that comes from where it may. */
type Admitted = Pick<Visit, 'http' | 'responder' | 'headers'>;

/** Serves MCP over HTTP: every revision on one endpoint. */
export function httpHandler(server: Server, options: HttpOptions = {}): HttpHandler {
  const { path = '/mcp', auth, maxBody = 1024 * 1024, maxRunning = 4096, store = memoryStore() } = options;
  const { maxStreams = 2000, keepAliveMs = 15_000 } = options;
  const guard = createGuard(options, auth?.header);
  const endpoint: Endpoint = {
    server,
    store,
    sessions: new Sessions(server, store, options.sessions ?? {}),
    streams: new Streams({ max: maxStreams, keepAliveMs }),
    maxBody,
    maxRunning,
    running: new Set(),
    lingering: new Set(),
    work: new WorkCount(),
    closing: false,
  };
  const notFound: Refusal = { status: 404, message: `Not found: the endpoint is ${path}` };
  const routes = new Map<string, Route>([[path, { POST: post, GET: get, DELETE: remove }]]);
  if (options.sse !== undefined) {
    const { stream = '/sse', messages = '/messages' } = options.sse === true ? {} : options.sse;
    routes.set(stream, { GET: (shared, visit) => openSse(shared, visit, messages) });
    routes.set(messages, { POST: postSse });
  }
  const relay = options.store === undefined ? undefined : startRelay(server, store);
  /** Until then a stream might miss a change elsewhere. */
  let starting: Promise<unknown> | undefined = relay?.finally(() => {
    starting = undefined;
  });

  function serve(http: HttpRequest, responder: HttpResponder): Awaitable<void> {
    const refusal = guard.check(http);
    if (refusal !== undefined) return refuse({ responder, headers: noHeaders }, refusal);
    const to = { http, responder, headers: guard.cors(http) };
    endpoint.work.begin();
    try {
      const serving = admit(to);
      if (serving instanceof Promise) {
        return serving.catch((error: unknown) => fail(to, error)).finally(() => endpoint.work.end());
      }
    } catch (error) {
      fail(to, error);
    }
    endpoint.work.end();
  }

  function admit(to: Admitted): Awaitable<void> {
    const { http, responder, headers } = to;
    const route = routes.get(http.path);
    if (route === undefined) return refuse(to, notFound);
    if (http.method === 'OPTIONS') return responder.send(204, [...headers, ...guard.preflight(http)]);
    if (endpoint.closing) return refuse(to, later('The server is shutting down', 5));
    const caller = auth?.authenticate(http);
    const atOnce = starting === undefined && !(caller instanceof Promise);
    return atOnce ? visit(to, route, caller) : visitLater(to, route, caller);
  }

  async function visitLater(to: Admitted, route: Route, caller: Awaitable<Caller>): Promise<void> {
    const known = await caller;
    await starting;
    return visit(to, route, known);
  }

  function visit(to: Admitted, route: Route, caller: Caller): Awaitable<void> {
    const { http, responder, headers } = to;
    if (caller !== undefined && !isAuth(caller)) return refuse(to, caller);
    const serveMethod = Object.hasOwn(route, http.method) ? route[http.method as Method] : undefined;
    if (serveMethod === undefined) return refuse(to, notAllowed(http.method, route));
    return serveMethod(endpoint, {
      http,
      responder,
      headers,
      accepts: acceptable(http.header('accept')),
      auth: caller,
    });
  }

  function fail(to: Admitted, error: unknown): void {
    server.reportError('Unexpected error in an HTTP request', error);
    refuse(to, { status: 500, message: 'Internal error', code: ErrorCode.InternalError });
  }

  async function close({ graceMs = 5000 }: { graceMs?: number } = {}): Promise<void> {
    endpoint.closing = true;
    for (const request of endpoint.running) request.close();
    await endpoint.work.idle(graceMs);
    for (const request of endpoint.running) request.giveUp();
    await endpoint.work.idle(lastWordsMs);
    endpoint.streams.endAll();
    for (const end of endpoint.lingering) end();
    (await relay)?.();
    if (options.store === undefined) await store.close();
  }

  return { node: nodeBinding(serve), fetch: fetchBinding(serve), close };
}

function notAllowed(method: string, route: Route): Refusal {
  const allow = Object.keys(route).join(', ');
  return { status: 405, message: `${method} is not served: use ${allow}`, headers: { Allow: allow } };
}

function isAuth(caller: Auth | AuthRefusal): caller is Auth {
  return 'principal' in caller;
}

async function startRelay(server: Server, store: Store): Promise<(() => void) | undefined> {
  const report = (error: unknown): void => server.reportError('Changes could not be told to other instances', error);
  try {
    return await relayChanges(server.feed, store, report);
  } catch (error) {
    report(error);
    return undefined;
  }
}
