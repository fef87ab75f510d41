import type { Params } from '../jsonrpc/message.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import type { PromptListing, ResourceListing, TemplateListing, ToolListing } from '../protocol/listing.ts';
import type { LogLevel } from '../protocol/logging.ts';
import type { CallToolResult, GetPromptResult, ReadResourceResult, Result } from '../protocol/results.ts';
import { CachedRequests } from './calls/cached-requests.ts';
import type { Connection } from './connection/connection.ts';
import { ResultError } from './errors.ts';
import { listenByRequest } from './subscriptions/listen-by-request.ts';
import { listenToSession, ResourceSubscriptions } from './subscriptions/listen-to-session.ts';
import { setInternals } from './internals.ts';
import { type Listing, createListing } from './calls/paged-list.ts';
import { ToolCalls } from './calls/tool-calls.ts';
import type { RequestOptions } from './request-options.ts';
import type { Filter, ListenOptions, Subscription } from './subscriptions/subscription.ts';

/** The argument to complete: of a prompt, or of a resource template. */
export interface CompletionQuestion {
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
  argument: { name: string; value: string };
  /** The values of the other arguments that are known so far. */
  context?: { arguments?: Record<string, string> };
}

/** The values an argument may be completed to. */
export interface Completion {
  values: string[];
  total?: number;
  hasMore?: boolean;
}

