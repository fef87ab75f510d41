import { brief, ProtocolError } from '../jsonrpc/errors.ts';
import type { Awaitable } from '../jsonrpc/awaitable.ts';
import type { Classified, ErrorResponse, Message, Notification, Request, Response } from '../jsonrpc/message.ts';
import { declares, isInEra } from '../protocol/capabilities.ts';
import { readCaller } from '../revisions/admit.ts';
import type { Caller } from '../revisions/revision.ts';
import type { Store } from '../stores/store.ts';
import type { CloseReason, Service } from './call/background-job.ts';
import type { Call } from './call/call.ts';
import type { Middleware, MiddlewareOptions, Outcome } from './call/operation.ts';
import { type EngineParts, EngineState } from './engine-state.ts';
import { warnUninitialized } from './log/log-rejection.ts';
import { cancelRunning } from './methods/notifications/cancelled.ts';
import type { ListSource } from './lists/list-source.ts';
import type { EngineOptions } from './options.ts';
import type { Peer } from './peer.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import type { Plugin, Step } from './pipeline/step.ts';
import type { Serving, ServingLoader } from './serving.ts';

/** A feature: says which steps it adds for a server as it is now. Asked when the pipeline is composed. */
export type Feature = (server: EngineState) => Plugin | undefined;

/** What features give an engine. */
interface Parts extends Omit<EngineParts, 'sealClass'> {
  readonly serving: ServingLoader;
  /** Asked when `serving` is loaded. */
  features(): readonly Feature[];
  /** True if a handshake counts towards a limit. */
  readonly countsHandshakes: boolean;
}

/** Serves messages by the steps of its pipeline. Transports call it. */
export class Engine extends EngineState {
  /** Composed with the first call, and after something was added. */
  declare private pipeline: Pipeline | undefined;
  /** Loads what serves requests. */
  readonly serving: ServingLoader;
  readonly #featuresOf: Parts['features'];
  #features: readonly Feature[] | undefined;
  readonly #countsHandshakes: boolean;
  readonly #middleware: Middleware[] = [];
  /** True if middleware may change the answer to a handshake. */
  #guardsHandshake = false;
  /** Features of the transports that serve this server, or served it before this one took its place. */
  #added = new Set<Feature>();
  #passOn: Step | undefined;
  /** What fills the lists of this server, and of those that it is joined of. */
  listSources: readonly ListSource[] = [];

  constructor(options: EngineOptions, parts: Parts) {
    super(options, { ...parts, sealClass: () => (parts.serving.loaded as Serving).StateSeal });
    this.serving = parts.serving;
    this.#featuresOf = parts.features;
    this.#countsHandshakes = parts.countsHandshakes;
    if (options.listSource !== undefined) this.listSources = [options.listSource];
  }

  /** True if nothing but the method decides the answer to a handshake, so that it can be answered before all is loaded. */
  get hasPlainHandshake(): boolean {
    const isWatched = this.#guardsHandshake || this.observers.length > 0;
    return !isWatched && !this.#countsHandshakes && this.#added.size === 0;
  }

  /** Serves one message: gives its response, synchronously where nothing has to be waited for. Never throws or rejects. */
  handle(message: Message, peer: Peer): Response | undefined | Promise<Response | undefined> {
    if (!('method' in message)) {
      peer.settle?.(message);
      return undefined;
    }
    if (this.pipeline === undefined && this.serving.loaded === undefined) return this.#handleLater(message, peer);
    if (this.options.warnUninitialized === true && message.method !== 'notifications/initialized') {
      warnUninitialized(this, `"${brief(message.method)}"`, peer);
    }
    const pipeline = this.pipeline ?? this.#compose();
    if ('id' in message) return pipeline.serve(new pipeline.Call(this, message, peer));
    this.#notice(message, peer);
    return undefined;
  }

  /** Runs middleware and the method of a call that was identified. */
  run(call: Call): Outcome | Promise<Outcome> {
    return (this.pipeline ?? this.#compose()).run(call);
  }

  /** The same for a call that another server passes on. */
  runPassed(call: Call): Outcome | Promise<Outcome> {
    return (this.pipeline ?? this.#compose()).runPassed(call);
  }

  /** The answer to a batch that its caller may not send; undefined where they may. */
  authorizeBatch(items: readonly Classified[], peer: Peer): Awaitable<ErrorResponse | undefined> {
    return (this.pipeline ?? this.#compose()).authorizeBatch?.(this, items, peer);
  }

  /** Puts a function around everything that is served from now on; the one added last runs outermost. */
  use(middleware: Middleware, { deferHandshake = false }: MiddlewareOptions = {}): void {
    this.hasMiddleware = true;
    if (!deferHandshake) this.#guardsHandshake = true;
    this.#middleware.push(middleware);
    this.stepsChanged();
  }

  /** Adds a feature that a transport needs for its requests. */
  plug(feature: Feature): void {
    this.#added.add(feature);
    this.stepsChanged();
  }

  /** Passes calls on to other servers before a method of this one runs. */
  passOn(step: Step): void {
    this.#passOn = step;
    this.stepsChanged();
  }

  /** Tells the extensions that a transport begins to serve. Gives the function that ends that. */
  open(store: Store, shared: boolean): (why?: CloseReason) => Promise<void> {
    const service: Service = {
      name: this.info.name,
      store,
      shared,
      replay: (call, job) => (this.serving.loaded as Serving).replay(this, call, job, store),
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

  /** Serves a message as soon as what serves it is loaded. Messages keep their order. */
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
    const { composePipeline } = this.serving.loaded as Serving;
    this.#features ??= this.#featuresOf();
    // The limits of an endpoint count before those of the server.
    const all = [...this.#added, ...this.#features].flatMap((feature) => feature(this) ?? []);
    const plugins = new Map(all.map((plugin) => [plugin.id, plugin]));
    this.pipeline = composePipeline({
      plugins: [...plugins.values()],
      middleware: this.#middleware,
      passOn: this.#passOn,
      listSources: this.listSources,
    });
    return this.pipeline;
  }

  #notice(notification: Notification, peer: Peer): void {
    const { method } = notification;
    if (method === 'notifications/cancelled') {
      cancelRunning(notification, peer);
      return;
    }
    const report = (error: unknown): void => this.reportError(`Unexpected error in ${method}`, error);
    try {
      const caller = peer.caller ?? readCaller(notification) ?? peer.session;
      if (caller?.revision === undefined || !this.#takes(method, caller as Caller)) return;
      const { Call } = this.serving.loaded as Serving;
      const call = new Call(this, notification, peer);
      call.caller = caller as Caller;
      const outcome = this.run(call);
      if (outcome instanceof Promise) outcome.catch(report);
    } catch (error) {
      // A notification has no answer: one that can't be parsed is no error of this side.
      if (!(error instanceof ProtocolError)) report(error);
    }
  }

  /** True for notifications of the client's revision, and of an extension that both sides have. */
  #takes(method: string, { revision, capabilities }: Caller): boolean {
    if (revision.notifications.has(method)) return revision.era === 'handshake';
    const found = this.extensions.notification(method);
    if (found?.notification.receive === undefined || !isInEra(found.extension, revision.era)) return false;
    return revision.era === 'handshake' || declares(capabilities, found.extension.id);
  }
}
