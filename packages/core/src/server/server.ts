import type { Message, Params, Response } from '../jsonrpc/message.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import type { LogLevel } from '../protocol/logging.ts';
import type { Prompt, Resource, Template, Tool } from './define/define.ts';
import type { Peer } from './peer.ts';
import type { Audience } from './change-feed.ts';
import type { Observer } from './observer.ts';
import type { Middleware, MiddlewareOptions } from './call/operation.ts';
import type { StuckHandler } from './call/timeout.ts';

/** A server: offers tools, resources and prompts to any number of clients. Create one with `createServer`. */
export interface Server {
  readonly info: Implementation;
  readonly tools: Offered<Tool>;
  readonly resources: OfferedResources;
  readonly templates: Offered<Template>;
  readonly prompts: Offered<Prompt>;
  /** The declared capabilities. */
  readonly capabilities: ServerCapabilities;
  /** The stuck handlers, which still run after their timeout, oldest first. */
  readonly stuck: readonly StuckHandler[];
  /** Adds middleware around everything that is served; the one added last runs outermost. */
  use(middleware: Middleware, options?: MiddlewareOptions): this;
  /**
   * Adds an observer of every request, also of those rejected before middleware. Returns the function that removes it.
   * Observe a composed server as a whole.
   */
  observe(observer: Observer): () => void;
  /** Writes to the server's log and to all handshake clients with this log level. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /** Writes an error to the server's log, with its stack. Clients do not see it. */
  reportError(message: string, error: unknown): void;
  /**
   * Sends a notification of one of the server's extensions to subscribed clients; if it is a broadcast, also to all
   * handshake clients that declared the extension.
   */
  notify(method: string, params?: Params): void;
  /** The single entry point: handles a message and returns its response, synchronously if nothing is awaited. */
  handle(message: Message, peer: Peer): Response | undefined | Promise<Response | undefined>;
}

/** Named entries of a server, in the order they were added. */
export interface Offered<Item> extends Iterable<Item> {
  readonly size: number;
  /** Adds items and notifies listeners. A duplicate name is an error, and then nothing is added. */
  add(...items: Item[]): void;
  /** Removes an item by name and notifies listeners; false if there is none. */
  remove(name: string): boolean;
  has(name: string): boolean;
  get(name: string): Item | undefined;
  /** Notifies subscribers that the list changed, although no entry was added or removed. */
  changed(to?: Audience): void;
}

/** The resources that a server offers. */
export interface OfferedResources extends Offered<Resource> {
  /** Notifies subscribers that a resource changed; with `to`, only callers with that principal. */
  updated(uri: string, to?: Audience): void;
  /** Calls back with URIs when clients subscribe to them, to subscribe to an upstream source. */
  onSubscribe(begun: (uris: Iterable<string>) => void): () => void;
  /** The URIs that clients subscribed to, those of other parts of a composed server included. */
  subscribedUris(): Iterable<string>;
}
