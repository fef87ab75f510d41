import type { Params, RequestId } from '../../jsonrpc/message.ts';
import { escapeUnseen } from '../../jsonrpc/text.ts';
import { toAbortSignal } from '../abort-signals.ts';
import { type ClientCapabilities, declares } from '../../protocol/capabilities.ts';
import { ownIdentity } from '../../protocol/identity.ts';
import type { LogLevel } from '../../protocol/logging.ts';
import type { Result } from '../../protocol/results.ts';
import type { Revision } from '../../revisions/revision.ts';
import { hasNode } from '../../runtime/kind.ts';
import { toCapabilities } from '../questions/answers.ts';
import { type ClientRequest, type RequestHooks, SentRequest, type SentRequestHost } from './sent-request.ts';
import { ConnectionLifecycle } from './connection-lifecycle.ts';
import { ExtensionRegistry } from './extension-registry.ts';
import { ExtensionRequests } from './extension-requests.ts';
import { IncomingMessages } from './incoming-messages.ts';
import type { DefinitionGuard } from '../definition-guard.ts';
import { SessionLost } from '../errors.ts';
import type { ResultType } from '../extension.ts';
import { resolveResult } from './resolve-result.ts';
import { RpcChannel } from './rpc-channel.ts';
import type { Agreement, NegotiationOptions } from './negotiate.ts';
import { Observers } from './observers.ts';
import type { Peer } from '../observer.ts';
import type { WaitOptions } from './pending-requests.ts';
import type { ConnectOptions } from '../connect-options.ts';
import type { RequestOptions } from '../request-options.ts';
import type { Transport } from '../transport.ts';
import { checkLimits, limits } from '../../limits.ts';

/** The maximum warnings per connection; further ones are dropped. */
const maxWarnings = 100;

const defaultOptions: RequestOptions = {};
const noHooks: RequestHooks = {};
const rawHooks: RequestHooks = { raw: true };

/**
 * The connection to one server: sends requests under the negotiated agreement, again if the session was lost, and
 * resolves them with their final results.
 */
