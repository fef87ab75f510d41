import type { Awaitable } from '../jsonrpc/awaitable.ts';
import type { Classified, ErrorResponse, Message, Notification, Request, Response } from '../jsonrpc/message.ts';
import type { Store } from '../stores/store.ts';
import type { CloseReason, Service } from './call/background-job.ts';
import type { Call } from './call/call.ts';
import type { Middleware, MiddlewareOptions, Outcome } from './call/operation.ts';
import { type EngineParts, EngineState } from './engine-state.ts';
import { isEnabled } from './log/log.ts';
import type { ListSource } from './lists/list-source.ts';
import type { EngineOptions } from './options.ts';
import type { Peer } from './peer.ts';
import type { CallerServers } from './pipeline/caller-servers.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import type { Plugin, Step } from './pipeline/step.ts';
import type { Server } from './server.ts';
import type { Serving, ServingLoader } from './serving.ts';

/** A feature: returns the steps it adds for the current state of a server. Called when the pipeline is composed. */
export type Feature = (server: EngineState) => Plugin | undefined;

/** Features of an engine. */
interface Parts extends EngineParts {
  readonly serving: ServingLoader;
  /** Called once `serving` is loaded. */
  features(): readonly Feature[];
  /** True if a handshake counts towards a limit. */
  readonly countsHandshakes: boolean;
  /** The engine behind a server. */
  engineOf(server: Server): Engine;
}

/** Serves messages through its pipeline. Transports call it. */
export class Engine extends EngineState {
  /** Composed on the first call, and again after changes. */
  declare private pipeline: Pipeline | undefined;
  /** Loads the modules that serve requests. */
  readonly serving: ServingLoader;
  readonly #featuresOf: Parts['features'];
  #features: readonly Feature[] | undefined;
  readonly #countsHandshakes: boolean;
  readonly #middleware: Middleware[] = [];
  /** True if middleware may change the response to a handshake. */
  #guardsHandshake = false;
  /** Features of the transports that serve this server, or the server it replaced. */
  #added = new Set<Feature>();
  #forwardStep: Step | undefined;
  /** Sources of the lists of this server and its parts. */
  listSources: readonly ListSource[] = [];
  /** The servers with what the caller of a request alone is offered. */
  serversFor: CallerServers;

  constructor(options: EngineOptions, parts: Parts) {
    super(options, parts);
    this.serving = parts.serving;
    this.#featuresOf = parts.features;
    this.#countsHandshakes = parts.countsHandshakes;
    const { listSource } = options;
    if (listSource !== undefined) this.listSources = [listSource];
    this.serversFor = (operation) => {
      const server = listSource?.forCaller?.(operation);
      return server === undefined ? [] : [{ server: parts.engineOf(server), prefix: '' }];
    };
  }

  /** True if the response to a handshake depends on the method only, so that it can be sent before all is loaded. */
  get hasPlainHandshake(): boolean {
    const isWatched = this.#guardsHandshake || this.observers.length > 0;
    return !isWatched && !this.#countsHandshakes && this.#added.size === 0;
  }

  /** Serves one message and returns its response, synchronously if nothing must be awaited. Never throws or rejects. */
  handle(message: Message, peer: Peer): Response | undefined | Promise<Response | undefined> {
    if (!('method' in message)) {
      peer.settle?.(message);
      return undefined;
    }
    if (this.pipeline === undefined && this.serving.loaded === undefined) return this.#handleLater(message, peer);
    const pipeline = this.pipeline ?? this.#compose();
    if (this.options.warnUninitialized === true) pipeline.warnEarly(this, message.method, peer);
    if ('id' in message) return pipeline.serve(new pipeline.Call(this, message, peer));
    pipeline.serveNotification(this, message, peer);
    return undefined;
  }

  /** Runs middleware and the method of an identified call. */
  run(call: Call): Outcome | Promise<Outcome> {
    return (this.pipeline ?? this.#compose()).run(call);
  }

  /** Runs middleware and the method of a call that a composed server forwards. */
  runPassed(call: Call): Outcome | Promise<Outcome> {
    return (this.pipeline ?? this.#compose()).runPassed(call);
  }

  /** The response to a batch that its caller may not send; undefined if they may. */
  authorizeBatch(items: readonly Classified[], peer: Peer): Awaitable<ErrorResponse | undefined> {
    return (this.pipeline ?? this.#compose()).authorizeBatch?.(this, items, peer);
  }

  /** Adds middleware; the one added last runs outermost. */
  use(middleware: Middleware, { deferHandshake = false }: MiddlewareOptions = {}): void {
    this.hasMiddleware = true;
    if (middleware.offersTools === true) this.capabilities.offerTools();
    if (!deferHandshake) this.#guardsHandshake = true;
    this.#middleware.push(middleware);
    this.stepsChanged();
  }

  /** Adds a feature of a transport. */
  plug(feature: Feature): void {
    this.#added.add(feature);
    this.stepsChanged();
  }

  /** Adds the step that forwards calls to the parts of a composed server. */
  setForwardStep(step: Step): void {
    this.#forwardStep = step;
    this.stepsChanged();
  }

  /** Opens the extensions when a transport starts serving. Returns the function that closes them. */
  open(store: Store, shared: boolean): (why?: CloseReason) => Promise<void> {
    const service: Service = {
      name: this.info.name,
      store,
      shared,
      replay: (call, job) => {
        // No request may have come before: the timeouts of handlers come with the pipeline.
        this.pipeline ??= this.#compose();
        return (this.serving.loaded as Serving).replay(this, call, job, store);
      },
      reportError: this.reportError.bind(this),
    };
    const closing = this.extensions.all.flatMap(({ open }) => open?.(service) ?? []);
    return async (why = 'stopped') => {
      await Promise.all(closing.map(async (close) => close(why)));
    };
  }

  override takeOver(former: Engine): void {
    this.#added = former.#added;
    super.takeOver(former);
  }

  override stepsChanged(): void {
    this.pipeline = undefined;
  }

  /** Serves a message once the serving modules are loaded. Messages keep their order. */
  async #handleLater(message: Request | Notification, peer: Peer): Promise<Response | undefined> {
    try {
      await this.serving.load();
    } catch (error) {
      if ('id' in message) return this.errorResponse(message.id, error);
      this.reportError('Unexpected error in a notification', error);
      return undefined;
    }
    return this.handle(message, peer);
  }

  #compose(): Pipeline {
    const { composePipeline, HandlerTimeouts, ToolDigest } = this.serving.loaded as Serving;
    this.timeLimit ??= new HandlerTimeouts((level, message) => this.note(level, message));
    this.toolDigest ??= new ToolDigest({
      wants: (level) => isEnabled(this.logger, level),
      write: (level, message) => this.note(level, message),
    });
    this.#features ??= this.#featuresOf();
    // The limits of an endpoint count before those of the server.
    const all = [...this.#added, ...this.#features].flatMap((feature) => feature(this) ?? []);
    const plugins = new Map(all.map((plugin) => [plugin.id, plugin]));
    this.pipeline = composePipeline({
      plugins: [...plugins.values()],
      middleware: this.#middleware,
      forwardToPart: this.#forwardStep,
      listSources: this.listSources,
      serversFor: this.serversFor,
    });
    return this.pipeline;
  }
}
