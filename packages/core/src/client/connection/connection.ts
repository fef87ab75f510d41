import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import type { Params, RequestId } from '../../jsonrpc/message.ts';
import { escapeUnseen } from '../../jsonrpc/unseen.ts';
import { type ClientCapabilities, declares } from '../../protocol/capabilities.ts';
import { ownIdentity } from '../../protocol/identity.ts';
import { isLogLevel, type LogLevel } from '../../protocol/logging.ts';
import { idempotencyMetaKey, type Meta } from '../../protocol/meta.ts';
import type { Result } from '../../protocol/results.ts';
import type { Revision } from '../../revisions/revision.ts';
import { hasNode } from '../../runtime/kind.ts';
import { answerQuestion, toCapabilities } from '../questions/answers.ts';
import { anySignal } from '../abort-signals.ts';
import { type ClientRequest, type RequestHooks, SentRequest, type SentRequestHost } from './sent-request.ts';
import { parseChange, type Change } from '../subscriptions/subscription.ts';
import { ExtensionRegistry } from './extension-registry.ts';
import { ConnectionError, SessionLost, TimeoutError } from '../errors.ts';
import type { ClientMiddleware, FollowedRequest, NoticeOptions, ResultType } from '../extension.ts';
import { resolveResult, followResult } from './resolve-result.ts';
import { NotAnswerable } from '../questions/incoming-questions.ts';
import { RpcChannel, type ChannelListener } from './rpc-channel.ts';
import { listenByRequest } from '../subscriptions/listen-by-request.ts';
import { type Agreement, handshake, negotiate, type NegotiationOptions } from './negotiate.ts';
import { Observers } from './observers.ts';
import type { Peer } from '../observer.ts';
import type { WaitOptions } from './pending-requests.ts';
import { delay } from '../abort-signals.ts';
import type { ConnectOptions } from '../connect-options.ts';
import type { RequestOptions } from '../request-options.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Transport } from '../transport.ts';
import { checkLimits, limits } from '../../limits.ts';

const maxWarnings = limits.client.warnings.value;
const maxExtensionSubscriptions = limits.client.extensionListens.value;
const maxReconnectDelayMs = limits.clientHttp.longestRetryMs.value;
const firstReconnectDelayMs = 500;
const silentGraceMs = limits.clientStdio.silentGraceMs.value;
/** A session that lasted this long was not dropped right after it began. */
const stableSessionMs = 60_000;

const defaultOptions: RequestOptions = {};
const noHooks: RequestHooks = {};

/** Receives changes. In the stateless era `params` name the subscription. */
export type ChangeListener = (change: Change, params: Params) => void;

