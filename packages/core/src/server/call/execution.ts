import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import type { RequestId, Response } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Peer, RunningCall } from '../peer.ts';
import { type Job, type JobHandle, outcomeOf } from './background-job.ts';
import type { Inquiry } from './inquiry.ts';
import { duration, type HandlerTimeouts, type HandlerTimer, type TimedCall } from './timeout.ts';
import { ToolError } from './tool-error.ts';
import { toErrorResult } from './tool-result.ts';

/** The request whose handler is executed. */
interface ExecutedCall {
  readonly requestId: RequestId | undefined;
  readonly method: string;
  readonly subject: string;
  readonly peer: Peer;
  readonly host: {
    readonly timeLimit: HandlerTimeouts;
    readonly methods: { of(method: string): { readonly waits?: boolean } };
  };
  readonly server: { readonly settings: { readonly handlerTimeoutMs: number } };
  readonly tool: { readonly timeoutMs: number | undefined } | undefined;
  readonly openInquiry: Inquiry | undefined;
  /** Gets the outcome if the request was answered before the handler was done. */
  job: Job | undefined;
  done: boolean;
  respond(result: Result): Response;
  fail(error: unknown): Response;
}

/**
 * The running handler of a call: its signal, its timeout, and the receiver of its result. That is the client, or a
 * background job once the request was answered early.
 */
export class Execution implements RunningCall, TimedCall, JobHandle {
  // `declare`, so that unset members take no memory: thousands of calls may wait.
  /** True if the handler keeps running after its client disconnects. */
  declare survivesDisconnect?: boolean;
  /** Called before the request is answered early, with that result and the extension that it belongs to. */
  declare beforeEarlyResponse?: (result: Result, extension: string) => Promise<void>;
  declare private stopped?: { readonly reason: unknown };
  /** Ends a call that stays open, such as a subscription. */
  declare private closeOpen?: () => void;

  #settle: ((response: Response | undefined) => void) | undefined;
  #abort: AbortController | undefined;
  #timer: HandlerTimer | undefined;
  /** Like `signal`, without the cost of one. */
  declare private abortListeners?: Set<(reason: unknown) => void>;

  constructor(readonly call: ExecutedCall) {}

  /** True once nothing waits for the handler. */
  get done(): boolean {
    return this.call.job === undefined ? this.call.done : this.#settle === undefined;
  }

  /** True while the client waits for a response. */
  get isAwaited(): boolean {
    return this.#settle !== undefined && this.call.job === undefined && !this.call.done;
  }

  get method(): string {
    return this.call.method;
  }

  get subject(): string {
    return this.call.subject;
  }

  get timeLimitMs(): number {
    const { tool, server } = this.call;
    // A background job has no limit unless its author sets one.
    const isBackground = this.call.job !== undefined && !this.done;
    return tool?.timeoutMs ?? (isBackground ? Number.POSITIVE_INFINITY : server.settings.handlerTimeoutMs);
  }

  /** True while the timeout is paused, such as while the user answers. */
  get paused(): boolean {
    return this.longLived || (this.call.openInquiry?.waiting ?? 0) > 0 || this.waits;
  }

  get longLived(): boolean {
    return this.closeOpen !== undefined;
  }

  get waits(): boolean {
    return this.call.host.methods.of(this.method).waits === true;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.stopped !== undefined) this.#abort.abort(this.stopped.reason);
    }
    return this.#abort.signal;
  }

  /** Calls the listener when the signal aborts, or would; the returned function removes it. */
  onAbort(listener: (reason: unknown) => void): () => void {
    if (this.stopped !== undefined) listener(this.stopped.reason);
    this.abortListeners ??= new Set();
    const listeners = this.abortListeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** From here on the call is answered later, can be cancelled, and its time is limited. */
  track(settle: (response: Response | undefined) => void): void {
    const { peer, requestId, host } = this.call;
    this.#settle = settle;
    if (this.call.job === undefined) peer.running.set(requestId as RequestId, this);
    peer.usage?.take('calls');
    this.#timer = host.timeLimit.watch(this);
  }

  /** The handler of a tracked call has returned. */
  untrack(): void {
    this.#timer?.end();
    this.#timer = undefined;
  }

  /** The request is answered, and the handler continues in the background. */
  continueAs(job: Job): void {
    this.call.job = job;
    this.#settle = settleNobody;
    if (this.timeLimitMs === Number.POSITIVE_INFINITY) this.untrack();
  }

  /** Ends the call with its response, or without one. Later, duplicate responses are dropped. */
  complete(response: Response | undefined): void {
    const settle = this.#settle;
    if (settle === undefined) return;
    this.#settle = undefined;
    if (this.call.job !== undefined) this.call.job.end(outcomeOf(response));
    else {
      const { peer, requestId, openInquiry } = this.call;
      this.call.done = true;
      peer.running.delete(requestId as RequestId);
      peer.usage?.release('calls');
      openInquiry?.cancel();
    }
    settle(response);
  }

  /** Ends a call after its timeout: with a tool result for the model, or an error. */
  expire(): void {
    const { tool, subject } = this.call;
    const message =
      `${subject} did not finish within ${duration(this.timeLimitMs)} and was told to stop. ` +
      'What it did until then may have taken effect. Try again with less to do';
    const failure = new ProtocolError(ErrorCode.InternalError, message);
    this.complete(
      tool === undefined ? this.call.fail(failure) : this.call.respond(toErrorResult(new ToolError(message))),
    );
    this.stop(new DOMException(message, 'TimeoutError'));
  }

  cancel(reason = 'The request was cancelled'): void {
    if (this.done) return;
    this.complete(undefined);
    if (this.call.job === undefined) this.call.done = true;
    else {
      // Restarts the clock: the handler gets time to stop.
      this.untrack();
      this.#timer = this.call.host.timeLimit.watch(this);
    }
    this.stop(new DOMException(reason, 'AbortError'));
    this.closeOpen?.();
  }

  stop(reason: unknown): void {
    const isFirst = this.stopped === undefined;
    this.stopped ??= { reason };
    this.#abort?.abort(reason);
    if (isFirst) for (const listener of this.abortListeners ?? []) listener(reason);
  }

  /** Keeps the call open until it is closed or cancelled. */
  keepOpen(): Promise<void> {
    return new Promise((resolve) => {
      this.closeOpen = resolve;
    });
  }

  close(): void {
    this.closeOpen?.();
  }
}

/** The response to a request that was answered early is discarded. */
function settleNobody(): void {}
