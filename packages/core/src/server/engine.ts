import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import type {
  ErrorResponse,
  Message,
  Notification,
  Params,
  PreparedResult,
  RequestId,
  Response,
} from '../jsonrpc/message.ts';
import { isInEra, type ServerCapabilities } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import type { LogLevel } from '../protocol/logging.ts';
import { type Meta, MetaKey } from '../protocol/meta.ts';
import { type MethodFacts, MethodTable } from '../protocol/methods.ts';
import type { CacheHints } from '../protocol/results.ts';
import { methodNames } from '../revisions/history.ts';
import type { Revision } from '../revisions/revision.ts';
import type { Aside, AsideCall, EndOfService, KeptCall } from './call/background-job.ts';
import type { Prompt, Resource, Template, Tool } from './define/define.ts';
import type { Exchange } from './exchange.ts';
import { Extensions } from './extension.ts';
import { type Audience, ChangeFeed } from './change-feed.ts';
import { Idempotency } from './idempotency/idempotency.ts';
import { KnownScopes } from './scopes/known-scopes.ts';
import { guardedLogger, type Logger, stderrLogger, wants } from './observe/log.ts';
import type { Observer } from './observe/observer.ts';
import type { Operation, Outcome, Middleware } from './call/operation.ts';
import type { DeclaredCapabilities, ServerOptions } from './options.ts';
import { type PromptEntry, preparePrompt } from './define/prompt-entry.ts';
import { rateCounter } from './quotas/rate-counter.ts';
import type { RateCounter } from './quotas/rate-limit.ts';
import { Registry } from './define/registry.ts';
import { StateSeal } from './call/request-state.ts';
import { assertTellable, boundedData, checkedMaxResult } from './call/result-size.ts';
import { prepareResource, prepareTemplate, type ResourceEntry, type TemplateEntry } from './define/resource-entry.ts';
import type { ScopeRule } from './scopes/scope-rule.ts';
import type { OfferedResources } from './server.ts';
import type { Store } from '../stores/store.ts';
import { StoreFailure } from './store-failure.ts';
import { checkedTimeLimit, HandlerTimeouts } from './call/timeout.ts';
import { ToolDigest } from './define/tool-digest.ts';
import { ToolRegistry } from './define/tool-registry.ts';
import type { ToolEntry } from './define/tool-entry.ts';
import { checkLimits, limits } from '../limits.ts';

const shortestSecret = limits.server.minStateSecret.value;

/** An operation while it is served. */
export interface ServedOperation extends Operation {
  /** From here on it is served with other params. */
  replaceParams(params: Params): void;
}

/** Serves an operation. */
export type Run = (operation: ServedOperation) => Outcome | Promise<Outcome>;

/** The functions by which an engine serves. They import the engine, so it can't import them: it is given them. */
export interface Serving {
  /** The innermost step of serving an operation: its method. */
  run: Run;
  /** Serves one message. */
  handle(engine: Engine, message: Message, exchange: Exchange): Answer | Promise<Answer>;
  /** Does the work of a call again that was kept. */
  again(engine: Engine, kept: KeptCall, aside: Aside, store: Store): AsideCall;
}

type Answer = Response | undefined;

/** What a server is made of inside: what it offers, its settings, and who listens. Transports and methods work on it. */
export class Engine {
  readonly info: Implementation;
  readonly tools: Registry<Tool, ToolEntry>;
  readonly resources: ResourceRegistry;
  readonly templates: Registry<Template, TemplateEntry>;
  readonly prompts: Registry<Prompt, PromptEntry>;
  /** Who is told of changes. */
  feed: ChangeFeed = new ChangeFeed();
  /** What is declared beside what is offered. */
  readonly declared: Required<DeclaredCapabilities>;
  /** What the server says of itself on each result of the stateless era. */
  readonly meta: Meta;
  readonly logger: Logger;
  readonly cache: CacheHints;
  readonly pageSize: number;
  readonly maxRunning: number;
  readonly handlerTimeoutMs: number;
  readonly maxResult: number;
  /** Ends calls whose handlers take too long. */
  timeLimit: HandlerTimeouts;
  /** Tells the operator when the tools become others than clients were shown. */
  toolDigest: ToolDigest;
  /** Counts the requests of each caller, where there is a limit to their rate. */
  readonly rates: RateCounter | undefined;
  /** How answers to calls with a key are remembered; undefined: keys mean nothing. */
  readonly idempotency: Idempotency | undefined;
  readonly options: ServerOptions;
  /** First pages of lists as text, by method and revision. */
  readonly pages: Map<string, PreparedResult> = new Map();
  /** The same of lists that not all callers see alike. There are few of them at a time. */
  readonly variants: Map<string, PreparedResult> = new Map();
  readonly extensions: Extensions;
  /** Who watches requests, in the order they came. */
  observers: readonly Observer[] = [];
  /** What is true of each method, those of the extensions included. */
  readonly methods: MethodTable;
  /** Serves a call: the method itself, inside all middleware. */
  run: Run;
  /** True from when something runs around everything that is served. */
  hasMiddleware = false;
  /** True from when something is offered that demands scopes. */
  scoped = false;
  readonly knownScopes: KnownScopes = new KnownScopes();
  /** Called with the next answer, where it is set. */
  warmUp: (() => void) | undefined;

