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
import { answerQuestion, capabilitiesOf } from '../questions/answers.ts';
import { anySignal } from '../abort-signals.ts';
import { type Asked, type Handling, SentRequest, type SentRequestHost } from './sent-request.ts';
import { changeOf, type Change } from '../subscriptions/subscription.ts';
import { DeclaredExtensions } from './extension-registry.ts';
import { ConnectionError, SessionLost, TimeoutError } from '../errors.ts';
import type { ClientMiddleware, FollowedRequest, NoticeOptions, ResultType } from '../extension.ts';
import { finalResult, followResult } from './resolve-result.ts';
import { Unanswerable } from '../questions/incoming-questions.ts';
import { Link, type Listener } from './rpc-channel.ts';
import { listenByRequest } from '../subscriptions/listen-by-request.ts';
import { type Agreement, handshake, negotiate, type Terms } from './negotiate.ts';
import { Observers } from './observers.ts';
import type { Peer } from '../observer.ts';
import type { Waiting } from './pending-requests.ts';
import { pause } from '../abort-signals.ts';
import type { ConnectOptions } from '../connect-options.ts';
import type { RequestOptions } from '../request-options.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Transport } from '../transport.ts';
import { checkLimits, limits } from '../../limits.ts';

const mostWarnings = limits.client.warnings.value;
const mostListens = limits.client.extensionListens.value;
const longestPauseMs = limits.clientHttp.longestRetryMs.value;
const firstPauseMs = 500;
const silentGraceMs = limits.clientStdio.silentGraceMs.value;
/** A session that lasted so long was not forgotten at once. */
const lastingSessionMs = 60_000;

const usualOptions: RequestOptions = {};
const usualHandling: Handling = {};

/** Hears of changes. In the stateless era `params` say which subscription they belong to. */
export type ChangeListener = (change: Change, params: Params) => void;

