import { ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject, type Params, type RequestId } from '../../jsonrpc/message.ts';
import { runWithin, withWatchMeta } from '../../jsonrpc/observer-watches.ts';
import type { Result } from '../../protocol/results.ts';
import { ConnectionError, HttpError, SessionLost, TimeoutError } from '../errors.ts';
import type { ClientObserver, ConnectionEnd, Peer, SendingEnd, SendingOutcome, SendingWatch } from '../observer.ts';
import { type PendingRequest, initialTiming } from './pending-requests.ts';

/** A request about to be sent, with what observers added. */
export interface ObservedRequest {
  readonly request: PendingRequest;
  readonly params: Params | undefined;
  /** Runs the sending inside the observers' `around`. */
  run(send: () => void): void;
}

/** Notifies observers of requests, questions and the end of the connection. */
export class Observers {
  readonly #all: readonly ClientObserver[];
  readonly #warn: (text: string) => void;
  /** The current peer. */
  readonly #peer: () => Peer;
  readonly #since = performance.now();

  constructor(all: readonly ClientObserver[], peer: () => Peer, warn: (text: string) => void) {
    this.#all = all;
    this.#peer = peer;
    this.#warn = warn;
  }

  /** Called before a request is sent. */
  startRequest(id: RequestId, params: Params | undefined, request: PendingRequest): ObservedRequest {
    const { method, waiting } = request;
    const seen = { id, method, params: params ?? {}, ...this.#peer() };
    const watches = this.#startWatches((observer) => observer.begin?.(seen));
    const end = this.#createEnd(watches);
    const resume = (run: () => void): void => this.#runWithin(watches, 'resume', run);
    return {
      params: withWatchMeta(watches, params),
      run: (send) => this.#runWithin(watches, 'around', send),
      request: {
        ...initialTiming,
        method,
        waiting,
        resolve(result) {
          end({ result });
          resume(() => request.resolve(result));
        },
        reject(error) {
          end({ error });
          resume(() => request.reject(error));
        },
      },
    };
  }

  /** Observes a question of the server that `answer` answers. */
  async observeQuestion(
    question: { readonly id?: RequestId; readonly method: string; readonly params: Params | undefined },
    answer: () => Promise<object>,
  ): Promise<object> {
    const seen = { ...question, params: question.params ?? {}, ...this.#peer() };
    const watches = this.#startWatches((observer) => observer.beginQuestion?.(seen));
    const end = this.#createEnd(watches);
    try {
      const result = await this.#runWithin(watches, 'around', answer);
      end({ result: result as Result });
      return result;
    } catch (error) {
      end({ error: error as Error });
      throw error;
    }
  }

  /** Called when the connection is over. */
  onClosed(error: Error | undefined): void {
    const end: ConnectionEnd = { ...this.#peer(), durationMs: performance.now() - this.#since, error };
    for (const observer of this.#all) this.#runSafely(() => observer.closed?.(end));
  }

  #startWatches(begin: (observer: ClientObserver) => SendingWatch | undefined): SendingWatch[] {
    return this.#all.flatMap((observer) => this.#runSafely(() => begin(observer)) ?? []);
  }

  #createEnd(watches: readonly SendingWatch[]): (ended: { result?: Result; error?: Error }) => void {
    const startedAt = performance.now();
    return ({ result, error }) => {
      const { revision = negotiatedVersionOf(result) } = this.#peer();
      const end: SendingEnd = {
        outcome: outcomeOf(result, error),
        durationMs: performance.now() - startedAt,
        revision,
        error: error instanceof ProtocolError ? error.toBody() : undefined,
        reason: error instanceof ProtocolError ? undefined : error,
        result,
      };
      for (const watch of watches) this.#runSafely(() => watch.end(end));
    };
  }

  #runWithin<T>(watches: readonly SendingWatch[], how: 'around' | 'resume', run: () => T): T {
    return runWithin(watches, how, run, (error) => this.#warnOf(error));
  }

  #runSafely<T>(run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      this.#warnOf(error);
      return undefined;
    }
  }

  #warnOf(error: unknown): void {
    this.#warn(`An observer failed: ${(error as Error).message}`);
  }
}

/** The answer to a handshake has the negotiated version. */
function negotiatedVersionOf(result: unknown): string | undefined {
  return isObject(result) && typeof result.protocolVersion === 'string' ? result.protocolVersion : undefined;
}

function outcomeOf(result: Result | undefined, error: Error | undefined): SendingOutcome {
  if (error === undefined) {
    if (result?.isError === true) return 'tool-error';
    return result?.resultType === 'input_required' ? 'asked' : 'ok';
  }
  if (error instanceof ProtocolError || error instanceof HttpError) return 'error';
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof ConnectionError || error instanceof SessionLost) return 'lost';
  return 'cancelled';
}