  readonly #serving: Serving;
  #stateSeal: StateSeal | undefined;
  #ownStore: Promise<Store> | undefined;

  constructor(options: ServerOptions, serving: Serving) {
    assertUsable(options);
    const { name } = options;
    this.options = options;
    this.extensions = new Extensions(options.extensions ?? [], isProtocolMethod);
    this.methods = new MethodTable(this.extensions.rows);
    for (const scopes of this.extensions.scopeRules) this.#noted({ scopes });
    this.run = serving.run;
    this.#serving = serving;
    this.info = infoOf(options);
    this.declared = { logging: true, listChanged: true, subscribe: true, ...options.capabilities };
    this.feed.tellsLists = this.declared.listChanged;
    this.meta = Object.freeze({ [MetaKey.serverInfo]: this.info });
    this.logger = guardedLogger(options.logger ?? stderrLogger('warning'));
    this.cache = options.cache ?? { ttlMs: 0, scope: 'private' };
    this.pageSize = options.pageSize ?? limits.server.pageSize.value;
    this.maxRunning = options.maxRunning ?? limits.server.maxRunning.value;
    const { handlerTimeoutMs = limits.server.handlerTimeoutMs.value } = options;
    this.handlerTimeoutMs = checkedTimeLimit('handlerTimeoutMs', handlerTimeoutMs);
    this.maxResult = checkedMaxResult(options.maxResult ?? limits.server.maxResult.value);
    checkLimits('createServer', options);
    this.timeLimit = new HandlerTimeouts((level, message) => this.note(level, message));
    this.toolDigest = new ToolDigest({
      wants: (level) => wants(this.logger, level),
      write: (level, message) => this.note(level, message),
    });
    const { idempotency = {} } = options;
    this.idempotency = idempotency === false ? undefined : new Idempotency(idempotency);
    this.rates = rateCounter(options.rateLimit, { name: 'server', key: name });

    this.tools = new ToolRegistry({
      server: name,
      extensions: this.extensions,
      resources: () => this.resources,
      noted: (entry) => this.#noted(entry),
      changed: () => this.#changed('tools'),
    });
    this.resources = new ResourceRegistry({
      what: 'resource',
      prepare: (resource, position) => this.#noted(prepareResource(resource, position)),
      itemOf: ({ resource }) => resource,
      isSecret: ({ secret }) => secret === true,
      changed: (to?: Audience) => this.#changed('resources', to),
      updated: (uri, to) => this.#updated(uri, to),
    });
    this.templates = new Registry({
      what: 'template',
      prepare: (template, position) => this.#noted(prepareTemplate(template, position)),
      itemOf: ({ template }) => template,
      isSecret: ({ secret }) => secret === true,
      changed: () => this.#changed('resources'),
    });
    this.prompts = new Registry({
      what: 'prompt',
      prepare: (prompt, position) => this.#noted(preparePrompt(prompt, position)),
      itemOf: ({ prompt }) => prompt,
      changed: () => this.#changed('prompts'),
    });

    this.tools.addAll(options.tools ?? []);
    this.resources.addAll(options.resources ?? []);
    this.templates.addAll(options.templates ?? []);
    this.prompts.addAll(options.prompts ?? []);
  }

  /** The one door: takes a message, gives its answer, at once where nothing has to be waited for. */
  handle(message: Message, exchange: Exchange): Answer | Promise<Answer> {
    return this.#serving.handle(this, message, exchange);
  }

  /** Tells the extensions that a transport begins to serve. Gives what is to be done before it stops. */
  open(store: Store, shared: boolean): (why?: EndOfService) => Promise<void> {
    const { name } = this.info;
    const again = (kept: KeptCall, aside: Aside): AsideCall => this.#serving.again(this, kept, aside, store);
    const reportError = this.reportError.bind(this);
    const closing = this.extensions.all.flatMap(
      ({ open }) => open?.({ name, store, shared, again, reportError }) ?? [],
    );
    return async (why = 'stopped') => {
      await Promise.all(closing.map(async (close) => close(why)));
    };
  }

