import { ErrorCode, type Operation, ProtocolError, type Result } from '@ccmcp/core';
import { CallRelay, type Continued, notWaiting, type RelayedCaller } from './call-relay.ts';
import type { PassedCall } from './passed-call.ts';

/** Bounds of the calls that wait for answers. */
export interface SuspendedCallsOptions {
  readonly upstream: string;
  readonly answerMs: number;
  readonly max: number;
  reportError(message: string, error: unknown): void;
}

/** Where a call waits: its id, and the instance that has it. */
export interface SuspendedPlace {
  readonly call: string;
  readonly at: string;
}

/** The calls that wait upstream while their questions travel to clients of the stateless era, each for a bounded time. */
export class SuspendedCalls {
  readonly #calls = new Map<string, { call: PassedCall; timer: NodeJS.Timeout }>();
  readonly #upstream: string;
  readonly #answerMs: number;
  readonly #max: number;
  readonly #relay: CallRelay;
  /** Calls that go on for requests to other instances. */
  readonly #relayed = new Map<string, PassedCall>();

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

  /** Keeps a call until its answer comes, or the time is over. */
  keep(call: PassedCall): void {
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

  /** Makes a call known to other instances: its answer may come to any of them. Gives where it is. */
  async publish({ operation, id }: PassedCall): Promise<SuspendedPlace> {
    await this.#relay.listen(operation);
    return { call: id, at: this.#relay.address };
  }

  /** Takes a call up again with the answers of a request, once; or has the instance do so that has it, and gives what comes of it. */
  async resume(operation: Operation, { call: id, at }: Partial<SuspendedPlace>): Promise<PassedCall | Continued> {
    const call = this.#take(id as string, operation.params.inputResponses);
    if (call !== undefined) {
      call.attach(operation);
      return call;
    }
    if (at === undefined || at === this.#relay.address) throw notWaiting(this.#upstream, this.#answerMs);
    return this.#relay.resume(operation, { call: id as string, at });
  }

  /** Goes on with a call for a request to another instance. */
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

  /** A call with the answers that it gets. One whose answers are malformed is kept. */
  #take(id: string, responses: unknown): PassedCall | undefined {
    const kept = this.#calls.get(id);
    if (kept === undefined) return undefined;
    kept.call.answer(responses);
    clearTimeout(kept.timer);
    this.#calls.delete(id);
    return kept.call;
  }

  /** Cancels all calls, and takes no answers any more. */
  close(reason: Error): void {
    this.#relay.close();
    for (const { call, timer } of this.#calls.values()) {
      clearTimeout(timer);
      call.cancel(reason);
    }
    this.#calls.clear();
  }
}
