import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authenticator } from '../../../auth/server/authenticator.ts';
import type { Engine } from '../../../server/engine.ts';
import type { Server } from '../../../server/server.ts';
import { engineOf } from '../../../server/server-face.ts';
import { memoryStore } from '../../../stores/memory.ts';
import type { Store } from '../../../stores/store.ts';
import { openSse, postSse, type SsePaths } from '../../sse/server/serve.ts';
import { fetchBinding } from './bindings/fetch.ts';
import { nodeBinding } from './bindings/node.ts';
import { remove } from './delete.ts';
import type { Endpoint, Route } from './endpoint/endpoint.ts';
import { WorkCount } from './endpoint/work-count.ts';
import { createGuard, type GuardOptions } from './gate/guard.ts';
import { get } from './get/get.ts';
import { post, serveRequest } from './request.ts';
import { relayChanges } from './sessions/relay-changes.ts';
import { type SessionOptions, Sessions } from './sessions/sessions.ts';
import { Streams } from './streams/streams.ts';
import { limits } from '../../../limits.ts';

/** How a server is served over HTTP. */
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
const lastWordsMs = limits.http.lastWordsMs.value;

/** Serves MCP over HTTP: every revision on one endpoint. */
export function httpHandler(server: Server, options: HttpOptions = {}): HttpHandler {
  const endpoint = openEndpoint(engineOf(server), options);
  const relay = options.store === undefined ? undefined : startRelay(endpoint);
  endpoint.starting = relay?.finally(() => {
    endpoint.starting = undefined;
  });

  async function close({ graceMs = limits.http.graceMs.value }: { graceMs?: number } = {}): Promise<void> {
    const { running, work, streams, lingering, store } = endpoint;
    endpoint.closing = true;
    for (const request of running) request.close();
    await work.idle(graceMs);
    for (const request of running) request.giveUp();
    await work.idle(lastWordsMs);
    streams.endAll();
    for (const end of lingering) end();
    (await relay)?.();
    if (options.store === undefined) await store.close();
  }

  const serve = serveRequest.bind(undefined, endpoint);
  return { node: nodeBinding(serve), fetch: fetchBinding(serve), close };
}

function openEndpoint(server: Engine, options: HttpOptions): Endpoint {
  const { auth, store = memoryStore() } = options;
  const { maxBody = limits.http.maxBody.value, maxRunning = limits.http.maxRunning.value } = options;
  const { maxStreams = limits.http.maxStreams.value, keepAliveMs = limits.http.keepAliveMs.value } = options;
  return {
    server,
    store,
    auth,
    guard: createGuard(options, auth?.header),
    routes: routesOf(options),
    sessions: new Sessions(server, store, options.sessions ?? {}),
    streams: new Streams({ max: maxStreams, keepAliveMs }),
    maxBody,
    maxRunning,
    running: new Set(),
    lingering: new Set(),
    work: new WorkCount(),
    starting: undefined,
    closing: false,
  };
}

function routesOf({ path = '/mcp', sse }: HttpOptions): Map<string, Route> {
  const routes = new Map<string, Route>([[path, { POST: post, GET: get, DELETE: remove }]]);
  if (sse === undefined) return routes;
  const { stream = '/sse', messages = '/messages' } = sse === true ? {} : sse;
  routes.set(stream, { GET: (endpoint, visit) => openSse(endpoint, visit, messages) });
  routes.set(messages, { POST: postSse });
  return routes;
}

async function startRelay({ server, store }: Endpoint): Promise<(() => void) | undefined> {
  const report = (error: unknown): void => server.reportError('Changes could not be told to other instances', error);
  try {
    return await relayChanges(server.feed, store, report);
  } catch (error) {
    report(error);
    return undefined;
  }
}