  /** What is kept in this process, for transports that have no store. */
  ownStore(): Promise<Store> {
    this.#ownStore ??= import('../stores/memory.ts').then(({ memoryStore }) => memoryStore());
    return this.#ownStore;
  }

  /** Serves from now on in place of another: its listeners stay, and so do its suspended calls. */
  takeOver(former: Engine): void {
    this.feed = former.feed;
    this.feed.tellsLists = this.declared.listChanged;
    this.timeLimit = former.timeLimit;
    this.toolDigest = former.toolDigest;
    this.observers = former.observers;
    this.toolDigest.changed(() => this.tools.list);
    this.#stateSeal = former.stateSeal;
    this.#ownStore = former.#ownStore;
  }

  /** Puts a function around everything that is served from now on; the one added last runs outermost. */
  use(middleware: Middleware): void {
    const inner = this.run;
    this.hasMiddleware = true;
    this.run = (operation) =>
      middleware(operation, (params) => {
        // Whoever hands on the operation itself means: as it is.
        if (params !== undefined && (params as unknown) !== operation) operation.replaceParams(params);
        return inner(operation);
      });
  }

  /** Lets an observer watch all requests from now on. Gives the way to stop that. */
  observe(observer: Observer): () => void {
    this.observers = [...this.observers, observer];
    return () => {
      this.observers = this.observers.filter((other) => other !== observer);
    };
  }

  /** Tells of something that an extension adds. */
  notify(method: string, params: Params = {}): void {
    const found = this.extensions.notification(method);
    if (found === undefined) throw undeclared(method);
    assertTellable(params, `"${method}"`, this.maxResult);
    const { extension, notification } = found;
    const toAll = notification.broadcast === true && isInEra(extension, 'handshake');
    this.feed.publish({ kind: 'extension', id: extension.id, method, params, toAll });
  }

  /** Writes to this side's log and to all handshake clients that want messages of this level. */
  log(level: LogLevel, given: unknown, logger: string = this.info.name): void {
    const data = boundedData(given);
    if (wants(this.logger, level)) this.logger.write({ level, logger, data });
    const message: Notification = { jsonrpc: '2.0', method: 'notifications/message', params: { level, logger, data } };
    for (const listener of this.feed.listeners()) listener.hearLog?.(level, message);
  }

  /** What the server offers, as told to clients of a revision. */
  capabilitiesIn(revision: Revision): ServerCapabilities {
    const extensions = this.extensions.settingsIn(revision.era);
    const former = this.extensions.formsIn(revision).map((form) => form.capabilities(this.tools));
    return Object.assign(this.#offered(extensions), ...former);
  }

  #offered(extensions: Record<string, object> | undefined): ServerCapabilities {
    const { logging, listChanged, subscribe } = this.declared;
    const changing = listChanged ? { listChanged } : {};
    return {
      ...(this.offers('tools') && { tools: { ...changing } }),
      ...(this.offers('resources') && { resources: { ...(subscribe && { subscribe }), ...changing } }),
      ...(this.offers('prompts') && { prompts: { ...changing } }),
      ...(this.offers('completions') && { completions: {} }),
      ...(logging && { logging: {} }),
      ...(extensions !== undefined && { extensions }),
    };
  }

  /** True where the server has things of this kind, or was made to get some later. */
  offers(kind: NonNullable<MethodFacts['needs']>): boolean {
    const { options } = this;
    switch (kind) {
      case 'tools':
        return this.tools.size > 0 || options.tools !== undefined;
      case 'resources':
        return (
          this.resources.size > 0 ||
          this.templates.size > 0 ||
          options.resources !== undefined ||
          options.templates !== undefined
        );
      case 'prompts':
        return this.prompts.size > 0 || options.prompts !== undefined;
      case 'completions':
        return this.#completes();
      case 'subscriptions':
        return this.declared.subscribe && this.offers('resources');
      case 'logging':
        return this.declared.logging;
    }
  }

