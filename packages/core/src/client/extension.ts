import type { Params } from '../jsonrpc/message.ts';
import type { MethodRows } from '../protocol/methods.ts';
import type { Result } from '../protocol/results.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Progress } from './connection/pending-requests.ts';
import type { RequestOptions } from './request-options.ts';
import type { Subscription } from './subscriptions/subscription.ts';

/** The client's half of an extension: what it declares, and what it does with what servers of the extension send. */
export interface ClientExtension {
  /** A domain that its author owns, reversed, and a name: `com.example/tickets`. */
  readonly id: string;
  /** What the client declares under the id. Default: `{}`, which says that it has the extension. */
  readonly settings?: object;
  /** The only era that has the extension. Default: both. */
  readonly era?: 'handshake' | 'stateless';
  /** What is true of its methods, such as which member of their params a header repeats. */
  readonly methods?: MethodRows;
  /** The types of results that it adds, by name. */
  readonly resultTypes?: Readonly<Record<string, ResultType>>;
  /** The notifications of the server that it adds, by method. */
  readonly notifications?: Readonly<Record<string, ClientNotification>>;
  /**
   * Asked once for each connection, in either era: gives what is to run around each request that the program makes there,
   * or nothing where that is not needed.
   */
  around?(server: KnownServer): ClientMiddleware | undefined;
}

/** What is known of a server once it is connected to. */
export interface KnownServer {
  readonly era: 'handshake' | 'stateless';
  readonly capabilities: ServerCapabilities;
}

/** Runs around a request. `next` makes it, with other params if they are given, and gives its final result. */
export type ClientMiddleware = (
  request: FollowedRequest,
  next: (params?: Params) => Promise<Result>,
) => Promise<Result>;

/** How the client goes on from a result of a type that the protocol itself does not have. */
export interface ResultType {
  /** The methods that may be answered with such a result; others may not. Default: all. */
  readonly methods?: readonly string[];
  /** Gives the result that the caller is waiting for, or one from which the client goes on again. */
  follow(result: Result, request: FollowedRequest): Result | Promise<Result>;
}

/** The request whose result is followed, and what an extension needs to follow it. */
export interface FollowedRequest {
  readonly method: string;
  readonly params: Params | undefined;
  /** Aborted when the caller gives up, or the client is closed. The caller does not wait for `follow` then. */
  readonly signal: AbortSignal;
  /** Tells the caller how far the request has come, if they want to know. */
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /**
   * Makes a further request, with the caller's options unless others are given. Questions in its result are answered; a
   * result of an extension's type is given as it is.
   */
  request(method: string, params?: Params, options?: RequestOptions): Promise<Result>;
  /** Answers a question of the server as the client's options say, unless the signal says that nobody wants it any more. */
  answer(method: string, params: Params | undefined, signal?: AbortSignal): Promise<object>;
  /**
   * Listens to notifications that an extension adds: `wish` is for the filter of `subscriptions/listen`. Rejects where the
   * era has no such request, or where extensions listen to much already.
   */
  listen(wish: Readonly<Record<string, unknown>>, options: NoticeOptions): Promise<Subscription>;
  /** Tells the program of what is odd but not the end. */
  warn(text: string): void;
}

/** Who hears what an extension listens to, and for how long. */
export interface NoticeOptions {
  readonly signal: AbortSignal;
  heard(method: string, params: Params): void;
}

/** What the client does with a notification that an extension adds. */
export interface ClientNotification {
  /** Told of each one that comes. What it throws becomes a warning. */
  heard?(params: Params): void | Promise<void>;
}
