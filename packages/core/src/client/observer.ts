import type { ErrorBody } from '../jsonrpc/errors.ts';
import type { Params, RequestId } from '../jsonrpc/message.ts';
import type { Meta } from '../protocol/meta.ts';

/**
 * Watches what passes between a client and its server: for metrics and traces. Each of its functions is called on the way of
 * every request, so it must be quick; what one throws is told as a warning, and the request goes on.
 */
export interface ClientObserver {
  /** A request is about to be sent. Gives who is told of its end, exactly once; undefined where nobody needs to be. */
  begin?(request: ObservedSending): SendingWatch | undefined;
  /** The server asks the client something. Gives who is told of the answer, exactly once. */
  beginQuestion?(question: ObservedQuestion): QuestionWatch | undefined;
  /** The connection is over; with an error where this side did not want that. */
  closed?(end: ConnectionEnd): void;
}

/** Where the other side is, as far as the transport says. */
export interface Peer {
  /** The transport, such as `stdio` or `http`. */
  readonly transport: string | undefined;
  /** The server's address, where it has one. */
  readonly endpoint: string | undefined;
  /** The id of the session, which is a secret of its client. */
  readonly session: string | undefined;
  /** The revision that was agreed on; undefined while that is being found out. */
  readonly revision: string | undefined;
}

/** A request as it is sent. What takes several rounds, or is sent again, is several of them. */
export interface ObservedSending extends Peer {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** A question of the server: a request of its own, or part of a result that is not final. */
export interface ObservedQuestion extends Peer {
  /** Absent where it came within a result. */
  readonly id?: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** Is told how one request goes. */
export interface SendingWatch {
  /** More for the request's `_meta`, such as the context of a trace. What the request itself says there stays. */
  readonly meta?: Meta | undefined;
  /** Runs the sending of the request, for whoever keeps something that is true for all that happens within. */
  around?<T>(send: () => T): T;
  /** Runs what follows the answer, such as the next round, for whoever keeps something that was true for the caller. */
  goOn?<T>(run: () => T): T;
  end(end: SendingEnd): void;
}

/** Is told how one question is answered. */
export interface QuestionWatch {
  /** Runs the answering, for whoever keeps something that is true for all that happens within. */
  around?<T>(answer: () => T): T;
  end(end: SendingEnd): void;
}

/**
 * How a request ended: with a result, with questions, with a result that says that the tool failed, with an error of the
 * other side, without an answer in time, because it was taken back, or because the connection or the session was lost.
 */
export type SendingOutcome = 'ok' | 'asked' | 'tool-error' | 'error' | 'timeout' | 'cancelled' | 'lost';

/** What is known of a request that is over. */
export interface SendingEnd {
  readonly outcome: SendingOutcome;
  readonly durationMs: number;
  /** The revision in which it was made; undefined where none is agreed on yet. */
  readonly revision: string | undefined;
  /** What was said instead of a result. */
  readonly error: ErrorBody | undefined;
  /** Why there is none, where that was not said by the other side. */
  readonly reason: Error | undefined;
  readonly result: unknown;
}

/** What is known of a connection that is over. */
export interface ConnectionEnd extends Peer {
  readonly durationMs: number;
  readonly error: Error | undefined;
}