  #completes(): boolean {
    for (const { template } of this.templates.entries()) {
      if (template.complete !== undefined) return true;
    }
    for (const { prompt } of this.prompts.entries()) {
      if (Object.values(prompt.arguments ?? {}).some((argument) => argument.complete !== undefined)) return true;
    }
    return false;
  }

  get stateSeal(): StateSeal {
    const { stateLifetimeMs: lifetimeMs = limits.server.stateLifetimeMs.value } = this.options;
    this.#stateSeal ??= new StateSeal({ secrets: secretsOf(this.options), lifetimeMs, name: this.info.name });
    return this.#stateSeal;
  }

  /** The answer to a request that failed. An unexpected error is logged in full here and kept from the client. */
  refusal(id: RequestId, error: unknown, call?: { method: string; revision: Revision | undefined }): ErrorResponse {
    if (!(error instanceof ProtocolError)) {
      this.reportError(`Unexpected error in ${call?.method ?? 'a request'}`, error);
      return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message: 'Internal error' } };
    }
    if (error.cause !== undefined) this.reportError(error.message, error.cause);
    const body = error.toBody();
    return { jsonrpc: '2.0', id, error: { ...body, code: call?.revision?.codes.get(body.code) ?? body.code } };
  }

  /** Writes an error to this side's log, with its stack. */
  reportError(message: string, error: unknown): void {
    if (error instanceof StoreFailure) return;
    if (wants(this.logger, 'error')) {
      this.logger.write({ level: 'error', logger: this.info.name, data: message, error });
    }
  }

  /** Writes to this side's log alone. */
  note(level: LogLevel, data: string): void {
    if (wants(this.logger, level)) this.logger.write({ level, logger: this.info.name, data });
  }

  #noted<Entry extends { readonly scopes: ScopeRule | undefined }>(entry: Entry): Entry {
    this.scoped ||= entry.scopes !== undefined;
    this.knownScopes.add(entry.scopes?.fixed);
    return entry;
  }

  #updated(uri: string, to?: Audience): void {
    const scopes = this.resources.entry(uri)?.scopes?.fixed;
    this.feed.publish({ kind: 'resource', uri, ...(to && { to }), ...(scopes && { scopes }) });
  }

  #changed(kind: 'tools' | 'resources' | 'prompts', to?: Audience): void {
    this.pages.clear();
    this.variants.clear();
    if (kind === 'tools') this.toolDigest.changed(() => this.tools.list);
    this.feed.publish({ kind, ...(to && { to }) });
  }
}

/** The resources of a server; also tells when one of them changed. */
class ResourceRegistry extends Registry<Resource, ResourceEntry> implements OfferedResources {
  readonly updated: OfferedResources['updated'];
  readonly changed: OfferedResources['changed'];

  constructor(
    kind: ConstructorParameters<typeof Registry<Resource, ResourceEntry>>[0] &
      Pick<OfferedResources, 'updated' | 'changed'>,
  ) {
    super(kind);
    this.updated = kind.updated;
    this.changed = kind.changed;
  }
}

/** What a server says of itself. It is written once for all results, so it can't become something else later. */
function infoOf({ name, version, title, description, websiteUrl, icons }: ServerOptions): Implementation {
  return Object.freeze({
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons !== undefined && { icons }),
  });
}

/** Throws a `TypeError` that says what to do where a server can't be made of these options. */
function assertUsable(options: ServerOptions): void {
  const { name, version } = options ?? {};
  if (typeof name !== 'string' || typeof version !== 'string') {
    throw new TypeError(
      'createServer needs a name and a version: createServer({ name: "…", version: "1.0.0", tools: [] })',
    );
  }
  const secrets = secretsOf(options);
  if (secrets.some(({ byteLength }) => byteLength < shortestSecret)) {
    throw new TypeError(`stateSecret must have at least ${shortestSecret} bytes`);
  }
  if (options.stateSecret !== undefined && secrets.length === 0) {
    throw new TypeError('stateSecret is an empty list: give at least one secret, or none at all');
  }
  const { lists } = options;
  if (lists !== undefined && lists !== 'all' && lists !== 'by-scope') {
    throw new TypeError(`createServer: "lists" must be "all" or "by-scope", not ${JSON.stringify(lists)}`);
  }
  for (const kind of ['tools', 'resources', 'templates', 'prompts'] as const) {
    if (options[kind] !== undefined && !(Symbol.iterator in Object(options[kind]))) {
      throw new TypeError(`createServer: "${kind}" must be a list, such as ${kind}: [${kind.slice(0, -1)}(…)]`);
    }
  }
}

function secretsOf({ stateSecret = [] }: ServerOptions): readonly Uint8Array[] {
  return stateSecret instanceof Uint8Array ? [stateSecret] : stateSecret;
}

function isProtocolMethod(method: string): boolean {
  return methodNames.has(method);
}

/** The error for a notification that no extension names: the server can't know who may get it. */
export function undeclared(method: string): TypeError {
  return new TypeError(
    `"${method}" is no notification of an extension: name it in "notifications" of one that the server has`,
  );
}
