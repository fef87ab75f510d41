import { ErrorCode, type Operation, ProtocolError, type Result } from '@ccmcp/core';
import { CallRelay, type Continued, notWaiting, type RelayedCaller } from './call-relay.ts';
import type { ForwardedCall } from './forwarded-call.ts';

/** Limits of suspended calls. */
export interface SuspendedCallsOptions {
  readonly upstream: string;
  readonly answerMs: number;
  readonly max: number;
  reportError(message: string, error: unknown): void;
}

/** The address of a suspended call: its id and its instance. */
export interface SuspendedPlace {
  readonly call: string;
  readonly at: string;
}

/** Calls that wait while their questions travel to clients of the stateless era, each up to a timeout. */
export class SuspendedCalls {
  readonly #calls = new Map<string, { call: ForwardedCall; timer: NodeJS.Timeout }>();
  readonly #upstream: string;
  readonly #answerMs: number;
  readonly #max: number;
  readonly #relay: CallRelay;
  /** Calls that continue for requests to other instances. */
  readonly #relayed = new Map<string, ForwardedCall>();

  constructor({ upstream, answerMs, max, reportError }: SuspendedCallsOptions) {
    this.#upstream = upstream;
    this.#answerMs = answerMs;
    this.#max = max;
    this.#relay = new CallRelay(
      { upstream, answerMs },
      {
        resume: (id, responses, caller) => this.#resumeFor(caller, id, responses),
        cancel: (id, reason) => this.#relayed.get(id)?.cancel(reason),
        reportError,
      },
    );
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Stores a call until its answer arrives, or a timeout. */
  keep(call: ForwardedCall): void {
    if (this.#calls.size >= this.#max) {
      const error = new ProtocolError(
        ErrorCode.InternalError,
        `Too many calls of the upstream "${this.#upstream}" wait for answers: at most ${this.#max}`,
        { upstream: this.#upstream },
      );
      call.cancel(error);
      throw error;
    }
    call.detach();
    const timer = setTimeout(() => {
      this.#calls.delete(call.id);
      const message = `The client did not answer within ${this.#answerMs / 1000} seconds`;
      call.cancel(new ProtocolError(ErrorCode.InternalError, message));
    }, this.#answerMs);
    timer.unref();
    this.#calls.set(call.id, { call, timer });
  }

  /** Registers a call with other instances, since its answer may arrive at any of them. Returns its address. */
  async publish({ operation, id }: ForwardedCall): Promise<SuspendedPlace> {
    await this.#relay.listen(operation);
    return { call: id, at: this.#relay.address };
  }

  /** Resumes a call with the answers of a request, once; or has its instance resume it, and returns the outcome. */
  async resume(operation: Operation, { call: id, at }: Partial<SuspendedPlace>): Promise<ForwardedCall | Continued> {
    const call = this.#take(id as string, operation.params.inputResponses);
    if (call !== undefined) {
      call.attach(operation);
      return call;
    }
    if (at === undefined || at === this.#relay.address) throw notWaiting(this.#upstream, this.#answerMs);
    return this.#relay.resume(operation, { call: id as string, at });
  }

  /** Continues a call for a request to another instance. */
  #resumeFor(caller: RelayedCaller, id: string, responses: unknown): Promise<Continued> | undefined {
    const call = this.#take(id, responses);
    if (call === undefined) return undefined;
    call.attachTo(caller);
    this.#relayed.set(id, call);
    return Promise.race([call.outcome as Promise<Result>, call.questionsArrived()])
      .then((result): Continued => {
        if (result !== undefined) return { result };
        this.keep(call);
        return { questions: call.inputRequests() };
      })
      .finally(() => this.#relayed.delete(id));
  }

  /** Removes a call and gives it its answers. One with malformed answers is kept. */
  #take(id: string, responses: unknown): ForwardedCall | undefined {
    const kept = this.#calls.get(id);
    if (kept === undefined) return undefined;
    kept.call.answer(responses);
    clearTimeout(kept.timer);
    this.#calls.delete(id);
    return kept.call;
  }

  /** Cancels all calls, and accepts no more answers. */
  close(reason: Error): void {
    this.#relay.close();
    for (const { call, timer } of this.#calls.values()) {
      clearTimeout(timer);
      call.cancel(reason);
    }
    this.#calls.clear();
  }
}
