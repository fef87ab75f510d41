import type { ProtocolError } from '../jsonrpc/errors.ts';
import type { Notification, Params, Request, RequestId, Response } from '../jsonrpc/message.ts';
import type { Caller } from '../revisions/revision.ts';
import type { Session } from './session.ts';
import type { Store } from '../stores/store.ts';

/**
 * The client of a message, as the transport knows it: who it is, and how to reach it while the message is served. A
 * transport with one client per connection, such as stdio, may use one peer for all messages.
 */
export interface Peer {
  /** The session of a handshake client. Absent if the transport keeps no state for its client. */
  readonly session?: Session;
  /** The client and its revision, if the transport had to determine them itself. */
  readonly caller?: Caller;
  /** The authenticated caller, if the transport authenticates. */
  readonly auth?: Auth;
  /** How callers authenticate on this transport, and how missing scopes are reported. Absent: no authentication. */
  readonly authPolicy?: AuthPolicy;
  /** Where the message came from; absent if the transport does not say. */
  readonly origin?: Origin;
  /** Counts the caller's usage. Absent: this transport counts nothing. */
  readonly usage?: CallerUsage;
  /** The requests in flight, by id: ids must be unique, and cancellations look here. */
  readonly running: Map<RequestId, RunningCall>;
  /** True under backpressure: droppable messages should not be sent. */
  readonly backpressured?: boolean;
  /** The shared store, if there may be several instances. */
  readonly store?: Store;
  /** True if the client disconnected before the request began. */
  readonly disconnected?: boolean;
  /** Called when a rate limit counted a call. */
  onRateCounted?(limit: RateName, rated: Rated): void;
  /**
   * Runs `write` before the response is sent. Returns false if the response is not delayed: the caller then writes
   * immediately.
   */
  beforeAnswer?(write: () => void): boolean;
  /** Sends a message that belongs to the request being served; `request` is its id, where it has one. */
  send(message: Notification | Request, request?: RequestId): void;
  /** Sends a notification that belongs to no request, also after this request is over. Absent: the transport can't. */
  notify?(message: Notification): void;
  /** Asks the client by a request and waits. Absent: this client can't be asked so. */
  ask?(method: string, params: Params | undefined, signal?: AbortSignal): Promise<Record<string, unknown>>;
  /** Returns a function that asks outside of any request, also after this one is over. Undefined: the client can't be reached now. */
  askLater?(): Peer['ask'];
  /** Closes the client's connection while its request keeps running; the client reconnects for the response. */
  disconnect?(retryMs: number): Promise<void>;
  /** Resolves a question with the client's answer. */
  settle?(response: Response): void;
}

/** Counted resources of a caller: running calls, bytes of subscriptions, bytes of messages in flight. */
export type CallResource = 'calls' | 'subscriptions' | 'incoming';

/** The usage of one caller over all requests and connections. */
export interface CallerUsage {
  /** A unique key of the caller, the same on all instances. */
  readonly rateKey: string;
  take(what: CallResource, count?: number): void;
  release(what: CallResource, count?: number): void;
  /** The error if the caller would exceed its limit; undefined otherwise. */
  overload(what: CallResource, count?: number): ProtocolError | undefined;
}

/** A rate limit, as reported to clients. */
export interface RateName {
  /** The name of the limit, for programs. */
  readonly name: string;
  /** The value of the HTTP header `RateLimit-Policy`. */
  readonly policy: string;
}

/** The result of counting a call. */
export interface Rated {
  /** 0, or milliseconds that the caller must wait; then the call is not counted. */
  readonly waitMs: number;
  /** Remaining calls, and milliseconds until the bucket is full. */
  readonly left: number;
  readonly fullMs: number;
}

/** Where a message came from. */
export interface Origin {
  /** The transport, such as `stdio` or `http`. */
  readonly transport: string;
  /** The id of the session, which is a secret of its client. */
  readonly session?: string;
  /** The address of the connection, which may be a proxy's. */
  readonly address?: string;
}

/** How callers authenticate on a transport, and how a missing grant is reported to them. */
export interface AuthPolicy {
  /** True if the transport authenticates callers: an anonymous one was granted nothing. */
  readonly authenticates: boolean;
  /** True if anonymous callers are served too; listings then name what each tool requires. */
  readonly allowsAnonymous: boolean;
  /** How missing grants for a tool are reported: by an error, if the transport has a form for it, or by a result. */
  scopeErrorForm(): 'error' | 'result';
  /** The challenges for a caller without these grants, as in the header `WWW-Authenticate`. */
  challenges(needed: readonly string[]): readonly string[];
}

/** A request in flight, as its transport sees it. */
export interface RunningCall {
  /** True if it stays open until it is closed, such as `subscriptions/listen`. */
  readonly longLived: boolean;
  /** True if it keeps running when its client disconnects. */
  readonly survivesDisconnect?: boolean;
  /** True while it waits for other work, such as a request for a pending result. */
  readonly waits?: boolean;
  /** Ends the call without a response and aborts its handler. */
  cancel(reason?: string): void;
  /** Ends a long-lived call with its final response. */
  close(): void;
  /** Ends the call with a response of the transport, or without one. */
  complete(response: Response | undefined): void;
  /** Aborts the handler. */
  stop(reason: unknown): void;
}

/** The authenticated caller. */
export interface Auth {
  /** A stable name of the caller: state is bound to it. */
  readonly principal: string;
  /** The granted scopes. Undefined: unrestricted, as with an API key. */
  readonly scopes?: readonly string[];
  /** Expiry of the credentials, in milliseconds as of `Date.now()`: the caller's streams end then. */
  readonly expiresAt?: number;
  readonly [key: string]: unknown;
}

/** The members of `Auth` that identify the caller, without credentials. */
export const lastingAuth = ['principal', 'scopes', 'id', 'issuer', 'subject', 'clientId', 'claims'] as const;
