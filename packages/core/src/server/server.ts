import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import type { ErrorResponse, Message, PreparedResult, RequestId, Response } from '../jsonrpc/message.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import { type LogLevel, reaches } from '../protocol/logging.ts';
import { type Meta, MetaKey } from '../protocol/meta.ts';
import type { CacheHints, Result } from '../protocol/results.ts';
import type { Call } from './call.ts';
import type { Prompt, Resource, Template, Tool } from './define.ts';
import type { Exchange } from './exchange.ts';
import { Feed } from './feed.ts';
import { handle, run } from './handle.ts';
import { type Logger, stderrLogger, wants } from './log.ts';
import { type PromptEntry, preparePrompt } from './prompts.ts';
import { Registry } from './registry.ts';
import { StateSeal } from './request-state.ts';
import { prepareResource, prepareTemplate, type ResourceEntry, type TemplateEntry } from './resources.ts';
import { Session } from './session.ts';
import { prepareTool, type ToolEntry } from './tools.ts';

export interface ServerOptions extends Implementation {
  tools?: readonly Tool[];
  resources?: readonly Resource[];
  templates?: readonly Template[];
  prompts?: readonly Prompt[];
  /** How the server is best used, for the host to hand to its model. */
  instructions?: string;
  /** What a call with wrong arguments gets: a result that the model can read (default), or a JSON-RPC error. */
  invalidArguments?: 'tool-result' | 'protocol-error';
  /** What a call gets whose handler threw something unexpected: as above. */
  exceptions?: 'tool-result' | 'protocol-error';
  /** Refuse every handshake with a version that this server does not know, instead of offering the newest. */
  strictVersions?: boolean;
  /** How many rows a page of a list has. Default: 10 000. */
  pageSize?: number;
  /** How long answers may be kept. Default: not at all. */
  cache?: CacheHints;
  /** What handshake clients hear of the log before they choose a level. Default: `info`. */
  logLevel?: LogLevel;
  /** This side's own log. Default: warnings and worse, as JSON lines on stderr. */
  logger?: Logger;
  /** How many requests of one connection may be served at a time. Default: 4096. */
  maxRunning?: number;
  /** At least 32 bytes that sign the state of suspended calls; give the same to all instances. Default: random. */
  stateSecret?: Uint8Array;
  /** How long a client may take to come back to a suspended call. Default: 10 minutes. */
  stateLifetimeMs?: number;
  /** How long a handler waits for the answer of a client that is asked on the spot. Default: 10 minutes. */
  questionTimeoutMs?: number;
  /** Settings of protocol extensions that the server offers, by identifier. */
  extensions?: Record<string, object>;
}

/** A method's result, or the same already written as text. */
export type Outcome = Result | PreparedResult;

export type Next = (call: Call) => Outcome | Promise<Outcome>;

/** Runs around every request and notification that is served. Must return what `next` gives, or something in its place. */
export type Middleware = (call: Call, next: Next) => Outcome | Promise<Outcome>;

/** What is offered, to any number of clients at once. Made by `createServer`. */
export class Server {
  readonly info: Implementation;
  readonly tools: Registry<Tool, ToolEntry>;
  readonly resources: ResourceRegistry;
  readonly templates: Registry<Template, TemplateEntry>;
  readonly prompts: Registry<Prompt, PromptEntry>;
  readonly feed: Feed = new Feed();
  /** What the server says of itself on each result of the stateless era. */
  readonly meta: Meta;
  readonly logger: Logger;
  readonly cache: CacheHints;
  readonly pageSize: number;
  readonly maxRunning: number;
  readonly options: ServerOptions;
  /** First pages of lists as text, by method and revision. */
  readonly pages: Map<string, PreparedResult> = new Map();
  /** Serves a call: the method itself, inside all middleware. */
  run: Next = run;

  #stateSeal: StateSeal | undefined;

