import { newestRevision } from '../revisions/history.ts';
import type { Engine } from './engine.ts';
import { foreignMethods } from './define/migration-hints.ts';
import type { Server } from './server.ts';

/** A server may come from another copy of this library, such as that of a user's file: the key is the same in all. */
const key = Symbol.for('@ccmcp/core engine');

interface Keyed extends Server {
  readonly [key]?: Engine;
}

/** Returns an engine its public face. */
export function serverOf(engine: Engine): Server {
  const server: Keyed = {
    // @ts-expect-error -- the engine of a server is none of its members
    __proto__: foreignMethods,
    get info() {
      return engine.info;
    },
    get tools() {
      return engine.catalog.tools;
    },
    get resources() {
      return engine.catalog.resources;
    },
    get templates() {
      return engine.catalog.templates;
    },
    get prompts() {
      return engine.catalog.prompts;
    },
    get capabilities() {
      return engine.capabilities.forRevision(newestRevision);
    },
    get stuck() {
      return engine.timeLimit.stuck;
    },
    use(middleware, options) {
      engine.use(middleware, options);
      return server;
    },
    observe: (observer) => engine.observe(observer),
    log: (level, data, logger) => engine.log(level, data, logger),
    reportError: (message, error) => engine.reportError(message, error),
    notify: (method, params) => engine.notify(method, params),
    handle: (message, peer) => engine.handle(message, peer),
  };
  Object.defineProperty(server, key, { value: engine });
  return server;
}

/** Returns the engine behind a server, to transports and to `compose`. */
export function engineOf(server: Server): Engine {
  const engine = (server as Keyed)[key];
  if (engine === undefined) throw new TypeError('This is no server: make one with createServer of @ccmcp/core');
  return engine;
}

/** True for what `createServer` makes, also that of another copy of this library. */
export function isServer(value: unknown): value is Server {
  return typeof value === 'object' && value !== null && key in value;
}