/** The connection to one server: the negotiated agreement, and requests under it. */
export class Connection {
  readonly options: ConnectOptions;
  readonly transport: Transport;
  readonly changeListeners: Set<ChangeListener> = new Set();
  readonly acknowledgementListeners: Set<(params: Params) => void> = new Set();
  /** Receive notifications of extensions. */
  readonly notificationListeners: Set<(method: string, params: Params) => void> = new Set();
  /** Run after a new handshake, to restore what the old session held. */
  readonly sessionRestorers: Set<() => Promise<unknown>> = new Set();
  readonly #channel: RpcChannel;
  readonly #observers: Observers | undefined;
  readonly #negotiation: NegotiationOptions;
  readonly #extensions: ExtensionRegistry;
  readonly #closed = new AbortController();
  readonly #requestHost: SentRequestHost = {
    onResult: (request, result) => this.#onResult(request, result),
    onFailure: (sent, error) => this.#onFailure(sent, error),
  };
  #agreement: Agreement | undefined;
  /** Middleware of extensions; undefined if there is none, the usual case. */
  #middleware: readonly ClientMiddleware[] | undefined;
  #extensionSubscriptions = 0;
  #reconnecting: Promise<void> | undefined;
  #warnings = 0;
  #reconnectedAt = Number.NEGATIVE_INFINITY;
  #shortSessions = 0;
  logLevel: LogLevel | undefined;

  constructor(transport: Transport, options: ConnectOptions) {
    const { signal, era = 'auto', version, probeMs = limits.client.probeMs.value } = options;
    const { timeoutMs = limits.client.timeoutMs.value, maxTimeoutMs = limits.client.maxTimeoutMs.value } = options;
    checkLimits('connect', options);
    const { retries = 0 } = options;
    if (!Number.isInteger(retries) || retries < 0) throw new TypeError('"retries" must be a whole number from 0 on');
    this.transport = transport;
    this.options = options;
    this.logLevel = options.logLevel;
    this.#extensions = new ExtensionRegistry(options.extensions ?? []);
    this.#observers = this.#createObservers(options);
    const listener: ChannelListener = {
      answer: (method, params, aborted, id) => this.#onQuestion(method, params, aborted, id),
      onNotification: (method, params) => this.#onNotification(method, params),
      warn: (text) => this.warn(text),
      sessionLost: () =>
        void this.#reconnect({ patiently: true }).catch((error: Error) => {
          if (!this.isClosed) this.warn(`The session is lost: ${error.message}`);
        }),
      closed: (reason) => {
        if (this.#agreement === undefined) return;
        this.#closed.abort(reason);
        this.#observers?.onClosed(reason);
        options.onClose?.(reason);
      },
    };
    this.#channel = new RpcChannel(transport, this.#extensions.methods, listener, this.#observers);
    this.#negotiation = {
      era,
      version,
      capabilities: { handshake: this.#capabilities('handshake'), stateless: this.#capabilities('stateless') },
      clientInfo: options.clientInfo ?? ownIdentity,
      waiting: { timeoutMs, maxTimeoutMs, signal },
      probeMs,
    };
  }

  #createObservers({ observers = [] }: ConnectOptions): Observers | undefined {
    if (observers.length === 0) return undefined;
    const { transport } = this;
    const peer = (): Peer => ({
      transport: transport.kind,
      endpoint: transport.endpoint,
      session: transport.session?.(),
      revision: this.#agreement?.revision.version,
    });
    return new Observers(observers, peer, (text) => this.warn(text));
  }

  get agreement(): Agreement {
    if (this.#agreement === undefined) throw new Error('The connection is not open yet');
    return this.#agreement;
  }

  /** Starts the transport and negotiates. Closes everything on failure. */
  async open(): Promise<void> {
    try {
      await this.#channel.start();
      this.#agreement = await negotiate(this.#channel, this.transport, this.#negotiation);
      const { revision, capabilities } = this.#agreement;
      const middleware = this.#extensions.middlewareFor({ era: revision.era, capabilities });
      this.#middleware = middleware.length === 0 ? undefined : middleware;
      this.#channel.sendsCancelled = !(this.transport.streamPerRequest && this.#agreement.revision.asksBy === 'result');
    } catch (error) {
      // A server that was silent so far would not use the full grace period either.
      await this.#channel.close(error instanceof TimeoutError ? silentGraceMs : undefined);
      throw error;
    }
  }

  /** True if both sides declared the extension. */
  supports(id: string): boolean {
    const { revision, capabilities } = this.agreement;
    const own = this.#negotiation.capabilities[revision.era];
    return declares(own, id) && declares(capabilities, id);
  }

  /** Sends a request and resolves with its final result, however many rounds that takes. */
  request(
    method: string,
    params?: Params,
    options: RequestOptions = defaultOptions,
    hooks: RequestHooks = noHooks,
  ): Promise<Result> {
    if (this.#middleware !== undefined && hooks.raw !== true && options.follow !== false) {
      return this.#requestWithMiddleware(this.#middleware, { method, params, options, hooks });
    }
    return this.#request(method, params, options, hooks);
  }

  #request(method: string, params: Params | undefined, options: RequestOptions, hooks: RequestHooks): Promise<Result> {
    return new Promise((done, fail) =>
      this.#send({ method, params, options, hooks, resolve: done, reject: fail }, this.#agreement),
    );
  }

  /** Sends a request. `agreement` is absent on a retry after a lost session. */
  #send(request: ClientRequest, agreement: Agreement | undefined): void {
    if (this.#reconnecting !== undefined) {
      this.#reconnecting.then(() => this.#send(request, agreement && this.#agreement)).catch(request.reject);
      return;
    }
    const { method, params, options } = request;
    const sent = new SentRequest(this.#requestHost, request, this.waitOptions(options, method), agreement);
    this.#channel.send(this.#withSenderMeta(withMeta(params, options.meta)), sent);
  }

  #onResult(request: ClientRequest, result: Result): void {
    const { params, hooks } = request;
    try {
      if (hooks.raw !== true && !this.#isFinal(result)) request.resolve(this.#resolveResult(request, result));
      else request.resolve(hooks.finish === undefined ? result : hooks.finish(result, params));
    } catch (error) {
      request.reject(error);
    }
  }

  #onFailure({ request, agreement }: SentRequest, error: Error): void {
    const { params, options, hooks } = request;
    if (error instanceof SessionLost && agreement !== undefined) {
      // Another request may have reconnected already.
      const reopened = agreement === this.#agreement ? this.#reconnect() : Promise.resolve();
      reopened.then(() => this.#send(request, undefined)).catch(request.reject);
    } else if (hooks.recover === undefined) {
      request.reject(error);
    } else {
      const recovered = hooks.recover(error, params, options);
      request.resolve(recovered.then((result) => hooks.finish?.(result, params) ?? result));
    }
  }

  #isFinal(result: Result): boolean {
    const { outcome, era } = this.agreement.revision;
    return this.#extensions.resultType(era, result.resultType) === undefined && outcome(result) === 'complete';
  }

  async #resolveResult({ method, params, options, hooks }: ClientRequest, first: Result): Promise<Result> {
    hooks.onRounds?.();
    const { outcome, era } = this.agreement.revision;
    const signal = options.signal ?? new AbortController().signal;
    const result = await resolveResult(first, {
      method,
      outcome,
      extensionTypeOf: ({ resultType }) => this.#extensions.resultType(era, resultType),
      answer: (question, about) => this.answerQuestion(question, about, signal),
      resend: (more) => this.request(method, { ...params, ...more }, options, { raw: true }),
      ...(options.follow !== false && {
        follow: (type: ResultType, followed: Result) => this.#follow(type, followed, method, params, options),
      }),
    });
    return hooks.finish?.(result, params) ?? result;
  }

  /** Sends a request through the middleware of extensions. The hook `finish` sees the outer result only. */
  #requestWithMiddleware(
    middleware: readonly ClientMiddleware[],
    { method, params, options, hooks }: Pick<ClientRequest, 'method' | 'params' | 'options' | 'hooks'>,
  ): Promise<Result> {
    const { finish, ...inner } = hooks;
    return this.#withFollowedRequest({ method, params, options }, async (request) => {
      const layers = middleware.reduceRight<(about: Params | undefined) => Promise<Result>>(
        (next, middleware) => (about) => middleware({ ...request, params: about }, (other = about) => next(other)),
        (about) => this.#request(method, about, options, inner),
      );
      const result = await layers(params);
      return finish?.(result, params) ?? result;
    });
  }

  /** Lets an extension follow a result until the caller or the connection gives up. */
  #follow(
    type: ResultType,
    result: Result,
    method: string,
    params: Params | undefined,
    options: RequestOptions,
  ): Promise<Result> {
    return this.#withFollowedRequest({ method, params, options }, (request) => followResult(type, result, request));
  }

  /** Gives an extension its view of a request, for as long as the request lasts. */
  async #withFollowedRequest(
    { method, params, options }: Pick<ClientRequest, 'method' | 'params' | 'options'>,
    act: (request: FollowedRequest) => Promise<Result>,
  ): Promise<Result> {
    const { onProgress, idempotencyKey: _, meta, ...rest } = options;
    const further = { ...rest, ...(meta !== undefined && { meta: withoutIdempotencyKey(meta) }) };
    const { signal, release } = anySignal([options.signal, this.#closed.signal]);
    try {
      return await act({
        method,
        params,
        signal,
        onProgress,
        request: (next, about, more) => this.request(next, about, { ...further, signal, ...more, follow: false }),
        answer: (question, about, unwanted = signal) => this.answerQuestion(question, about, unwanted),
        listen: (wish, listening) => this.subscribeForExtension(wish, listening),
        warn: (text) => this.warn(text),
      });
    } finally {
      release();
    }
  }

  /** Subscribes for an extension. Each subscription takes a stream of the server, so they are limited. */
  async subscribeForExtension(
    wish: Readonly<Record<string, unknown>>,
    { signal, heard }: NoticeOptions,
  ): Promise<Subscription> {
    if (!this.agreement.revision.requests.has('subscriptions/listen')) {
      throw new Error('This version of the protocol has no "subscriptions/listen"');
    }
    if (this.#extensionSubscriptions >= maxExtensionSubscriptions)
      throw new Error(`Extensions listen to ${maxExtensionSubscriptions} things already`);
    this.#extensionSubscriptions += 1;
    const done = (): void => {
      this.#extensionSubscriptions -= 1;
    };
    try {
      const subscription = await listenByRequest(this, { more: wish }, { signal, onNotice: heard });
      void subscription.closed.catch(() => {}).finally(() => done());
      return subscription;
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Sends a request with the metadata that the agreement requires. */
  ask(
    method: string,
    params: Params | undefined,
    waiting: WaitOptions,
    meta?: Params,
  ): { id: RequestId; answer: Promise<Result> } {
    return this.#channel.ask(method, this.#withSenderMeta(withMeta(params, meta)), waiting);
  }

  /** Adds the sender's identity to the params if the revision requires it in each request. */
  #withSenderMeta(params: Params | undefined): Params | undefined {
    const { revision } = this.agreement;
    const { capabilities, clientInfo } = this.#negotiation;
    return revision.address(params, {
      version: revision.version,
      capabilities: capabilities[revision.era],
      clientInfo,
      logLevel: this.logLevel,
    });
  }

  waitOptions({ timeoutMs, maxTimeoutMs, signal, onProgress }: RequestOptions, method?: string): WaitOptions {
    const defaults = this.#negotiation.waiting;
    return {
      timeoutMs: timeoutMs ?? defaults.timeoutMs,
      maxTimeoutMs: maxTimeoutMs ?? Math.max(defaults.maxTimeoutMs, timeoutMs ?? 0),
      signal,
      // Progress extends the timeout of a long request, even if nobody listens to it.
      progress: onProgress ?? (this.#extensions.methods.of(method ?? '').takesLong === true ? true : undefined),
    };
  }

  /** Aborts when the connection is closed. */
  get closedSignal(): AbortSignal {
    return this.#closed.signal;
  }

  /** True once the client was closed or the connection ended. */
  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Sends a protocol notification if the revision has it. */
  notify(method: string, params?: Params): Promise<void> | undefined {
    return this.agreement.revision.notifications.has(method) ? this.#channel.notify(method, params) : undefined;
  }

  /** Sends a notification of an extension of this client. */
  notifyExtension(method: string, params?: Params): Promise<void> | undefined {
    const { era } = this.agreement.revision;
    const id = this.#extensions.extensionOfNotification(era, method);
    if (id === undefined) {
      throw new TypeError(`"${method}" is no notification of an extension: name it in "notifications" of one`);
    }
    return this.supports(id) ? this.#channel.notify(method, this.#withSenderMeta(params)) : undefined;
  }

  warn(text: string): void {
    this.#warnings += 1;
    if (this.#warnings > maxWarnings + 1) return;
    this.#emitWarning(this.#warnings > maxWarnings ? 'More warnings of this server are left out' : text);
  }

  #emitWarning(text: string): void {
    if (this.options.onWarning !== undefined) this.options.onWarning(text);
    else emitProcessWarning(escapeUnseen(text));
  }

  close(graceMs?: number): Promise<void> {
    if (!this.isClosed) this.#observers?.onClosed(undefined);
    this.#closed.abort(new ConnectionError('The client is closed'));
    return this.#channel.close(graceMs);
  }

  /**
   * Repeats the handshake, once for all requests that lost the session. Without a request waiting it backs off: a
   * server that drops each session at once would keep both sides busy.
   */
  #reconnect({ patiently = false } = {}): Promise<void> {
    this.#reconnecting ??= this.#repeatHandshake(patiently ? this.#reconnectDelay() : 0).finally(() => {
      this.#reconnecting = undefined;
    });
    return this.#reconnecting;
  }

  #reconnectDelay(): number {
    const now = performance.now();
    this.#shortSessions = now - this.#reconnectedAt >= stableSessionMs ? 0 : this.#shortSessions + 1;
    return this.#shortSessions === 0
      ? 0
      : Math.min(firstReconnectDelayMs * 2 ** this.#shortSessions, maxReconnectDelayMs);
  }

  async #repeatHandshake(pauseMs: number): Promise<void> {
    if (pauseMs > 0) await delay(pauseMs, this.#closed.signal);
    this.#closed.signal.throwIfAborted();
    this.#reconnectedAt = performance.now();
    const { signal: _, ...waiting } = this.#negotiation.waiting;
    const { version } = this.agreement.revision;
    this.#agreement = await handshake(this.#channel, this.transport, { ...this.#negotiation, waiting, version });
    for (const again of this.sessionRestorers) {
      // Not awaited: these are requests, and wait for the handshake themselves.
      again().catch((error: Error) => this.warn(`Lost with the old session: ${error.message}`));
    }
  }

  async #onQuestion(method: string, params: Params | undefined, signal: AbortSignal, id: RequestId): Promise<object> {
    if (this.#agreement?.revision.asksBy === 'result') {
      this.warn(`The server sent the request "${method}", which its era does not allow`);
      throw new NotAnswerable();
    }
    if (method === 'ping') return {};
    if (this.#agreement === undefined && this.#negotiation.era === 'stateless') {
      throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method}`);
    }
    return this.answerQuestion(method, params, signal, id);
  }

  /** Answers a question of the server; `id` is set if it came as a request. */
  answerQuestion(method: string, params: Params | undefined, signal: AbortSignal, id?: RequestId): Promise<object> {
    const answer = (): Promise<object> => answerQuestion(this.options, method, params, { signal });
    if (this.#observers === undefined) return answer();
    return this.#observers.observeQuestion({ ...(id !== undefined && { id }), method, params }, answer);
  }

  #onNotification(method: string, params: Params): void {
    const change = parseChange(method, params);
    if (change !== undefined) {
      for (const hear of Array.from(this.changeListeners)) hear(change, params);
    } else if (method === 'notifications/message') {
      this.#onLogMessage(params);
    } else if (method === 'notifications/subscriptions/acknowledged') {
      for (const hear of Array.from(this.acknowledgementListeners)) hear(params);
    } else if (this.#agreement !== undefined) {
      for (const hear of Array.from(this.notificationListeners)) hear(method, params);
      void this.#extensions.dispatchNotification(this.#agreement.revision.era, method, params, (text) =>
        this.warn(text),
      );
    }
  }

  #capabilities(era: Revision['era']): ClientCapabilities {
    const capabilities = toCapabilities(this.options);
    const extensions = { ...capabilities.extensions, ...this.#extensions.settings(era) };
    return Object.keys(extensions).length === 0 ? capabilities : { ...capabilities, extensions };
  }

  #onLogMessage({ level, logger, data }: Params): void {
    if (!isLogLevel(level)) return;
    this.options.onLog?.({ level, data, ...(typeof logger === 'string' && { logger }) });
  }
}

/** An idempotency key belongs to one call, not to requests that follow from it. */
function withoutIdempotencyKey({ [idempotencyMetaKey]: _, ...meta }: Meta): Meta {
  return meta;
}

function withMeta(params: Params | undefined, meta: Params | undefined): Params | undefined {
  return meta === undefined ? params : { ...params, _meta: { ...(params?._meta as Params | undefined), ...meta } };
}

function emitProcessWarning(text: string): void {
  if (hasNode) process.emitWarning(text, 'McpWarning');
  // oxlint-disable-next-line no-console -- where a process gives no warnings, nothing else is seen
  else console.warn(`McpWarning: ${text}`);
}
