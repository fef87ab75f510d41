import {
  isObject,
  type Notification,
  type Params,
  type Request,
  type RequestId,
  type Response,
} from '../jsonrpc/message.ts';
import { type ClientCapabilities, declares, isInEra } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import { reaches } from '../protocol/logging.ts';
import type { WireSchema } from '../protocol/listing.ts';
import type { Meta } from '../protocol/meta.ts';
import type { CacheHints, Result } from '../protocol/results.ts';
import type { Caller, Narrowing, Revision } from '../revisions/revision.ts';
import type { Context } from './context.ts';
import { type Engine, type ServedOperation, undeclared } from './engine.ts';
import type { Auth, Exchange, RunningCall } from './exchange.ts';
import { wants } from './log.ts';
import type { Operation } from './operation.ts';
import { type AskingCall, elicit, type PendingQuestion, roots, sample } from './questions.ts';
import { limits } from '../limits.ts';

const noParams: Params = Object.freeze({});

/** One message while it is served: gives the handler its context, and the message its answer. */
export class Call implements ServedOperation, RunningCall, AskingCall {
  /** A call that lasts until it is closed, such as `subscriptions/listen`. */
  standing = false;
  /** The answers this caller gave in earlier rounds of the same request, by the key of the question. */
  answers: Readonly<Record<string, unknown>> | undefined;
  /** Cache hints of what is being read, where it has its own. */
  cache: CacheHints | undefined;
  /** The tool being called, where its result may have to be told differently to older clients. */
  about: { outputSchema?: WireSchema } | undefined;
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
    readonly received: Request | Notification,
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
        ...(message !== undefined && { message }),
      });
    };
  }

  get log(): Context['log'] {
    return (level, data, logger = this.server.info.name) => {
      if (wants(this.server.logger, level)) this.server.logger.write({ level, logger, data });
      const { logLevel } = this.caller;
      if (logLevel === undefined || this.#done || this.exchange.crowded || !reaches(level, logLevel)) return;
      this.#send('notifications/message', { level, logger, data });
    };
  }

  get notify(): Operation['notify'] {
    return (method, params = {}) => {
      const found = this.server.extensions.notification(method);
      if (found === undefined) throw undeclared(method);
      if (this.#done || !this.supports(found.extension.id)) return;
      if (this.exchange.crowded && found.notification.droppable) return;
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
    return (ability) => {
      const { elicitation, sampling, roots } = this.caller.capabilities;
      switch (ability) {
        case 'elicit':
          return isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined);
        case 'elicit-url':
          return isObject(elicitation) && elicitation.url !== undefined;
        case 'sample':
          return isObject(sampling);
        case 'sample-tools':
          return isObject(sampling) && sampling.tools !== undefined;
        case 'roots':
          return isObject(roots);
      }
    };
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
    this.exchange.send({ jsonrpc: '2.0', method, params });
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
    const told = narrow === undefined ? result : narrow(result, this.about ?? noParams);
    const { caches = false } = host.methods.of(method);
    return revision.seal(told, { caches, serverMeta: host.meta, cache: this.cache ?? server.cache });
  }

  /** The answer to this request where it failed. What is neither for the model nor for the client is kept from both. */
  refuse(error: unknown): Response {
    this.#done = true;
    return this.host.refusal(this.requestId as RequestId, error, this);
  }

  /** From here on the call is answered later, and can be cancelled. */
  track(settle: (response: Response | undefined) => void): void {
    this.#settle = settle;
    this.exchange.running.set(this.requestId as RequestId, this);
  }

  /** Ends the call with its answer, or without one. Whatever comes after that is dropped. */
  settle(response: Response | undefined): void {
    const settle = this.#settle;
    if (settle === undefined) return;
    this.#settle = undefined;
    this.#done = true;
    this.exchange.running.delete(this.requestId as RequestId);
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
