import { ErrorCode, ProtocolError, quotedBriefly } from '../../jsonrpc/errors.ts';
import type { Notification, Params, Request, RequestId, Response } from '../../jsonrpc/message.ts';
import { type ClientCapabilities, declares, isInEra } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/identity.ts';
import { reaches } from '../../protocol/logging.ts';
import type { Meta } from '../../protocol/meta.ts';
import type { CacheHints, Result } from '../../protocol/results.ts';
import type { Caller, Downgrades, Revision } from '../../revisions/revision.ts';
import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Store } from '../../stores/store.ts';
import { hasAbility } from './client-abilities.ts';
import { type Aside, type AsideCall, asideExchange, outcomeOf, toldTo } from './background-job.ts';
import { serializeCall, withoutArguments } from './background-job.ts';
import type { Context } from './context.ts';
import { type Engine, type ServedOperation, undeclared } from '../engine.ts';
import type { Auth, Exchange, RunningCall } from '../exchange.ts';
import { wants } from '../observe/log.ts';
import type { Operation, Outcome } from './operation.ts';
import { askHere, type AskingCall, elicit, roots, sample, type PendingQuestion } from './questions.ts';
import { assertTellable, boundedData, boundedText } from './result-size.ts';
import { toScopeResponse } from '../scopes/scope-response.ts';
import { hasScopes } from '../scopes/check-scopes.ts';
import { duration, type TimedCall, type HandlerTimer } from './timeout.ts';
import { ToolError } from './tool-error.ts';
import { toErrorResult } from './tool-result.ts';
import type { ToolEntry } from '../define/tool-entry.ts';
import { sharedCaller } from '../shared-callers.ts';
import { limits } from '../../limits.ts';

/** What few calls have. Apart from the rest, so that all others are small: thousands of them may wait at a time. */
class CallExtras {
  /** True where the call goes on though its client went away. */
  outlives = false;
  /** The answers that the caller gave in earlier rounds of the same request, by the key of the question. */
  answers: Readonly<Record<string, unknown>> | undefined;
  /** Cache hints of what is being read, where it has its own. */
  cache: CacheHints | undefined;
  /** Called before the call is answered ahead of its work, with that answer and the extension that it belongs to. */
  answering: ((result: Result, extension: string) => Promise<void>) | undefined;
  /** How many questions wait for the client to answer on the spot. */
  waiting = 0;
  /** How many questions were asked so far: numbers those without a key. */
  asked = 0;
  /** Questions that wait for the client to come back with answers. */
  questions: Map<string, PendingQuestion> | undefined;
  /** Aborted when the call is over. */
  asking: AbortController | undefined;
  /** Begins the task that the handler is to begin. */
  begins: (() => Promise<void>) | undefined;
  /** Ends a call that lasts until it is closed. */
  closed: (() => void) | undefined;
  /** Why the handler was told to stop. */
  stopped: { readonly reason: unknown } | undefined;
  lastProgress = Number.NEGATIVE_INFINITY;
}

const noParams: Params = Object.freeze({});

/** One message while it is served: gives the handler its context, and the message its answer. */
export class Call implements ServedOperation, RunningCall, AskingCall, TimedCall {
  /** The request's id; a notification has none. */
  readonly requestId: RequestId | undefined;
  /** The method of the protocol that serves it. */
  served: { run(call: Call): Outcome | Promise<Outcome> } | undefined;
  /** The tool being called. */
  tool: ToolEntry | undefined;
  /** The scopes that it was found to need so far. */
  scopes: readonly string[] | undefined;
  /** What it goes on with, where it was answered before its work was done. */
  aside: Aside | undefined;

  #done = false;
  #settle: ((this: Call, response: Response | undefined) => void) | undefined;
  #abort: AbortController | undefined;
  #timing: HandlerTimer | undefined;
  /** True until the handler of a tracked call has ended. */
  #tracked = false;
  #extras: CallExtras | undefined;

  /** Who serves the call: the host, or the one of its parts that the call was passed to. */
  server: Engine;
  /** The message as the one who serves it sees it. */
  message: Request | Notification;

  constructor(
    /** The server whose door the message came through, and in whose name it is answered. */
    readonly host: Engine,
    public caller: Caller,
    /** The message as it came. */
    public received: Request | Notification,
    public exchange: Exchange,
  ) {
    this.requestId = (received as Request).id;
    this.server = host;
    this.message = received;
  }

  /** What few calls have. */
  get extras(): CallExtras {
    this.#extras ??= new CallExtras();
    return this.#extras;
  }

