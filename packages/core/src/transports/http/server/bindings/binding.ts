import type { CredentialsRequest } from '../../../../auth/server/authenticator.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Usage } from '../../../../features/quotas/quota.ts';

/** A request as the handler sees it, whatever server or runtime it came through. */
export interface HttpRequest extends CredentialsRequest {
  /** The part of the path at which a framework mounted the handler; empty if none did. */
  readonly mount: string;
  readonly query: URLSearchParams;
  /** Reads the body as text, up to the limit and the quota of its caller. */
  body(limit: number, usage: Usage): Awaitable<Body>;
}

/** The text of a body, or why it can't be read. */
export type Body = { text: string } | BodyProblem;

/** Why a body can't be read; `full` is the quota that is used up. */
export type BodyProblem = { problem: 'too-large' | 'not-utf8' | 'cut-off' } | { problem: 'no-room'; full: Usage };

/** Sends the response: a whole one, or a stream. */
export interface HttpResponder {
  send(status: number, headers: HttpHeaders, body?: string): void;
  stream(headers: HttpHeaders): EventSink;
  /** Runs `write` before the response is sent; false if responses are not delayed for that. */
  beforeSend?(write: () => void): boolean;
  /** True if earlier responses on the same connection are still unread. */
  readonly backpressured: boolean;
  /** Called when the client disconnects before the response is complete; immediately if it already has. */
  onDisconnect(listener: () => void): void;
}

/** Serves one request; synchronous unless something has to be awaited. */
export type Serve = (request: HttpRequest, responder: HttpResponder) => Awaitable<void>;

/** Names and values in turn: what `node:http` writes fastest. A name that comes twice makes two lines. */
export type HttpHeaders = readonly string[];

/** Adds the headers that every HTTP response carries. Both bindings call it. */
export function responseHeaders(headers: HttpHeaders, ...more: string[]): string[] {
  return [...headers, 'X-Content-Type-Options', 'nosniff', ...more];
}

/** The open end of a stream. */
export interface EventSink {
  write(text: string): void;
  end(): void;
  /** Closes the connection: unsent data is lost. */
  cut(): void;
  /** Unread data, in bytes or characters. */
  readonly unsent: number;
  /** True under backpressure, over all connections. */
  readonly full: boolean;
  /** Called whenever all data was read. */
  onDrain(listener: () => void): void;
}
