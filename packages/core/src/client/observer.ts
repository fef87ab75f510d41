import type { ErrorBody } from '../jsonrpc/errors.ts';
import type { Params, RequestId } from '../jsonrpc/message.ts';
import type { Meta } from '../protocol/meta.ts';

/**
 * Observes the traffic between a client and its server: for metrics and traces. It runs on the hot path, so it must be
 * quick; an exception becomes a warning, and the request continues.
 */
export interface ClientObserver {
  /** Called before a request is sent. Returns a watch whose `end` is called exactly once, or undefined. */
  begin?(request: ObservedSending): SendingWatch | undefined;
  /** Called when the server asks a question. Returns a watch whose `end` is called exactly once, or undefined. */
  beginQuestion?(question: ObservedQuestion): QuestionWatch | undefined;
  /** Called when the connection is over; with an error unless the client closed it. */
  closed?(end: ConnectionEnd): void;
}

/** The other side, as far as the transport knows it. */
export interface Peer {
  /** The transport, such as `stdio` or `http`. */
  readonly transport: string | undefined;
  /** The server's address, if it has one. */
  readonly endpoint: string | undefined;
  /** The session id: a secret of the client. */
  readonly session: string | undefined;
  /** The negotiated revision; undefined during negotiation. */
  readonly revision: string | undefined;
}

/** One sending of a request. Rounds and retries are sent separately. */
export interface ObservedSending extends Peer {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** A question of the server: a request, or part of a result that is not final. */
export interface ObservedQuestion extends Peer {
  /** Absent if it came inside a result. */
  readonly id?: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** Watches one request. */
export interface SendingWatch {
  /** Extra members for `_meta`, such as trace context. The request's own members take precedence. */
  readonly meta?: Meta | undefined;
  /** Wraps the sending of the request, for context that must hold inside. */
  around?<T>(send: () => T): T;
  /** Wraps what follows the answer, such as the next round, to restore the caller's context. */
  resume?<T>(run: () => T): T;
  end(end: SendingEnd): void;
}

/** Watches one question. */
export interface QuestionWatch {
  /** Wraps the answering, for context that must hold inside. */
  around?<T>(answer: () => T): T;
  end(end: SendingEnd): void;
}

/**
 * How a request ended: with a result, with questions, with a failed tool, with an error of the other side, by a
 * timeout, by cancellation, or because the connection or session was lost.
 */
export type SendingOutcome = 'ok' | 'asked' | 'tool-error' | 'error' | 'timeout' | 'cancelled' | 'lost';

/** A finished request. */
export interface SendingEnd {
  readonly outcome: SendingOutcome;
  readonly durationMs: number;
  /** The revision it was sent in; undefined before negotiation. */
  readonly revision: string | undefined;
  /** The error of the other side. */
  readonly error: ErrorBody | undefined;
  /** The local reason, if the other side sent no error. */
  readonly reason: Error | undefined;
  readonly result: unknown;
}

/** A connection that is over. */
export interface ConnectionEnd extends Peer {
  readonly durationMs: number;
  readonly error: Error | undefined;
}
