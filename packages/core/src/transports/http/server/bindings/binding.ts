import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Usage } from '../../../../server/quotas/quota.ts';

/** A request as the handler sees it, whatever server or runtime it came through. */
export interface HttpRequest {
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** What of the path a framework has cut off, because the handler is mounted there; empty where nobody did. */
  readonly mount: string;
  readonly query: URLSearchParams;
  /** Where the client's connection comes from, which may be a proxy; undefined where nobody says. */
  readonly address: string | undefined;
  /** The same for all requests of one connection, and for no others; absent where nobody can tell. */
  readonly connection?: object | undefined;
  /** A header by its lower-case name, without white space around it. Several are joined by commas: none is hidden. */
  header(name: string): string | undefined;
  /** Reads the body as text, as far as the limit and the room of its caller allow. */
  body(limit: number, usage: Usage): Awaitable<Body>;
}

/** The text of a body, or why it can't be read. */
export type Body = { text: string } | BodyProblem;

/** Why a body can't be read, and whose room is used up where that is why. */
export type BodyProblem = { problem: 'too-large' | 'not-utf8' | 'cut-off' } | { problem: 'no-room'; full: Usage };

/** How the handler answers: once, with a whole answer or with a stream. */
export interface HttpResponder {
  send(status: number, headers: HttpHeaders, body?: string): void;
  stream(headers: HttpHeaders): EventSink;
  /** Has something done before anything more is sent; false where answers are not held back for that. */
  beforeSend?(write: () => void): boolean;
  /** True where earlier answers wait on the same connection to be read. */
  readonly unread: boolean;
  /** Called where the client goes away before the answer is complete; at once where it is gone already. */
  onGone(listener: () => void): void;
}

/** Serves one request, at once where nothing has to be waited for. */
export type Serve = (request: HttpRequest, responder: HttpResponder) => Awaitable<void>;

/** Names and values in turn: what `node:http` writes fastest. A name that comes twice makes two lines. */
export type HttpHeaders = readonly string[];

/** The open end of a stream. */
export interface EventSink {
  write(text: string): void;
  end(): void;
  /** Cuts the connection: what was not sent yet is lost. */
  cut(): void;
  /** How much is waiting for the client to read it, in bytes or characters. */
  readonly unsent: number;
  /** True where too much waits for clients to read it, over all connections. */
  readonly full: boolean;
  /** Called whenever nothing waits any more. */
  onDrain(listener: () => void): void;
}
