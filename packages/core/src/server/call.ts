import { ErrorCode, ProtocolError, quotedBriefly } from '../jsonrpc/errors.ts';
import type { Notification, Params, Request, RequestId, Response } from '../jsonrpc/message.ts';
import { type ClientCapabilities, declares, isInEra } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import { reaches } from '../protocol/logging.ts';
import type { Meta } from '../protocol/meta.ts';
import type { CacheHints, Result } from '../protocol/results.ts';
import type { Caller, Narrowing, Revision } from '../revisions/revision.ts';
import { isAble } from './abilities.ts';
import type { Context } from './context.ts';
import { type Engine, type ServedOperation, undeclared } from './engine.ts';
import type { Auth, Exchange, RunningCall } from './exchange.ts';
import { wants } from './log.ts';
import type { Operation, Outcome } from './operation.ts';
import { type AskingCall, elicit, type PendingQuestion, roots, sample } from './questions.ts';
import { assertTellable, boundedData, boundedText } from './result-size.ts';
import { lackingOf } from './scopes-answer.ts';
import { duration, type TimedCall, type Timing } from './time-limit.ts';
import { ToolError } from './tool-error.ts';
import { toErrorResult } from './tool-result.ts';
import type { ToolEntry } from './tools.ts';
import { limits } from '../limits.ts';

const noParams: Params = Object.freeze({});

/** One message while it is served: gives the handler its context, and the message its answer. */
export class Call implements ServedOperation, RunningCall, AskingCall, TimedCall {
  /** A call that lasts until it is closed, such as `subscriptions/listen`. */
  standing = false;
  /** The answers this caller gave in earlier rounds of the same request, by the key of the question. */
  answers: Readonly<Record<string, unknown>> | undefined;
  /** Cache hints of what is being read, where it has its own. */
  cache: CacheHints | undefined;
  /** The method of the protocol that serves it. */
  served: { run(call: Call): Outcome | Promise<Outcome> } | undefined;
  /** The tool being called. */
  tool: ToolEntry | undefined;
  /** The scopes that it was found to need so far. */
  scopes: readonly string[] | undefined;
  /** How many questions wait for the client to answer on the spot. */
  waiting = 0;
  /** How many questions were asked so far: numbers those without a key. */
  asked = 0;
  /** Questions that wait for the client to come back with answers. */
  questions: Map<string, PendingQuestion> | undefined;

  #done = false;
  #settle: ((response: Response | undefined) => void) | undefined;
  #closed: (() => void) | undefined;
  #abort: AbortController | undefined;
  #stopped: { reason: unknown } | undefined;
  #asking: AbortController | undefined;
  #timing: Timing | undefined;
  #lastProgress = Number.NEGATIVE_INFINITY;

  /** Who serves the call: the host, or the one of its parts that the call was passed to. */
  server: Engine;
  /** The message as the one who serves it sees it. */
  message: Request | Notification;

  constructor(
    /** The server whose door the message came through, and in whose name it is answered. */
    readonly host: Engine,
    readonly caller: Caller,
    /** The message as it came. */
    public received: Request | Notification,
    readonly exchange: Exchange,
  ) {
    this.server = host;
    this.message = received;
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

  get requestId(): RequestId | undefined {
    return (this.message as Request).id;
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
    return this.tool?.timeoutMs ?? this.server.handlerTimeoutMs;
  }

  get resumesOnce(): boolean {
    return this.tool?.tool.resumeOnce === true;
  }

  /** True while no time is counted: a person takes as long as they take. */
  get paused(): boolean {
    return this.standing || this.waiting > 0;
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
      if (this.#stopped !== undefined) this.#abort.abort(this.#stopped.reason);
    }
    return this.#abort.signal;
  }

  /** Aborted when the call is over: questions still open then are taken back. */
  get asking(): AbortSignal {
    this.#asking ??= new AbortController();
    return this.#asking.signal;
  }

  get progress(): Context['progress'] {
    return (progress, total, message) => {
      const { progressToken } = this.meta;
      if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return;
      if (this.#done || this.exchange.crowded || !(progress > this.#lastProgress)) return;
      this.#lastProgress = progress;
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
      if (logLevel === undefined || this.#done || this.exchange.crowded || !reaches(level, logLevel)) return;
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
      if (this.#done || !this.supports(found.extension.id)) return;
      if (this.exchange.crowded && found.notification.droppable) return;
      assertTellable(params, `"${method}"`, this.server.maxResult);
      this.#send(method, params);
    };
  }

  get supports(): Context['supports'] {
    return (id) => {
      const extension = this.server.extensions.all.find((one) => one.id === id);
      return extension !== undefined && isInEra(extension, this.revision.era) && declares(this.clientCapabilities, id);
    };
  }

  get hangUp(): Context['hangUp'] {
    return async (retryMs = limits.http.retryMs.value) => this.exchange.hangUp?.(retryMs);
  }

  get can(): Context['can'] {
    return (ability) => isAble(this, ability);
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

  #send(method: string, params: Params): void {
    this.exchange.send({ jsonrpc: '2.0', method, params }, this.requestId);
  }

  /** The answer to this request. */
  respond(result: Result): Response {
    this.#done = true;
    return { jsonrpc: '2.0', id: this.requestId as RequestId, result: this.dress(result) };
  }

  /** A result as it goes over the wire to a client of this caller's revision. */
  dress(result: Result): Result {
    const { revision, host, server, method } = this;
    const narrow = revision.narrow[method as keyof Narrowing] as
      | ((result: Result, about: object) => Result)
      | undefined;
    const told = narrow === undefined ? result : narrow(result, this.tool?.listing ?? noParams);
    const { caches = false } = host.methods.of(method);
    return revision.seal(told, { caches, serverMeta: host.meta, cache: this.cache ?? server.cache });
  }

  /** The answer to this request where it failed. What is neither for the model nor for the client is kept from both. */
  refuse(error: unknown): Response {
    this.#done = true;
    const lacking = error instanceof ProtocolError ? lackingOf(this, error) : undefined;
    if (lacking?.result !== undefined) return this.respond(lacking.result);
    return this.host.refusal(this.requestId as RequestId, lacking?.error ?? error, this);
  }

  /** From here on the call is answered later, and can be cancelled. */
  track(settle: (response: Response | undefined) => void): void {
    this.#settle = settle;
    this.exchange.running.set(this.requestId as RequestId, this);
    this.exchange.usage?.take('calls');
    this.#timing = this.host.timeLimit.watch(this);
  }

  /** The handler of a tracked call has ended. */
  untrack(): void {
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
    this.#asking?.abort(new DOMException('The request is over', 'AbortError'));
    settle(response);
  }

  /** Ends the call without an answer and tells its handler to stop. */
  cancel(reason = 'The request was cancelled'): void {
    if (this.#done) return;
    this.settle(undefined);
    this.#done = true;
    this.stop(new DOMException(reason, 'AbortError'));
    this.#closed?.();
  }

  /** Tells the handler to stop. */
  stop(reason: unknown): void {
    this.#stopped ??= { reason };
    this.#abort?.abort(reason);
  }

  /** Keeps the call open until it is closed or cancelled. */
  stand(): Promise<void> {
    this.standing = true;
    return new Promise((resolve) => {
      this.#closed = resolve;
    });
  }

  /** Ends a standing call with its final answer. */
  close(): void {
    this.#closed?.();
  }
}
