import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import type { ErrorResponse, Notification, Params, RequestId } from '../jsonrpc/message.ts';
import { isInEra } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import type { LogLevel } from '../protocol/logging.ts';
import { type Meta, MetaKey } from '../protocol/meta.ts';
import { MethodTable } from '../protocol/methods.ts';
import { isMethodName } from '../revisions/negotiate.ts';
import type { Revision } from '../revisions/revision.ts';
import type { Tool } from './define/define.ts';
import { Capabilities } from './capabilities.ts';
import { Catalog } from './catalog.ts';
import type { AccessControl, AccessRules } from './access.ts';
import { Extensions } from './extension.ts';
import { ChangeFeed } from './change-feed.ts';
import { guardedLogger, type Logger, stderrLogger, isEnabled } from './log/log.ts';
import type { Observer } from './observer.ts';
import type { EngineOptions } from './options.ts';
import type { StateSeal } from './call/request-state.ts';
import { assertTellable, boundedData } from './call/result-size.ts';
import type { Store } from '../stores/store.ts';
import { StoreFailure } from './store-failure.ts';
import { resolveSettings, type ServerSettings } from './settings.ts';
import type { HandlerTimeouts } from './call/timeout.ts';
import type { ToolDigest } from './define/tool-digest.ts';
import type { BeforeTool } from './define/tool-entry.ts';
import { limits } from '../limits.ts';

/** The shortest `stateSecret`, in bytes. */
const shortestSecret = 32;

/** Features of a new server. */
export interface EngineParts {
  /** The access rules of definitions. */
  readonly rules: AccessRules;
  /** Decides who may use what is offered. Asked when a call is served. */
  access(): AccessControl;
  /** The checks before calls of a tool; requested once for each tool that is added to the server of this name. */
  beforeTool?(tool: Tool, server: string): BeforeTool | undefined;
}

/** The state of a server: catalog, settings, log and subscribers. Methods work on it. */
export class EngineState {
  readonly info: Implementation;
  readonly catalog: Catalog;
  readonly capabilities: Capabilities;
  readonly settings: ServerSettings;
  /** Notifies subscribers of changes. */
  feed: ChangeFeed = new ChangeFeed();
  /** The server info on each result of the stateless era. */
  readonly meta: Meta;
  readonly logger: Logger;
  /** Ends calls whose handlers take too long. Created with the first call. */
  declare timeLimit: HandlerTimeouts;
  /** Logs changes of tools that clients have seen. Created with the first call. */
  declare toolDigest: ToolDigest;
  readonly options: EngineOptions;
  readonly extensions: Extensions;
  /** Observers, in the order they were added. */
  observers: readonly Observer[] = [];
  /** The properties of each method, extensions included. */
  readonly methods: MethodTable;
  /** True once middleware was added. */
  hasMiddleware = false;
  /** Called after the next response, if set. */
  warmUp: (() => void) | undefined;

  readonly #parts: EngineParts;
  /** Shared with the server that replaces this one. */
  #seal: { made?: StateSeal } = {};
  #ownStore: Promise<Store> | undefined;

  constructor(options: EngineOptions, parts: EngineParts) {
    assertUsable(options);
    const { name } = options;
    const { rules } = parts;
    this.options = options;
    this.#parts = parts;
    this.extensions = new Extensions(options.extensions ?? [], { isTaken: isMethodName, rules });
    this.methods = new MethodTable(this.extensions.rows);
    this.info = infoOf(options);
    this.meta = Object.freeze({ [MetaKey.serverInfo]: this.info });
    this.logger = guardedLogger(options.logger ?? stderrLogger('warning'));
    this.settings = resolveSettings(options);
    this.catalog = new Catalog({
      extensions: this.extensions,
      rules,
      before: (tool) => parts.beforeTool?.(tool, name),
      onGuarded: () => this.stepsChanged(),
      feed: () => this.feed,
      onChange: (change) => {
        this.capabilities.offered = undefined;
        if (change.kind === 'tools') notifyDigest(this);
        this.feed.publish(change);
      },
    });
    this.capabilities = new Capabilities(this.catalog, this.extensions, options);
    this.feed.notifiesLists = this.capabilities.declared.listChanged;
    this.catalog.addAll(options);
  }

  /** Decides who may use what is offered. */
  get access(): AccessControl {
    return this.#parts.access();
  }

  /** The store in this process, for transports without one. */
  ownStore(): Promise<Store> {
    this.#ownStore ??= import('../stores/memory.ts').then(({ memoryStore }) => memoryStore());
    return this.#ownStore;
  }