  /** A call that lasts until it is closed, such as `subscriptions/listen`. */
  get standing(): boolean {
    return this.#extras?.closed !== undefined;
  }

  /** True where it goes on though its client went away: the client may come back for the answer. */
  get outlives(): boolean {
    return this.#extras?.outlives === true;
  }

  /** It waits for others to come to an end. */
  get waits(): boolean {
    return this.host.methods.of(this.method).waits === true;
  }

  /** The answers this caller gave in earlier rounds of the same request, by the key of the question. */
  get answers(): Readonly<Record<string, unknown>> | undefined {
    return this.#extras?.answers;
  }

  /** Cache hints of what is being read, where it has its own. */
  get cache(): CacheHints | undefined {
    return this.#extras?.cache;
  }

  get keepPrivate(): Operation['keepPrivate'] {
    return () => {
      const { ttlMs } = this.cache ?? this.server.cache;
      this.extras.cache = { ttlMs, scope: 'private' };
    };
  }

  /** Hands the call on to another server, with other params. */
  passTo(server: Engine, params: Params): void {
    this.server = server;
    this.replaceParams(params);
  }

  replaceParams(params: Params): void {
    this.message = { ...this.received, params };
  }

  /** Lets go of the params, which nobody needs any more though the call goes on. */
  forgetParams(): void {
    const { params: _, ...rest } = this.received;
    this.received = rest;
    this.message = this.received;
  }

  get method(): string {
    return this.message.method;
  }

  get params(): Params {
    return this.message.params ?? noParams;
  }

  get revision(): Revision {
    return this.caller.revision;
  }

  get meta(): Meta {
    return (this.params._meta as Meta | undefined) ?? {};
  }

  get clientInfo(): Implementation | undefined {
    return this.caller.clientInfo;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.caller.capabilities;
  }

  get auth(): Auth | undefined {
    return this.exchange.auth;
  }

  get done(): boolean {
    return this.#done;
  }