  constructor(options: ServerOptions) {
    const { name, version, title, description, websiteUrl, icons } = options;
    if (typeof name !== 'string' || typeof version !== 'string') {
      throw new TypeError('createServer needs a name and a version');
    }
    if (options.stateSecret !== undefined && options.stateSecret.byteLength < 32) {
      throw new TypeError('stateSecret must have at least 32 bytes');
    }
    this.options = options;
    this.info = {
      name,
      version,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(websiteUrl !== undefined && { websiteUrl }),
      ...(icons !== undefined && { icons }),
    };
    this.meta = { [MetaKey.serverInfo]: this.info };
    this.logger = options.logger ?? stderrLogger('warning');
    this.cache = options.cache ?? { ttlMs: 0, scope: 'private' };
    this.pageSize = options.pageSize ?? 10_000;
    this.maxRunning = options.maxRunning ?? 4096;

    this.tools = new Registry({ what: 'tool', prepare: prepareTool, changed: () => this.#changed('tools') });
    this.resources = new ResourceRegistry({
      what: 'resource',
      prepare: prepareResource,
      changed: () => this.#changed('resources'),
      updated: (uri) => this.feed.publish({ kind: 'resource', uri }),
    });
    this.templates = new Registry({
      what: 'template',
      prepare: prepareTemplate,
      changed: () => this.#changed('resources'),
    });
    this.prompts = new Registry({ what: 'prompt', prepare: preparePrompt, changed: () => this.#changed('prompts') });

    this.tools.add(...(options.tools ?? []));
    this.resources.add(...(options.resources ?? []));
    this.templates.add(...(options.templates ?? []));
    this.prompts.add(...(options.prompts ?? []));
  }

  /** The one door: takes a message, gives its answer, at once where nothing has to be waited for. */
  handle(message: Message, exchange: Exchange): Response | undefined | Promise<Response | undefined> {
    return handle(this, message, exchange);
  }

  /** Puts a function around everything that is served from now on; the one added last runs outermost. */
  use(middleware: Middleware): this {
    const inner = this.run;
    this.run = (call) => middleware(call, inner);
    return this;
  }

  /** Writes to this side's log and to all handshake clients that want messages of this level. */
  log(level: LogLevel, data: unknown, logger: string = this.info.name): void {
    if (wants(this.logger, level)) this.logger.write({ level, logger, data });
    for (const listener of this.feed.listeners()) {
      if (!(listener instanceof Session) || listener.logLevel === undefined) continue;
      if (!reaches(level, listener.logLevel)) continue;
      listener.notify({ jsonrpc: '2.0', method: 'notifications/message', params: { level, logger, data } });
    }
  }

  /** What the server offers, as told to clients. */
  get capabilities(): ServerCapabilities {
    const { extensions } = this.options;
    return {
      ...(this.offers('tools') && { tools: { listChanged: true } }),
      ...(this.offers('resources') && { resources: { subscribe: true, listChanged: true } }),
      ...(this.offers('prompts') && { prompts: { listChanged: true } }),
      ...(this.offers('completions') && { completions: {} }),
      logging: {},
      ...(extensions !== undefined && { extensions }),
    };
  }

  /** True where the server has things of this kind, or was made to get some later. */
  offers(kind: 'tools' | 'resources' | 'prompts' | 'completions'): boolean {
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
    const { stateSecret: secret, stateLifetimeMs: lifetimeMs = 600_000 } = this.options;
    this.#stateSeal ??= new StateSeal({ secret, lifetimeMs });
    return this.#stateSeal;
  }

  /** The answer to a request that failed. An unexpected error is logged in full here and kept from the client. */
  refusal(id: RequestId, error: unknown, call?: Call): ErrorResponse {
    if (!(error instanceof ProtocolError)) {
      this.reportError(`Unexpected error in ${call?.method ?? 'a request'}`, error);
      return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message: 'Internal error' } };
    }
    if (error.cause !== undefined) this.reportError(error.message, error.cause);
    const body = error.toBody();
    return { jsonrpc: '2.0', id, error: { ...body, code: call?.revision.codes.get(body.code) ?? body.code } };
  }

  /** Writes an error to this side's log, with its stack. */
  reportError(message: string, error: unknown): void {
    if (wants(this.logger, 'error')) {
      this.logger.write({ level: 'error', logger: this.info.name, data: message, error });
    }
  }

  #changed(kind: 'tools' | 'resources' | 'prompts'): void {
    this.pages.clear();
    this.feed.publish({ kind });
  }
}

/** The resources of a server; also tells when one of them changed. */
class ResourceRegistry extends Registry<Resource, ResourceEntry> {
  /** Tells whoever subscribed that a resource reads differently now. */
  readonly updated: (uri: string) => void;

  constructor(
    kind: ConstructorParameters<typeof Registry<Resource, ResourceEntry>>[0] & { updated(uri: string): void },
  ) {
    super(kind);
    this.updated = kind.updated;
  }
}

/** Makes a server from what it offers. It serves any number of connections, over any transports, at the same time. */
export function createServer(options: ServerOptions): Server {
  return new Server(options);
}