/** A connection to one server. Created by `connect`. */
export class Client {
  readonly #connection: Connection;
  readonly #requests: CachedRequests;
  readonly #toolCalls: ToolCalls;
  readonly #subscriptions: ResourceSubscriptions;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#requests = new CachedRequests(connection);
    this.#toolCalls = new ToolCalls(connection, this.#requests);
    this.#subscriptions = new ResourceSubscriptions(connection);
    setInternals(this, { connection, toolCalls: this.#toolCalls });
    connection.lifecycle.sessionRestorers.add(async () => {
      if (connection.logLevel !== undefined) await this.setLogLevel(connection.logLevel);
    });
  }

  /** The server's name and version: for display, never for decisions. */
  get serverInfo(): Implementation | undefined {
    return this.#connection.agreement.serverInfo;
  }

  /** The capabilities of the server. */
  get capabilities(): ServerCapabilities {
    return this.#connection.agreement.capabilities;
  }

  /** Instructions of the server for the model. */
  get instructions(): string | undefined {
    const { agreement, guard } = this.#connection;
    return guard?.allowsInstructions(agreement.instructions) === false ? undefined : agreement.instructions;
  }

  /** The negotiated protocol version, a date. */
  get protocolVersion(): string {
    return this.#connection.agreement.revision.version;
  }

  /** How the sides identify themselves: by a handshake, or statelessly in each request. */
  get era(): 'handshake' | 'stateless' {
    return this.#connection.agreement.revision.era;
  }

  /** True if both this client and the server declared the extension. */
  supports(id: string): boolean {
    return this.#connection.supports(id);
  }

  /** The tools, page by page. */
  listTools(options?: RequestOptions): Listing<ToolListing> {
    return this.#toolCalls.list(options);
  }

  /** The resources, page by page. */
  listResources(options?: RequestOptions): Listing<ResourceListing> {
    return createListing('resources', (cursor) => this.#requests.requestPage('resources/list', cursor, options));
  }

  /** The resource templates, page by page. */
  listResourceTemplates(options?: RequestOptions): Listing<TemplateListing> {
    return createListing('resourceTemplates', (cursor) =>
      this.#requests.requestPage('resources/templates/list', cursor, options),
    );
  }

  /** The prompts, page by page. */
  listPrompts(options?: RequestOptions): Listing<PromptListing> {
    return createListing('prompts', (cursor) => this.#requests.requestPage('prompts/list', cursor, options));
  }

  /** Calls a tool. A failed tool returns a result with `isError`; a call that can't be made throws. */
  callTool(name: string, args: Record<string, unknown> = {}, options?: RequestOptions): Promise<CallToolResult> {
    if (typeof name !== 'string') return Promise.reject(wrongCall('callTool(name, args)'));
    return this.#toolCalls.call(name, args, options);
  }

  /** Reads a resource. */
  async readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    if (typeof uri !== 'string') throw wrongCall('readResource(uri)');
    const result = await this.#requests.request('resources/read', { uri }, options);
    if (!Array.isArray(result.contents))
      throw new ResultError('The server returned a resource without contents', result);
    return result as ReadResourceResult;
  }

  /** Gets a prompt, rendered with its arguments. */
  async getPrompt(name: string, args: Record<string, string> = {}, options?: RequestOptions): Promise<GetPromptResult> {
    if (typeof name !== 'string') throw wrongCall('getPrompt(name, args)');
    const result = await this.#connection.request('prompts/get', { name, arguments: args }, options);
    if (!Array.isArray(result.messages)) throw new ResultError('The server returned a prompt without messages', result);
    return result as GetPromptResult;
  }

  /** Completes an argument. */
  async complete(question: CompletionQuestion, options?: RequestOptions): Promise<Completion> {
    const { completion } = await this.#connection.request('completion/complete', { ...question }, options);
    const { values } = (completion ?? {}) as Partial<Completion>;
    if (!Array.isArray(values)) throw new ResultError('The server returned a completion without values', completion);
    return completion as Completion;
  }

  /** Sets the minimum level of log messages from now on. */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#connection.logLevel = level;
    if (this.#hasMethod('logging/setLevel')) await this.#connection.request('logging/setLevel', { level });
  }

  /** Subscribes to changes, in either era, until the subscription is closed. */
  listen(filter: Filter, options: ListenOptions = {}): Promise<Subscription> {
    if (this.#hasMethod('subscriptions/listen')) return listenByRequest(this.#connection, filter, options);
    return listenToSession(this.#connection, this.#subscriptions, filter, options);
  }

  /** Subscribes to one resource. Handshake era only; `listen` works in both. */
  subscribe(uri: string): Promise<void> {
    if (typeof uri !== 'string') return Promise.reject(wrongCall('subscribe(uri)'));
    return this.#hasMethod('resources/subscribe')
      ? this.#subscriptions.add(uri)
      : Promise.reject(missingMethod('subscribe'));
  }

  /** Undoes `subscribe`. */
  unsubscribe(uri: string): Promise<void> {
    if (typeof uri !== 'string') return Promise.reject(wrongCall('unsubscribe(uri)'));
    return this.#hasMethod('resources/subscribe')
      ? this.#subscriptions.remove(uri)
      : Promise.reject(missingMethod('unsubscribe'));
  }

  /** Checks that the server responds: with `ping`, or with `server/discover` in the stateless era. */
  async ping(options?: RequestOptions): Promise<void> {
    await this.#connection.request(this.#hasMethod('ping') ? 'ping' : 'server/discover', undefined, options);
  }

  /** Notifies the server that the roots changed, if its protocol version has that. */
  async rootsChanged(): Promise<void> {
    await this.#connection.notify('notifications/roots/list_changed');
  }

  /** Sends any other request, such as one of an extension. */
  request(method: string, params?: Params, options?: RequestOptions): Promise<Result> {
    return this.#connection.request(method, params, options);
  }

  /** Sends a notification of an extension. Does nothing if the server lacks the extension. */
  async notify(method: string, params?: Params): Promise<void> {
    await this.#connection.notifyExtension(method, params);
  }

  /**
   * Closes the connection and rejects pending requests. `graceMs` overrides the usual grace period of each step of the
   * server's shutdown.
   */
  close(graceMs?: number): Promise<void> {
    return this.#connection.lifecycle.close(graceMs);
  }

  #hasMethod(method: string): boolean {
    return this.#connection.agreement.revision.requests.has(method);
  }
}

function missingMethod(verb: string): Error {
  return new Error(`This server's protocol version has no "${verb}": use listen({ uris })`);
}

function wrongCall(usage: string): TypeError {
  return new TypeError(`The first argument must be a string: ${usage}`);
}