  get timeLimitMs(): number {
    if (this.aside === undefined || this.#done) return this.tool?.timeoutMs ?? this.server.handlerTimeoutMs;
    // What goes on aside may take as long as it takes, unless its author says otherwise.
    return this.tool?.timeoutMs ?? Number.POSITIVE_INFINITY;
  }

  get resumesOnce(): boolean {
    return this.tool?.tool.resumeOnce === true;
  }

  /** True while no time is counted: a person takes as long as they take. */
  get paused(): boolean {
    return this.standing || (this.#extras?.waiting ?? 0) > 0 || this.waits;
  }

  /** What is served, for people, by the name that the client used. */
  get subject(): string {
    const { belongsTo = '', mirrors = '' } = this.host.methods.of(this.method);
    const name = this.received.params?.[mirrors];
    if (typeof name !== 'string') return this.method;
    return `${belongsTo.charAt(0).toUpperCase()}${belongsTo.slice(1)} ${quotedBriefly(name)}`;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      const stopped = this.#extras?.stopped;
      if (stopped !== undefined) this.#abort.abort(stopped.reason);
    }
    return this.#abort.signal;
  }

  /** Aborted when the call is over: questions still open then are taken back. */
  get asking(): AbortSignal {
    const { extras } = this;
    extras.asking ??= new AbortController();
    return extras.asking.signal;
  }

  get progress(): Context['progress'] {
    return (progress, total, message) => {
      const { progressToken } = this.meta;
      if (this.aside !== undefined) {
        if (this.#done || !this.#isFurther(progress)) return;
        this.aside.progress?.(progress, total, message);
        return;
      }
      if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return;
      if (this.#done || this.exchange.crowded || !this.#isFurther(progress)) return;
      this.#send('notifications/progress', {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message: boundedText(message) }),
      });
    };
  }

  get log(): Context['log'] {
    return (level, given, logger = this.server.info.name) => {
      const data = boundedData(given);
      if (wants(this.server.logger, level)) this.server.logger.write({ level, logger, data });
      const { logLevel } = this.caller;
      if (
        logLevel === undefined ||
        !this.host.offers('logging') ||
        this.aside !== undefined ||
        this.#done ||
        this.exchange.crowded ||
        !reaches(level, logLevel)
      )
        return;
      const params = { level, logger, data };
      // The client knows what it speaks with, and that it is heard, only from the answer on.
      if (this.method !== 'initialize') this.#send('notifications/message', params);
      else this.exchange.session?.early.push({ jsonrpc: '2.0', method: 'notifications/message', params });
    };
  }

  get notify(): Operation['notify'] {
    return (method, params = {}) => {
      const found = this.server.extensions.notification(method);
      if (found === undefined) throw undeclared(method);
      if (this.#done || this.aside !== undefined || !this.supports(found.extension.id)) return;
      if (this.exchange.crowded && found.notification.droppable) return;
      assertTellable(params, `"${method}"`, this.server.maxResult);
      this.#send(method, params);
    };
  }

  get supports(): Context['supports'] {
    return (id) => {
      const extension = this.server.extensions.all.find((one) => one.id === id);
      if (extension === undefined || !isInEra(extension, this.revision.era)) return false;
      const { clientCapabilities } = this;
      if (!declares(clientCapabilities, id)) return false;
      return extension.accepts?.(clientCapabilities.extensions?.[id] as object) ?? true;
    };
  }

  get hangUp(): Context['hangUp'] {
    return async (retryMs = limits.http.retryMs.value) => this.exchange.hangUp?.(retryMs);
  }

  get can(): Context['can'] {
    return (ability) => hasAbility(this, ability);
  }

  get elicit(): Context['elicit'] {
    return (question) => elicit(this, question);
  }

  get sample(): Context['sample'] {
    return (question) => sample(this, question);
  }

  get roots(): Context['roots'] {
    return (question) => roots(this, question);
  }

  get beginTask(): Context['beginTask'] {
    return async () => this.#extras?.begins?.();
  }

  get onBeginTask(): Operation['onBeginTask'] {
    return (begin) => {
      this.extras.begins = begin;
    };
  }

  get countedAs(): string {
    return this.exchange.usage?.rateKey ?? this.auth?.principal ?? '';
  }

  get parts(): ReadonlySet<string> {
    return this.revision.parts;
  }

  get sessionKey(): string | undefined {
    return this.exchange.origin?.session ?? this.exchange.session?.key;
  }

  get askNow(): Operation['askNow'] {
    const { exchange } = this;
    return exchange.ask === undefined
      ? undefined
      : (method, params, signal) => askHere(this, { method, params, signal });
  }

  get askLater(): Operation['askLater'] {
    const { auth, exchange, revision, host } = this;
    return () => {
      const ask = exchange.askLater?.();
      if (ask === undefined) return undefined;
      const { origin } = exchange;
      return (method, params, signal) =>
        askHere({ auth, exchange: { origin, ask }, revision, host }, { method, params, signal });
    };
  }

  get tellLater(): Operation['tellLater'] {
    const { exchange } = this;
    if (exchange.tell === undefined) return undefined;
    return (method, params) => exchange.tell?.({ jsonrpc: '2.0', method, params });
  }

  get has(): Operation['has'] {
    return (scopes) => hasScopes(this.exchange, scopes);
  }

  get shared(): Operation['shared'] {
    return (): Awaitable<Store> => this.exchange.store ?? this.host.ownStore();
  }

  get keep(): Operation['keep'] {
    return () => serializeCall(this);
  }

  get told(): Operation['told'] {
    return (outcome, tool) => toldTo(this, outcome, tool);
  }

  get answerNow(): Operation['answerNow'] {
    return async (result, aside, extension): Promise<AsideCall> => {
      const assertWaiting = (): void => {
        if (this.#settle === undefined || this.#done) throw new DOMException('The request is over', 'AbortError');
      };
      assertWaiting();
      await this.#extras?.answering?.(result, extension);
      assertWaiting();
      this.settle(this.respond(result));
      this.#forgetClient();
      this.goAside(aside);
      this.#settle = endAside;
      if (this.timeLimitMs === Number.POSITIVE_INFINITY) this.#endTiming();
      return this;
    };
  }

  /** Keeps no more of the request than another instance would that does its work again: it may last for days. */
  #forgetClient(): void {
    const { params } = this.keep();
    const isPassedOn = this.message !== this.received;
    this.received = { ...this.received, params };
    if (!isPassedOn) this.message = this.received;
    this.caller = sharedCaller(this.caller);
    this.exchange = asideExchange(this.exchange);
  }

  /** From here on nobody waits for its answer but what it goes on with. */
  goAside(aside: Aside): void {
    this.aside = aside;
    this.#done = false;
    if (this.#extras === undefined) return;
    this.#extras.asking = undefined;
    this.#extras.lastProgress = Number.NEGATIVE_INFINITY;
  }

  /** True where no middleware waits for what comes of the call. */
  get isAlone(): boolean {
    return !this.host.hasMiddleware && !this.server.hasMiddleware;
  }

  /** Lets go of the arguments: the handler has them, and nobody else needs them though the call goes on. */
  forgetArguments(): void {
    this.received = withoutArguments(this);
    this.message = this.received;
  }

  /** True where the work is further than it was when this was asked last. */
  #isFurther(progress: number): boolean {
    const { extras } = this;
    const isFurther = progress > extras.lastProgress;
    if (isFurther) extras.lastProgress = progress;
    return isFurther;
  }

  #send(method: string, params: Params): void {
    this.exchange.send({ jsonrpc: '2.0', method, params }, this.requestId);
  }

  /** The answer to this request. */
  respond(result: Result): Response {
    this.#done = true;
    // What is kept is told later, to whoever asks, in the revision that they speak.
    const told = this.aside === undefined ? this.dress(result) : result;
    return { jsonrpc: '2.0', id: this.requestId as RequestId, result: told };
  }

  /** A result as it goes over the wire to a client of this caller's revision. */
  dress(result: Result): Result {
    const { revision, host, server, method } = this;
    const narrow = revision.downgrade[method as keyof Downgrades] as
      | ((result: Result, about: object) => Result)
      | undefined;
    const told = narrow === undefined ? result : narrow(result, this.tool?.listing ?? noParams);
    const { caches = false } = host.methods.of(method);
    return revision.addEraFields(told, { caches, serverMeta: host.meta, cache: this.#extras?.cache ?? server.cache });
  }

  /** The answer to this request where it failed. What is neither for the model nor for the client is kept from both. */
  refuse(error: unknown): Response {
    this.#done = true;
    const lacking = error instanceof ProtocolError ? toScopeResponse(this, error) : undefined;
    if (lacking?.result !== undefined) return this.respond(lacking.result);
    const { method, aside } = this;
    const revision = aside === undefined ? this.revision : undefined;
    return this.host.refusal(this.requestId as RequestId, lacking?.error ?? error, { method, revision });
  }

  /** From here on the call is answered later, and can be cancelled. */
  track(settle: (response: Response | undefined) => void): void {
    this.#settle = settle;
    if (this.aside === undefined) this.exchange.running.set(this.requestId as RequestId, this);
    this.exchange.usage?.take('calls');
    this.#tracked = true;
    this.#timing = this.host.timeLimit.watch(this);
  }

  /** The handler of a tracked call has ended. */
  untrack(): void {
    this.#tracked = false;
    this.#endTiming();
  }

  #endTiming(): void {
    this.#timing?.end();
    this.#timing = undefined;
  }

  /** Ends a call whose time is over: the model reads it of a tool, the client program of anything else. */
  expire(): void {
    const message =
      `${this.subject} did not finish within ${duration(this.timeLimitMs)} and was told to stop. ` +
      'What it did until then may have taken effect. Try again with less to do';
    const reason = new ProtocolError(ErrorCode.InternalError, message);
    this.settle(this.tool === undefined ? this.refuse(reason) : this.respond(toErrorResult(new ToolError(message))));
    this.stop(new DOMException(message, 'TimeoutError'));
  }

  /** Ends the call with its answer, or without one. Whatever comes after that is dropped. */
  settle(response: Response | undefined): void {
    const settle = this.#settle;
    if (settle === undefined) return;
    this.#settle = undefined;
    this.#done = true;
    this.exchange.running.delete(this.requestId as RequestId);
    this.exchange.usage?.release('calls');
    this.#extras?.asking?.abort(new DOMException('The request is over', 'AbortError'));
    settle.call(this, response);
  }

  /** Ends the call without an answer and tells its handler to stop. */
  cancel(reason = 'The request was cancelled'): void {
    if (this.#done) return;
    this.settle(undefined);
    this.#done = true;
    if (this.aside !== undefined && this.#tracked) {
      // However long it has worked: it gets its time to stop.
      this.#endTiming();
      this.#timing = this.host.timeLimit.watch(this);
    }
    this.stop(new DOMException(reason, 'AbortError'));
    this.#extras?.closed?.();
  }

  /** Tells the handler to stop. */
  stop(reason: unknown): void {
    this.extras.stopped ??= { reason };
    this.#abort?.abort(reason);
  }

  /** Keeps the call open until it is closed or cancelled. */
  stand(): Promise<void> {
    return new Promise((resolve) => {
      this.extras.closed = resolve;
    });
  }

  /** Ends a standing call with its final answer. */
  close(): void {
    this.#extras?.closed?.();
  }
}

/** Ends a call that went on aside. */
function endAside(this: Call, response: Response | undefined): void {
  this.aside?.end(outcomeOf(response));
}
