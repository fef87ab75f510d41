import type { ErrorBody } from '../jsonrpc/errors.ts';
import type { Params, RequestId } from '../jsonrpc/message.ts';
import { withWatchMeta } from '../jsonrpc/observer-watches.ts';
import type { Implementation } from '../protocol/identity.ts';
import type { Meta } from '../protocol/meta.ts';
import type { Auth, Origin } from './peer.ts';

/**
 * Observes requests, for metrics, traces, logs and audits. Its functions run on the hot path, so they must be quick;
 * their errors are logged, and the request continues.
 */
export interface Observer {
  /** Called when a request arrives. Returns a watch, whose `end` is called exactly once; undefined if not needed. */
  begin?(request: ObservedRequest): RequestWatch | undefined;
  /**
   * Called when a handler asks its client by a request of the server. Returns a watch that is notified of the answer,
   * exactly once. Questions inside a result are not reported here: the outcome of that request is `asked`.
   */
  ask?(question: ObservedQuestion): QuestionWatch | undefined;
}

/** A request as an observer sees it. */
export interface ObservedRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
  /** The caller, if known. */
  readonly auth: Auth | undefined;
  /** The transport, session and address of the request. */
  readonly origin: Origin | undefined;
}

/** A question to the client as an observer sees it. */
export interface ObservedQuestion extends Omit<ObservedRequest, 'id'> {
  /** The revision that the client speaks. */
  readonly revision: string;
}

/** Observes one question. */
export interface QuestionWatch {
  /** Extra members for the `_meta` of the question, such as trace context. */
  readonly meta?: Meta | undefined;
  end(end: QuestionEnd): void;
}

/** How a question ended: with an answer, or with an error instead. */
export interface QuestionEnd {
  readonly durationMs: number;
  readonly error: Error | undefined;
}

/** Observes one request. */
export interface RequestWatch {
  /** Wraps the serving of the request, for async context. */
  around?<T>(serve: () => T): T;
  end(end: RequestEnd): void;
}

/**
 * How a request ended: with a result, with questions to the client, with a failed tool, with an error, rejected because
 * of overload, or cancelled without a response.
 */
export type RequestOutcome = 'ok' | 'asked' | 'tool-error' | 'error' | 'refused' | 'cancelled';

/** The facts of a completed request. */
export interface RequestEnd {
  readonly outcome: RequestOutcome;
  readonly durationMs: number;
  /** The revision in which it was served; undefined if it was rejected before. */
  readonly revision: string | undefined;
  /** The label of the part that served it; undefined if the server has no parts, or served it itself. */
  readonly part: string | undefined;
  /** The client's own name and version. */
  readonly clientInfo: Implementation | undefined;
  /** The error that the client got instead of a result. */
  readonly error: ErrorBody | undefined;
  /** Returns the result as the client gets it; undefined if there is none. */
  result(): unknown;
  /**
   * Runs a function before the client gets the response, such as writing a line. Transports that batch the responses of
   * one tick run the same function once for all of them, others immediately.
   */
  beforeAnswer(write: () => void): void;
}

/** The observers, and where a failure of one is reported. */
export interface QuestionObservers {
  readonly observers: readonly Observer[];
  reportError(message: string, error: unknown): void;
}

/** Asks a client and reports it to observers. `ask` gets the params with the observers' additions to `_meta`. */
export async function observeQuestion<T>(
  server: QuestionObservers,
  question: ObservedQuestion,
  ask: (params: Params) => Promise<T>,
): Promise<T> {
  const attempt = <R>(run: () => R): R | undefined => {
    try {
      return run();
    } catch (error) {
      server.reportError('An observer failed', error);
      return undefined;
    }
  };
  const watches = server.observers.flatMap((observer) => attempt(() => observer.ask?.(question)) ?? []);
  const startedAt = performance.now();
  const end = (error: Error | undefined): void => {
    const durationMs = performance.now() - startedAt;
    for (const watch of watches) attempt(() => watch.end({ durationMs, error }));
  };
  try {
    const answer = await ask(withWatchMeta(watches, question.params));
    end(undefined);
    return answer;
  } catch (error) {
    end(error as Error);
    throw error;
  }
}
