import type { Params } from '../jsonrpc/message.ts';
import type { MethodRows } from '../protocol/methods.ts';
import type { Result } from '../protocol/results.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Progress } from './connection/pending-requests.ts';
import type { RequestOptions } from './request-options.ts';
import type { Subscription } from './subscriptions/subscription.ts';

/** The client's half of an extension: what it declares, and how it handles what servers send. */
export interface ClientExtension {
  /** A reversed domain that the author owns, and a name: `com.example/tickets`. */
  readonly id: string;
  /** The settings declared under the id. Default: `{}`. */
  readonly settings?: object;
  /** Limits the extension to one era. Default: both. */
  readonly era?: 'handshake' | 'stateless';
  /** Facts about its methods, such as which param a header repeats. */
  readonly methods?: MethodRows;
  /** The result types it adds, by name. */
  readonly resultTypes?: Readonly<Record<string, ResultType>>;
  /** The server notifications it adds, by method. */
  readonly notifications?: Readonly<Record<string, ClientNotification>>;
  /** Called once per connection, in either era. Returns middleware for the program's requests, or nothing. */
  around?(server: KnownServer): ClientMiddleware | undefined;
}

/** Facts about a connected server. */
export interface KnownServer {
  readonly era: 'handshake' | 'stateless';
  readonly capabilities: ServerCapabilities;
}

/** Middleware of a client. `next` sends the request, with other params if given, and resolves with its final result. */
export type ClientMiddleware = (
  request: FollowedRequest,
  next: (params?: Params) => Promise<Result>,
) => Promise<Result>;

/** How the client continues from a result type that the protocol does not have. */
export interface ResultType {
  /** The methods that may return this type. Default: all. */
  readonly methods?: readonly string[];
  /** Returns the final result, or one from which the client continues. */
  follow(result: Result, request: FollowedRequest): Result | Promise<Result>;
}

/** The request whose result is followed, with the operations an extension needs. */
export interface FollowedRequest {
  readonly method: string;
  readonly params: Params | undefined;
  /** Aborts when the caller gives up or the client closes. The caller stops waiting for `follow` then. */
  readonly signal: AbortSignal;
  /** Reports progress to the caller, if they asked for it. */
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /**
   * Sends a further request, with the caller's options by default. Questions in its result are answered; a result of an
   * extension's type is returned as it is.
   */
  request(method: string, params?: Params, options?: RequestOptions): Promise<Result>;
  /** Answers a question of the server as the client's options say, unless the signal aborts. */
  answer(method: string, params: Params | undefined, signal?: AbortSignal): Promise<object>;
  /**
   * Subscribes to notifications of an extension: `filter` is merged into the filter of `subscriptions/listen`. Rejects if the
   * era has no such request, or if extensions hold too many subscriptions.
   */
  listen(filter: Readonly<Record<string, unknown>>, options: ExtensionListenOptions): Promise<Subscription>;
  /** Reports a problem that does not end the connection. */
  warn(text: string): void;
}

/** The listener of an extension's subscription, and its lifetime. */
export interface ExtensionListenOptions {
  readonly signal: AbortSignal;
  onNotification(method: string, params: Params): void;
}

/** How the client handles a notification of an extension. */
export interface ClientNotification {
  /** Called for each notification. An exception becomes a warning. */
  onNotification?(params: Params): void | Promise<void>;
}
