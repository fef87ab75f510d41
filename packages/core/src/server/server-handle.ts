import { newestRevision } from '../revisions/negotiate.ts';
import type { Engine } from './engine.ts';
import { foreignMethods } from './define/migration-hints.ts';
import type { Server } from './server.ts';

/** A global symbol: a server may come from another copy of this library, such as that of a user's file. */
const key = Symbol.for('@ccmcp/core engine');

interface Keyed extends Server {
  readonly [key]?: Engine;
}

/** Creates the public interface of an engine. */
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
      return engine.capabilities.forRevision(newestRevision());
    },
    get stuck() {
      return (engine.timeLimit as typeof engine.timeLimit | undefined)?.stuck ?? [];
    },
    use(middleware, options) {
      middleware.install?.(server);
      engine.use(middleware, options);
      return server;
    },
    observe: engine.observe.bind(engine),
    log: engine.log.bind(engine),
    reportError: engine.reportError.bind(engine),
    notify: engine.notify.bind(engine),
    handle: (message, peer) => engine.handle(message, peer),
  };
  Object.defineProperty(server, key, { value: engine });
  return server;
}

/** Returns the engine of a server, for transports and `compose`. */
export function engineOf(server: Server): Engine {
  const engine = (server as Keyed)[key];
  if (engine === undefined) throw new TypeError('This is no server: make one with createServer of @ccmcp/core');
  return engine;
}

/** True for a server, also of another copy of this library. */
export function isServer(value: unknown): value is Server {
  return typeof value === 'object' && value !== null && key in value;
}
