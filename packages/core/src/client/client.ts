import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import type { Params } from '../jsonrpc/message.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import type { PromptListing, ResourceListing, TemplateListing, ToolListing } from '../protocol/listing.ts';
import type { LogLevel } from '../protocol/logging.ts';
import type { CallToolResult, GetPromptResult, ReadResourceResult, Result } from '../protocol/results.ts';
import { ResponseCache } from './calls/response-cache.ts';
import type { RequestHooks } from './connection/sent-request.ts';
import type { Connection } from './connection/connection.ts';
import { ResultError } from './errors.ts';
import { listenByRequest } from './subscriptions/listen-by-request.ts';
import { listenToSession, ResourceSubscriptions } from './subscriptions/listen-to-session.ts';
import { OutputValidator } from './calls/output-check.ts';
import { setInternals } from './internals.ts';
import { type Listing, createListing } from './calls/paged-list.ts';
import { retryCall, RepeatableTools, withIdempotencyKey } from './calls/retry-call.ts';
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
  readonly #cache = new ResponseCache();
  readonly #outputValidator = new OutputValidator();
  readonly #repeatable = new RepeatableTools();
  readonly #subscriptions: ResourceSubscriptions;
  readonly #callHooks: RequestHooks = {
    finish: (result, params) => this.#outputValidator.validate(params?.name as string, result),
    recover: (error, params, options) => this.#recover(error, params, options),
  };

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#subscriptions = new ResourceSubscriptions(connection);
    setInternals(this, {
      connection,
      call: (params, options) =>
        connection.request(
          'tools/call',
          params,
          { ...withIdempotencyKey(options), follow: false },
          {
            recover: (error, about, given) => this.#recover(error, about, given),
          },
        ),
      prepare: (name) => this.#prepare(name),
      finish: (name, result) => this.#outputValidator.validate(name, result),
    });
    connection.changeListeners.add((change) => this.#cache.invalidate(change));
    connection.sessionRestorers.add(async () => {
      this.#cache.clear();
      if (connection.logLevel !== undefined) await this.setLogLevel(connection.logLevel);
    });
  }

  /** The server's name and version: for display, never for decisions. */
  get serverInfo(): Implementation | undefined {
    return this.#connection.agreement.serverInfo;
  }

  /** What the server offers. */
  get capabilities(): ServerCapabilities {
    return this.#connection.agreement.capabilities;
  }

  /** Instructions of the server for the model. */
  get instructions(): string | undefined {
    return this.#connection.agreement.instructions;
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
    return createListing('tools', async (cursor) => {
      const page = await this.#requestCached('tools/list', toPageParams(cursor), options);
      this.#outputValidator.recordTools(page.tools, cursor);
      this.#repeatable.recordTools(page.tools, cursor);
      return page;
    });
  }

  /** The resources, page by page. */
  listResources(options?: RequestOptions): Listing<ResourceListing> {
    return createListing('resources', (cursor) => this.#requestCached('resources/list', toPageParams(cursor), options));
  }

  /** The resource templates, page by page. */
  listResourceTemplates(options?: RequestOptions): Listing<TemplateListing> {
    return createListing('resourceTemplates', (cursor) =>
      this.#requestCached('resources/templates/list', toPageParams(cursor), options),
    );
  }

  /** The prompts, page by page. */
  listPrompts(options?: RequestOptions): Listing<PromptListing> {
    return createListing('prompts', (cursor) => this.#requestCached('prompts/list', toPageParams(cursor), options));
  }

  /** Calls a tool. A failed tool returns a result with `isError`; a call that can't be made throws. */
  callTool(name: string, args: Record<string, unknown> = {}, options?: RequestOptions): Promise<CallToolResult> {
    try {
      this.#prepare(name);
    } catch (error) {
      return Promise.reject(error);
    }
    const called = this.#connection.request(
      'tools/call',
      { name, arguments: args },
      withIdempotencyKey(options),
      this.#callHooks,
    );
    return called as Promise<CallToolResult>;
  }

  #prepare(name: string): void {
    if (this.#connection.options.checkOutput !== false) this.#outputValidator.compile(name);
  }

  /**
   * Retries after a lost connection. After a header mismatch, lists the tools again: headers repeat arguments as the
   * list says, so the list was stale.
   */
  async #recover(error: unknown, params: Params | undefined, options: RequestOptions): Promise<Result> {
    if (!(error instanceof ProtocolError) || error.code !== ErrorCode.HeaderMismatch) {
      const mayRepeat = this.#repeatable.has(params?.name);
      return retryCall(this.#connection, error, { params, options, mayRepeat });
    }
    await this.listTools({ fresh: true }).all();
    return this.#connection.request('tools/call', params, options);
  }

  /** Reads a resource. */
  async readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    const result = await this.#requestCached('resources/read', { uri }, options);
    if (!Array.isArray(result.contents))
      throw new ResultError('The server returned a resource without contents', result);
    return result as ReadResourceResult;
  }

  /** Gets a prompt, rendered with its arguments. */
  async getPrompt(name: string, args: Record<string, string> = {}, options?: RequestOptions): Promise<GetPromptResult> {
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
    return this.#hasMethod('resources/subscribe')
      ? this.#subscriptions.add(uri)
      : Promise.reject(this.#missingMethod('subscribe'));
  }

  /** Undoes `subscribe`. */
  unsubscribe(uri: string): Promise<void> {
    return this.#hasMethod('resources/subscribe')
      ? this.#subscriptions.remove(uri)
      : Promise.reject(this.#missingMethod('unsubscribe'));
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
    return this.#connection.close(graceMs);
  }

  async #requestCached(method: string, params: Params | undefined, options: RequestOptions = {}): Promise<Result> {
    const cached =
      this.#connection.options.cache === false || options.fresh === true ? undefined : this.#cache.get(method, params);
    if (cached !== undefined) return cached;
    let rounds = 0;
    const onRounds = (): void => {
      rounds += 1;
    };
    const result = await this.#connection.request(method, params, options, { onRounds });
    // A result that depends on a person's input is for that one request.
    if (rounds === 0 && this.#connection.options.cache !== false) this.#cache.put(method, params, result);
    return result;
  }

  #hasMethod(method: string): boolean {
    return this.#connection.agreement.revision.requests.has(method);
  }

  #missingMethod(verb: string): Error {
    return new Error(`This server's protocol version has no "${verb}": use listen({ uris })`);
  }
}

function toPageParams(cursor: string | undefined): Params | undefined {
  return cursor === undefined ? undefined : { cursor };
}