export class Connection {
  readonly options: ConnectOptions;
  readonly lifecycle: ConnectionLifecycle;
  readonly incoming: IncomingMessages;
  readonly extensionRequests: ExtensionRequests;
  /** Reports a problem that does not end the connection. */
  readonly warn: (text: string) => void;
  /** The minimum level of log messages. */
  logLevel: LogLevel | undefined;
  /** Holds back definitions; undefined, the usual case: none. */
  guard: DefinitionGuard | undefined;
  readonly #channel: RpcChannel;
  readonly #negotiation: NegotiationOptions;
  readonly #extensions: ExtensionRegistry;
  readonly #requestHost: SentRequestHost = {
    onResult: (request, result) => this.#onResult(request, result),
    onFailure: (sent, error) => this.#onFailure(sent, error),
  };

  constructor(transport: Transport, options: ConnectOptions) {
    checkLimits('connect', options);
    const { retries = 0 } = options;
    if (!Number.isInteger(retries) || retries < 0) throw new TypeError('"retries" must be a whole number from 0 on');
    const extensions = new ExtensionRegistry(options.extensions ?? []);
    const negotiation = createNegotiation(options, extensions);
    const warn = createWarn(options);
    const observers = this.#createObservers(transport, options, warn);
    const channel = new RpcChannel(
      transport,
      extensions.methods,
      {
        answer: (method, params, signal, id) => this.incoming.onRequest(method, params, signal, id),
        onNotification: (method, params) => this.incoming.onNotification(method, params),
        warn,
        sessionLost: () => this.lifecycle.onSessionLost(),
        closed: (reason) => this.lifecycle.onTransportClosed(reason),
      },
      observers,
    );
    this.options = options;
    this.logLevel = options.logLevel;
    this.warn = warn;
    this.#channel = channel;
    this.#negotiation = negotiation;
    this.#extensions = extensions;
    this.extensionRequests = new ExtensionRequests(this);
    this.lifecycle = new ConnectionLifecycle({
      channel,
      transport,
      negotiation,
      observers,
      warn,
      onOpen: (agreement) => this.#onOpen(agreement),
      onLost: (reason) => options.onClose?.(reason),
    });
    this.incoming = new IncomingMessages({ program: options, lifecycle: this.lifecycle, extensions, observers, warn });
  }

  #createObservers(
    transport: Transport,
    { observers = [] }: ConnectOptions,
    warn: (text: string) => void,
  ): Observers | undefined {
    if (observers.length === 0) return undefined;
    const peer = (): Peer => ({
      transport: transport.kind,
      endpoint: transport.endpoint,
      session: transport.session?.(),
      revision: this.lifecycle.isOpen ? this.agreement.revision.version : undefined,
    });
    return new Observers(observers, peer, warn);
  }

  #onOpen({ revision, capabilities }: Agreement): void {
    const middleware = this.#extensions.middlewareFor({ era: revision.era, capabilities });
    this.extensionRequests.middleware = middleware.length === 0 ? undefined : middleware;
  }

  /** The current agreement. Throws if the connection is not open yet. */
  get agreement(): Agreement {
    return this.lifecycle.agreement;
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
    hooks: RequestHooks = options.raw === true ? rawHooks : noHooks,
  ): Promise<Result> {
    const { guard } = this;
    const request = { method, params, options, hooks };
    return guard === undefined
      ? this.#requestThrough(request)
      : guard.request(method, params, () => this.#requestThrough(request));
  }

  /** Sends a request through the middleware of extensions. */
  #requestThrough({
    method,
    params,
    options,
    hooks,
  }: Pick<ClientRequest, 'method' | 'params' | 'options' | 'hooks'>): Promise<Result> {
    const { middleware } = this.extensionRequests;
    if (middleware !== undefined && hooks.raw !== true && options.follow !== false) {
      return this.extensionRequests.sendThrough(middleware, { method, params, options, hooks }, (about, inner) =>
        this.#request(method, about, options, inner),
      );
    }
    return this.#request(method, params, options, hooks);
  }

  #request(method: string, params: Params | undefined, options: RequestOptions, hooks: RequestHooks): Promise<Result> {
    return new Promise((done, fail) =>
      this.#send({ method, params, options, hooks, resolve: done, reject: fail }, this.agreement),
    );
  }

  /** Sends a request. `agreement` is absent on a retry after a lost session. */
  #send(request: ClientRequest, agreement: Agreement | undefined): void {
    const { reconnecting } = this.lifecycle;
    if (reconnecting !== undefined) {
      reconnecting.then(() => this.#send(request, agreement && this.agreement)).catch(request.reject);
      return;
    }
    const { method, params, options } = request;
    const sent = new SentRequest(this.#requestHost, request, this.waitOptions(options, method), agreement);
    this.#channel.send(this.#withSenderMeta(withMeta(params, options.meta), options.capabilities), sent);
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
      const reopened = agreement === this.agreement ? this.lifecycle.reconnect() : Promise.resolve();
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
    const signal = toAbortSignal(options.signal ?? new AbortController().signal);
    const result = await resolveResult(first, {
      method,
      outcome,
      extensionTypeOf: ({ resultType }) => this.#extensions.resultType(era, resultType),
      answer: (question, about) => this.incoming.answerQuestion(question, about, signal),
      resend: (more) => this.request(method, { ...params, ...more }, options, { raw: true }),
      ...(options.follow !== false && {
        follow: (type: ResultType, followed: Result) =>
          this.extensionRequests.follow(type, followed, { method, params, options }),
      }),
    });
    return hooks.finish?.(result, params) ?? result;
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
  #withSenderMeta(params: Params | undefined, declared?: ClientCapabilities): Params | undefined {
    const { revision } = this.agreement;
    const { capabilities, clientInfo } = this.#negotiation;
    return revision.address(params, {
      version: revision.version,
      capabilities: declared ?? capabilities[revision.era],
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
}

function createNegotiation(options: ConnectOptions, extensions: ExtensionRegistry): NegotiationOptions {
  const { signal, era = 'auto', version, probeMs = limits.client.probeMs.value } = options;
  const { timeoutMs = limits.client.timeoutMs.value, maxTimeoutMs = limits.client.maxTimeoutMs.value } = options;
  const capabilities = (of: Revision['era']): ClientCapabilities => {
    const own = toCapabilities(options);
    const declared = { ...own.extensions, ...extensions.settings(of) };
    return Object.keys(declared).length === 0 ? own : { ...own, extensions: declared };
  };
  return {
    era,
    version,
    capabilities: { handshake: capabilities('handshake'), stateless: capabilities('stateless') },
    clientInfo: options.clientInfo ?? ownIdentity,
    waiting: { timeoutMs, maxTimeoutMs, signal },
    probeMs,
  };
}

/** Passes warnings to the program, up to a limit, or to the process. */
function createWarn(options: ConnectOptions): (text: string) => void {
  let count = 0;
  return (warning) => {
    count += 1;
    if (count > maxWarnings + 1) return;
    const text = count > maxWarnings ? 'More warnings of this server are left out' : warning;
    if (options.onWarning !== undefined) options.onWarning(text);
    else emitProcessWarning(escapeUnseen(text));
  };
}

function withMeta(params: Params | undefined, meta: Params | undefined): Params | undefined {
  return meta === undefined ? params : { ...params, _meta: { ...(params?._meta as Params | undefined), ...meta } };
}

function emitProcessWarning(text: string): void {
  if (hasNode) process.emitWarning(text, 'McpWarning');
  // oxlint-disable-next-line no-console -- where a process gives no warnings, nothing else is seen
  else console.warn(`McpWarning: ${text}`);
}
