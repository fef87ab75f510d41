import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import type { Params } from '../jsonrpc/message.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import type { PromptListing, ResourceListing, TemplateListing, ToolListing } from '../protocol/listing.ts';
import type { LogLevel } from '../protocol/logging.ts';
import type { CallToolResult, GetPromptResult, ReadResourceResult, Result } from '../protocol/results.ts';
import { Cache } from './calls/response-cache.ts';
import type { Handling } from './connection/sent-request.ts';
import type { Conversation } from './connection/connection.ts';
import { ResultError } from './errors.ts';
import { listenByRequest } from './subscriptions/listen-by-request.ts';
import { listenToSession, ResourceSubscriptions } from './subscriptions/listen-to-session.ts';
import { OutputCheck } from './calls/output-check.ts';
import { keepInside } from './internals.ts';
import { type Listing, listing } from './calls/paged-list.ts';
import { callAgain, RepeatableTools, withKey } from './calls/retry-call.ts';
import type { RequestOptions } from './request-options.ts';
import type { Filter, ListenOptions, Subscription } from './subscriptions/subscription.ts';

/** What is to be completed: an argument of a prompt, or a variable of a resource template. */
export interface CompletionQuestion {
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
  argument: { name: string; value: string };
  /** The values of the other arguments, as far as they are known. */
  context?: { arguments?: Record<string, string> };
}

/** What an argument may be completed to. */
export interface Completion {
  values: string[];
  total?: number;
  hasMore?: boolean;
}