/** The conversation with one server: what was agreed, and how requests are made under that. */
export class Conversation {
  readonly options: ConnectOptions;
  readonly transport: Transport;
  readonly changes: Set<ChangeListener> = new Set();
  readonly acknowledged: Set<(params: Params) => void> = new Set();
  /** Hear the notifications that extensions add. */
  readonly notices: Set<(method: string, params: Params) => void> = new Set();
  /** What has to be said again after a session was lost. */
  readonly restore: Set<() => Promise<unknown>> = new Set();
  readonly #link: Link;
  readonly #observers: Observers | undefined;
  readonly #terms: Terms;
  readonly #extensions: DeclaredExtensions;
  readonly #over = new AbortController();
  readonly #sentHost: SentRequestHost = {
    answered: (asked, result) => this.#answered(asked, result),
    failed: (sent, error) => this.#failed(sent, error),
  };
  #agreement: Agreement | undefined;
  /** What extensions run around requests; undefined where none wants to, which is usual. */
  #around: readonly ClientMiddleware[] | undefined;
  #listens = 0;
  #reopening: Promise<void> | undefined;
  #warnings = 0;
  #reopenedAt = Number.NEGATIVE_INFINITY;
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
    this.#extensions = new DeclaredExtensions(options.extensions ?? []);
    this.#observers = this.#observersIn(options);
    const listener: Listener = {
      answer: (method, params, aborted, id) => this.#answer(method, params, aborted, id),
      notice: (method, params) => this.#notice(method, params),
      warn: (text) => this.warn(text),
      sessionLost: () =>
        void this.#reopen({ patiently: true }).catch((error: Error) => {
          if (!this.isOver) this.warn(`The session is lost: ${error.message}`);
        }),
      closed: (reason) => {
        if (this.#agreement === undefined) return;
        this.#over.abort(reason);
        this.#observers?.closed(reason);
        options.onClose?.(reason);
      },
    };
    this.#link = new Link(transport, this.#extensions.methods, listener, this.#observers);
    this.#terms = {
      era,
      version,
      capabilities: { handshake: this.#capabilities('handshake'), stateless: this.#capabilities('stateless') },
      clientInfo: options.clientInfo ?? ownIdentity,
      waiting: { timeoutMs, maxTimeoutMs, signal },
      probeMs,
    };
  }

  #observersIn({ observers = [] }: ConnectOptions): Observers | undefined {
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

  /** Starts the transport and comes to an agreement; closes everything where that fails. */
  async open(): Promise<void> {
    try {
      await this.#link.start();
      this.#agreement = await negotiate(this.#link, this.transport, this.#terms);
      const { revision, capabilities } = this.#agreement;
      const around = this.#extensions.around({ era: revision.era, capabilities });
      this.#around = around.length === 0 ? undefined : around;
      this.#link.tellsCancelled = !(this.transport.streamPerRequest && this.#agreement.revision.asksBy === 'result');
    } catch (error) {
      // One that was silent all the time would use the time for its end in the same way.
      await this.#link.close(error instanceof TimeoutError ? silentGraceMs : undefined);
      throw error;
    }
  }

  /** True where both sides have declared the extension. */
  supports(id: string): boolean {
    const { revision, capabilities } = this.agreement;
    const own = this.#terms.capabilities[revision.era];
    return declares(own, id) && declares(capabilities, id);
  }

  /** Makes a request and gives its final result, however many rounds that takes. */
  request(
    method: string,
    params?: Params,
    options: RequestOptions = usualOptions,
    handling: Handling = usualHandling,
  ): Promise<Result> {
    if (this.#around !== undefined && handling.raw !== true && options.follow !== false) {
      return this.#requestAround(this.#around, { method, params, options, handling });
    }
    return this.#request(method, params, options, handling);
  }

  #request(method: string, params: Params | undefined, options: RequestOptions, handling: Handling): Promise<Result> {
    return new Promise((done, fail) => this.#send({ method, params, options, handling, done, fail }, this.#agreement));
  }

  /** Sends what is asked for. `under` is absent where it is sent again, because the session was lost. */
  #send(asked: Asked, under: Agreement | undefined): void {
    if (this.#reopening !== undefined) {
      this.#reopening.then(() => this.#send(asked, under && this.#agreement)).catch(asked.fail);
      return;
    }
    const { method, params, options } = asked;
    const sent = new SentRequest(this.#sentHost, asked, this.waiting(options, method), under);
    this.#link.send(this.#addressed(withMeta(params, options.meta)), sent);
  }

  #answered(asked: Asked, result: Result): void {
    const { params, handling } = asked;
    try {
      if (handling.raw !== true && !this.#isFinal(result)) asked.done(this.#goOn(asked, result));
      else asked.done(handling.finish === undefined ? result : handling.finish(result, params));
    } catch (error) {
      asked.fail(error);
    }
  }

  #failed({ asked, under }: SentRequest, error: Error): void {
    const { params, options, handling } = asked;
    if (error instanceof SessionLost && under !== undefined) {
      // Another request may have found out before.
      const reopened = under === this.#agreement ? this.#reopen() : Promise.resolve();
      reopened.then(() => this.#send(asked, undefined)).catch(asked.fail);
    } else if (handling.recover === undefined) {
      asked.fail(error);
    } else {
      const recovered = handling.recover(error, params, options);
      asked.done(recovered.then((result) => handling.finish?.(result, params) ?? result));
    }
  }

  #isFinal(result: Result): boolean {
    const { outcome, era } = this.agreement.revision;
    return this.#extensions.resultType(era, result.resultType) === undefined && outcome(result) === 'complete';
  }

  async #goOn({ method, params, options, handling }: Asked, first: Result): Promise<Result> {
    handling.onRounds?.();
    const { outcome, era } = this.agreement.revision;
    const signal = options.signal ?? new AbortController().signal;
    const result = await finalResult(first, {
      method,
      outcome,
      typeOf: ({ resultType }) => this.#extensions.resultType(era, resultType),
      answer: (question, about) => this.answerOne(question, about, signal),
      again: (more) => this.request(method, { ...params, ...more }, options, { raw: true }),
      ...(options.follow !== false && {
        follow: (type: ResultType, followed: Result) => this.#follow(type, followed, method, params, options),
      }),
    });
    return handling.finish?.(result, params) ?? result;
  }

  /** Makes a request within what the extensions run around it. The caller's checks see only what comes out of that. */
  #requestAround(
    around: readonly ClientMiddleware[],
    { method, params, options, handling }: Pick<Asked, 'method' | 'params' | 'options' | 'handling'>,
  ): Promise<Result> {
    const { finish, ...inner } = handling;
    return this.#whileWanted({ method, params, options }, async (request) => {
      const layers = around.reduceRight<(about: Params | undefined) => Promise<Result>>(
        (next, middleware) => (about) => middleware({ ...request, params: about }, (other = about) => next(other)),
        (about) => this.#request(method, about, options, inner),
      );
      const result = await layers(params);
      return finish?.(result, params) ?? result;
    });
  }

  /** Lets an extension go on from a result, but no longer than the caller and the conversation last. */
  #follow(
    type: ResultType,
    result: Result,
    method: string,
    params: Params | undefined,
    options: RequestOptions,
  ): Promise<Result> {
    return this.#whileWanted({ method, params, options }, (request) => followResult(type, result, request));
  }

  /** Gives an extension what it needs for a request, as long as it lasts. */
  async #whileWanted(
    { method, params, options }: Pick<Asked, 'method' | 'params' | 'options'>,
    act: (request: FollowedRequest) => Promise<Result>,
  ): Promise<Result> {
    const { onProgress, idempotencyKey: _, meta, ...rest } = options;
    const further = { ...rest, ...(meta !== undefined && { meta: withoutKey(meta) }) };
    const { signal, release } = anySignal([options.signal, this.#over.signal]);
    try {
      return await act({
        method,
        params,
        signal,
        onProgress,
        request: (next, about, more) => this.request(next, about, { ...further, signal, ...more, follow: false }),
        answer: (question, about, unwanted = signal) => this.answerOne(question, about, unwanted),
        listen: (wish, listening) => this.listenFor(wish, listening),
        warn: (text) => this.warn(text),
      });
    } finally {
      release();
    }
  }

  /** Listens to what an extension wants to hear. Each takes a stream of the server's, so there are not many. */
  async listenFor(wish: Readonly<Record<string, unknown>>, { signal, heard }: NoticeOptions): Promise<Subscription> {
    if (!this.agreement.revision.requests.has('subscriptions/listen')) {
      throw new Error('This version of the protocol has no "subscriptions/listen"');
    }
    if (this.#listens >= mostListens) throw new Error(`Extensions listen to ${mostListens} things already`);
    this.#listens += 1;
    const done = (): void => {
      this.#listens -= 1;
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

  /** Sends a request as it has to be under the agreement. */
  ask(
    method: string,
    params: Params | undefined,
    waiting: Waiting,
    meta?: Params,
  ): { id: RequestId; answer: Promise<Result> } {
    return this.#link.ask(method, this.#addressed(withMeta(params, meta)), waiting);
  }

  /** Says in the params who sends them, where the agreement wants that said each time. */
  #addressed(params: Params | undefined): Params | undefined {
    const { revision } = this.agreement;
    const { capabilities, clientInfo } = this.#terms;
    return revision.address(params, {
      version: revision.version,
      capabilities: capabilities[revision.era],
      clientInfo,
      logLevel: this.logLevel,
    });
  }

  waiting({ timeoutMs, maxTimeoutMs, signal, onProgress }: RequestOptions, method?: string): Waiting {
    const usual = this.#terms.waiting;
    return {
      timeoutMs: timeoutMs ?? usual.timeoutMs,
      maxTimeoutMs: maxTimeoutMs ?? Math.max(usual.maxTimeoutMs, timeoutMs ?? 0),
      signal,
      // With progress a long request gets the time it needs, whether or not somebody looks at it.
      progress: onProgress ?? (this.#extensions.methods.of(method ?? '').takesLong === true ? true : undefined),
    };
  }

  /** Aborted when nothing can be asked any more. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** True when nothing can be asked any more: this side has closed the client, or the connection has ended. */
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Sends a notification of the protocol, where its revision has it. */
  notify(method: string, params?: Params): Promise<void> | undefined {
    return this.agreement.revision.notifications.has(method) ? this.#link.notify(method, params) : undefined;
  }

  /** Sends a notification that an extension of this client adds. */
  notifyOfExtension(method: string, params?: Params): Promise<void> | undefined {
    const { era } = this.agreement.revision;
    const id = this.#extensions.notifies(era, method);
    if (id === undefined) {
      throw new TypeError(`"${method}" is no notification of an extension: name it in "notifications" of one`);
    }
    return this.supports(id) ? this.#link.notify(method, this.#addressed(params)) : undefined;
  }

  warn(text: string): void {
    this.#warnings += 1;
    if (this.#warnings > mostWarnings + 1) return;
    this.#tellWarning(this.#warnings > mostWarnings ? 'More warnings of this server are left out' : text);
  }

  #tellWarning(text: string): void {
    if (this.options.onWarning !== undefined) this.options.onWarning(text);
    else warnOfProcess(escapeUnseen(text));
  }

  close(): Promise<void> {
    if (!this.isOver) this.#observers?.closed(undefined);
    this.#over.abort(new ConnectionError('The client is closed'));
    return this.#link.close();
  }

  /**
   * A new handshake, once for all requests that found the session gone. Where nobody asked for anything, a server that
   * forgets each session at once would keep both sides busy, so that is done ever more slowly.
   */
  #reopen({ patiently = false } = {}): Promise<void> {
    this.#reopening ??= this.#shakeAgain(patiently ? this.#reopeningPause() : 0).finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }

  #reopeningPause(): number {
    const now = performance.now();
    this.#shortSessions = now - this.#reopenedAt >= lastingSessionMs ? 0 : this.#shortSessions + 1;
    return this.#shortSessions === 0 ? 0 : Math.min(firstPauseMs * 2 ** this.#shortSessions, longestPauseMs);
  }

  async #shakeAgain(pauseMs: number): Promise<void> {
    if (pauseMs > 0) await pause(pauseMs, this.#over.signal);
    this.#over.signal.throwIfAborted();
    this.#reopenedAt = performance.now();
    const { signal: _, ...waiting } = this.#terms.waiting;
    const { version } = this.agreement.revision;
    this.#agreement = await handshake(this.#link, this.transport, { ...this.#terms, waiting, version });
    for (const again of this.restore) {
      // Not waited for: these are requests too, and wait for the handshake themselves.
      again().catch((error: Error) => this.warn(`Lost with the old session: ${error.message}`));
    }
  }

  async #answer(method: string, params: Params | undefined, signal: AbortSignal, id: RequestId): Promise<object> {
    if (this.#agreement?.revision.asksBy === 'result') {
      this.warn(`The server sent the request "${method}", which its era does not have`);
      throw new Unanswerable();
    }
    if (method === 'ping') return {};
    if (this.#agreement === undefined && this.#terms.era === 'stateless') {
      throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method}`);
    }
    return this.answerOne(method, params, signal, id);
  }

  /** Answers a question, which has an id where it came as a request. */
  answerOne(method: string, params: Params | undefined, signal: AbortSignal, id?: RequestId): Promise<object> {
    const answer = (): Promise<object> => answerQuestion(this.options, method, params, { signal });
    if (this.#observers === undefined) return answer();
    return this.#observers.question({ ...(id !== undefined && { id }), method, params }, answer);
  }

  #notice(method: string, params: Params): void {
    const change = changeOf(method, params);
    if (change !== undefined) {
      for (const hear of Array.from(this.changes)) hear(change, params);
    } else if (method === 'notifications/message') {
      this.#logMessage(params);
    } else if (method === 'notifications/subscriptions/acknowledged') {
      for (const hear of Array.from(this.acknowledged)) hear(params);
    } else if (this.#agreement !== undefined) {
      for (const hear of Array.from(this.notices)) hear(method, params);
      void this.#extensions.tell(this.#agreement.revision.era, method, params, (text) => this.warn(text));
    }
  }

  #capabilities(era: Revision['era']): ClientCapabilities {
    const capabilities = capabilitiesOf(this.options);
    const extensions = { ...capabilities.extensions, ...this.#extensions.settings(era) };
    return Object.keys(extensions).length === 0 ? capabilities : { ...capabilities, extensions };
  }

  #logMessage({ level, logger, data }: Params): void {
    if (!isLogLevel(level)) return;
    this.options.onLog?.({ level, data, ...(typeof logger === 'string' && { logger }) });
  }
}

/** A key makes one call known, and no request that follows from it. */
function withoutKey({ [idempotencyMetaKey]: _, ...meta }: Meta): Meta {
  return meta;
}

function withMeta(params: Params | undefined, meta: Params | undefined): Params | undefined {
  return meta === undefined ? params : { ...params, _meta: { ...(params?._meta as Params | undefined), ...meta } };
}

function warnOfProcess(text: string): void {
  if (hasNode) process.emitWarning(text, 'McpWarning');
  // oxlint-disable-next-line no-console -- where a process gives no warnings, nothing else is seen
  else console.warn(`McpWarning: ${text}`);
}