  /** Replaces another server: takes over its subscribers and suspended calls. */
  takeOver(former: EngineState): void {
    this.feed = former.feed;
    this.feed.notifiesLists = this.capabilities.declared.listChanged;
    this.timeLimit = former.timeLimit;
    this.toolDigest = former.toolDigest;
    this.observers = former.observers;
    this.stepsChanged();
    notifyDigest(this);
    this.#seal = former.#seal;
    this.#ownStore = former.#ownStore;
  }

  /** Adds an observer of all requests. Returns the function that removes it. */
  observe(observer: Observer): () => void {
    this.observers = [...this.observers, observer];
    this.stepsChanged();
    return () => {
      this.observers = this.observers.filter((other) => other !== observer);
      this.stepsChanged();
    };
  }

  /** Called when the steps of a call may have changed. */
  stepsChanged(): void {}

  /** Sends a notification of an extension. */
  notify(method: string, params: Params = {}): void {
    const found = this.extensions.notification(method);
    if (found === undefined) throw undeclaredError(method);
    assertTellable(params, `"${method}"`, this.settings.maxResult);
    const { extension, notification } = found;
    const toAll = notification.broadcast === true && isInEra(extension, 'handshake');
    this.feed.publish({ kind: 'extension', id: extension.id, method, params, toAll });
  }

  /** Writes to the server's log and to all handshake clients with this log level. */
  log(level: LogLevel, given: unknown, logger: string = this.info.name): void {
    const data = boundedData(given);
    if (isEnabled(this.logger, level)) this.logger.write({ level, logger, data });
    const message: Notification = { jsonrpc: '2.0', method: 'notifications/message', params: { level, logger, data } };
    for (const listener of this.feed.listeners()) listener.onLog?.(level, message);
  }

  /** Signs the state of suspended calls. Loaded when one is suspended or resumed. */
  async loadStateSeal(): Promise<StateSeal> {
    const { stateLifetimeMs: lifetimeMs = limits.server.stateLifetimeMs.value } = this.options;
    // The promise is not kept: in workerd, a request can't await that of another.
    const { StateSeal } = await import('./call/request-state.ts');
    this.#seal.made ??= new StateSeal({ secrets: secretsOf(this.options), lifetimeMs, name: this.info.name });
    return this.#seal.made;
  }

  /** The response to a failed request. An unexpected error is logged with its stack trace, and hidden from the client. */
  errorResponse(
    id: RequestId,
    error: unknown,
    call?: { method: string; revision: Revision | undefined },
  ): ErrorResponse {
    if (!(error instanceof ProtocolError)) {
      this.reportError(`Unexpected error in ${call?.method ?? 'a request'}`, error);
      return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message: 'Internal error' } };
    }
    if (error.cause !== undefined) this.reportError(error.message, error.cause);
    const body = error.toBody();
    return { jsonrpc: '2.0', id, error: { ...body, code: call?.revision?.codes.get(body.code) ?? body.code } };
  }

  /** Writes an error to the server's log, with its stack. */
  reportError(message: string, error: unknown): void {
    if (error instanceof StoreFailure) return;
    if (isEnabled(this.logger, 'error')) {
      this.logger.write({ level: 'error', logger: this.info.name, data: message, error });
    }
  }

  /** Writes to the server's log only. */
  note(level: LogLevel, data: string): void {
    if (isEnabled(this.logger, level)) this.logger.write({ level, logger: this.info.name, data });
  }
}

/** Before the first call there is no digest: clients have seen none of the tools. */
function notifyDigest({ toolDigest, catalog }: { toolDigest: ToolDigest | undefined; catalog: Catalog }): void {
  toolDigest?.changed(() => catalog.tools.list);
}

/** The identity of a server. It is encoded once for all results, so it can't change later. */
function infoOf({ name, version, title, description, websiteUrl, icons }: EngineOptions): Implementation {
  return Object.freeze({
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons !== undefined && { icons }),
  });
}

/** Throws a `TypeError` with advice if the options are invalid. */
function assertUsable(options: EngineOptions): void {
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
  for (const kind of ['tools', 'resources', 'templates', 'prompts'] as const) {
    if (options[kind] !== undefined && !(Symbol.iterator in Object(options[kind]))) {
      throw new TypeError(`createServer: "${kind}" must be a list, such as ${kind}: [${kind.slice(0, -1)}(…)]`);
    }
  }
}

function secretsOf({ stateSecret = [] }: EngineOptions): readonly Uint8Array[] {
  return stateSecret instanceof Uint8Array ? [stateSecret] : stateSecret;
}

/** The error for a notification that no extension declares. */
export function undeclaredError(method: string): TypeError {
  return new TypeError(
    `"${method}" is no notification of an extension: name it in "notifications" of one that the server has`,
  );
}