/** One server, as a program uses it. Made by `connect`. */
export class Client {
  readonly #conversation: Conversation;
  readonly #cache = new Cache();
  readonly #outputs = new OutputCheck();
  readonly #repeatable = new RepeatableTools();
  readonly #subscriptions: ResourceSubscriptions;
  readonly #calling: Handling = {
    finish: (result, params) => this.#outputs.check(params?.name as string, result),
    recover: (error, params, options) => this.#recover(error, params, options),
  };

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
    this.#subscriptions = new ResourceSubscriptions(conversation);
    keepInside(this, {
      conversation,
      call: (params, options) =>
        conversation.request(
          'tools/call',
          params,
          { ...withKey(options), follow: false },
          {
            recover: (error, about, given) => this.#recover(error, about, given),
          },
        ),
      prepare: (name) => this.#prepare(name),
      finish: (name, result) => this.#outputs.check(name, result),
    });
    conversation.changes.add((change) => this.#cache.drop(change));
    conversation.restore.add(async () => {
      this.#cache.clear();
      if (conversation.logLevel !== undefined) await this.setLogLevel(conversation.logLevel);
    });
  }

  /** Who the server says it is: for display, never for decisions. */
  get serverInfo(): Implementation | undefined {
    return this.#conversation.agreement.serverInfo;
  }

  /** What the server offers. */
  get capabilities(): ServerCapabilities {
    return this.#conversation.agreement.capabilities;
  }

  /** How the server wants to be used, for a model to read. */
  get instructions(): string | undefined {
    return this.#conversation.agreement.instructions;
  }

  /** The version of the protocol that both sides speak, as a date. */
  get protocolVersion(): string {
    return this.#conversation.agreement.revision.version;
  }

  /** How the two sides came to know each other: by a handshake, or by what each request says of its sender. */
  get era(): 'handshake' | 'stateless' {
    return this.#conversation.agreement.revision.era;
  }

  /** True where both this client and the server have declared an extension, by its id. */
  supports(id: string): boolean {
    return this.#conversation.supports(id);
  }

  /** The tools, page by page. */
  listTools(options?: RequestOptions): Listing<ToolListing> {
    return listing('tools', async (cursor) => {
      const page = await this.#cached('tools/list', pageParams(cursor), options);
      this.#outputs.learn(page.tools, cursor);
      this.#repeatable.learn(page.tools, cursor);
      return page;
    });
  }

  /** The resources, page by page. */
  listResources(options?: RequestOptions): Listing<ResourceListing> {
    return listing('resources', (cursor) => this.#cached('resources/list', pageParams(cursor), options));
  }

  /** The templates of resources, page by page. */
  listResourceTemplates(options?: RequestOptions): Listing<TemplateListing> {
    return listing('resourceTemplates', (cursor) =>
      this.#cached('resources/templates/list', pageParams(cursor), options),
    );
  }

  /** The prompts, page by page. */
  listPrompts(options?: RequestOptions): Listing<PromptListing> {
    return listing('prompts', (cursor) => this.#cached('prompts/list', pageParams(cursor), options));
  }

  /** Calls a tool. A tool that failed gives a result with `isError`; what can't be called at all is an exception. */
  callTool(name: string, args: Record<string, unknown> = {}, options?: RequestOptions): Promise<CallToolResult> {
    try {
      this.#prepare(name);
    } catch (error) {
      return Promise.reject(error);
    }
    const called = this.#conversation.request('tools/call', { name, arguments: args }, withKey(options), this.#calling);
    return called as Promise<CallToolResult>;
  }

  #prepare(name: string): void {
    if (this.#conversation.options.checkOutput !== false) this.#outputs.prepare(name);
  }

  /** A connection may be lost. And headers repeat arguments as the list of tools says: if they were wrong, so was our list. */
  async #recover(error: unknown, params: Params | undefined, options: RequestOptions): Promise<Result> {
    if (!(error instanceof ProtocolError) || error.code !== ErrorCode.HeaderMismatch) {
      const mayRepeat = this.#repeatable.has(params?.name);
      return callAgain(this.#conversation, error, { params, options, mayRepeat });
    }
    await this.listTools({ fresh: true }).all();
    return this.#conversation.request('tools/call', params, options);
  }

  /** Reads a resource. */
  async readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    const result = await this.#cached('resources/read', { uri }, options);
    if (!Array.isArray(result.contents)) throw new ResultError('The server read a resource without contents', result);
    return result as ReadResourceResult;
  }

  /** Gets a prompt, filled in. */
  async getPrompt(name: string, args: Record<string, string> = {}, options?: RequestOptions): Promise<GetPromptResult> {
    const result = await this.#conversation.request('prompts/get', { name, arguments: args }, options);
    if (!Array.isArray(result.messages)) throw new ResultError('The server gave a prompt without messages', result);
    return result as GetPromptResult;
  }

  /** Asks what an argument may be completed to. */
  async complete(question: CompletionQuestion, options?: RequestOptions): Promise<Completion> {
    const { completion } = await this.#conversation.request('completion/complete', { ...question }, options);
    const { values } = (completion ?? {}) as Partial<Completion>;
    if (!Array.isArray(values)) throw new ResultError('The server completed without values', completion);
    return completion as Completion;
  }

  /** Says which log messages are wanted from now on. */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#conversation.logLevel = level;
    if (this.#speaks('logging/setLevel')) await this.#conversation.request('logging/setLevel', { level });
  }

  /** Hears of changes, in either era, until it is closed. */
  listen(filter: Filter, options: ListenOptions = {}): Promise<Subscription> {
    if (this.#speaks('subscriptions/listen')) return listenByRequest(this.#conversation, filter, options);
    return listenToSession(this.#conversation, this.#subscriptions, filter, options);
  }

  /** Asks to be told of one resource; in the handshake era only, `listen` works in both. */
  subscribe(uri: string): Promise<void> {
    return this.#speaks('resources/subscribe')
      ? this.#subscriptions.add(uri)
      : Promise.reject(this.#lacks('subscribe'));
  }

  /** Takes a `subscribe` back. */
  unsubscribe(uri: string): Promise<void> {
    return this.#speaks('resources/subscribe')
      ? this.#subscriptions.remove(uri)
      : Promise.reject(this.#lacks('unsubscribe'));
  }

  /** Asks whether the server is there: by a ping, or where the era has none, by what it says of itself. */
  async ping(options?: RequestOptions): Promise<void> {
    await this.#conversation.request(this.#speaks('ping') ? 'ping' : 'server/discover', undefined, options);
  }

  /** Tells that the folders have changed, where the server can be told. */
  async rootsChanged(): Promise<void> {
    await this.#conversation.notify('notifications/roots/list_changed');
  }

  /** Makes any other request, such as one that an extension adds. */
  request(method: string, params?: Params, options?: RequestOptions): Promise<Result> {
    return this.#conversation.request(method, params, options);
  }

  /** Sends a notification that an extension adds. Does nothing where the server does not have the extension. */
  async notify(method: string, params?: Params): Promise<void> {
    await this.#conversation.notifyOfExtension(method, params);
  }

  /** Ends the conversation. What is still open is rejected. */
  close(): Promise<void> {
    return this.#conversation.close();
  }

  async #cached(method: string, params: Params | undefined, options: RequestOptions = {}): Promise<Result> {
    const kept =
      this.#conversation.options.cache === false || options.fresh === true
        ? undefined
        : this.#cache.get(method, params);
    if (kept !== undefined) return kept;
    let rounds = 0;
    const onRounds = (): void => {
      rounds += 1;
    };
    const result = await this.#conversation.request(method, params, options, { onRounds });
    // An answer to what a person said is for that one request.
    if (rounds === 0 && this.#conversation.options.cache !== false) this.#cache.put(method, params, result);
    return result;
  }

  #speaks(method: string): boolean {
    return this.#conversation.agreement.revision.requests.has(method);
  }

  #lacks(verb: string): Error {
    return new Error(`This server's protocol version has no "${verb}": use listen({ uris })`);
  }
}

function pageParams(cursor: string | undefined): Params | undefined {
  return cursor === undefined ? undefined : { cursor };
}
