import type { Notification, Params, Request, RequestId, Response } from '../jsonrpc/message.ts';
import type { Caller } from '../revisions/revision.ts';
import type { Rated, RateCounter } from './quotas/rate-limit.ts';
import type { Session } from './session.ts';
import type { Store } from '../stores/store.ts';
import type { Usage } from './quotas/quota.ts';

/**
 * What a transport lends the server for one message: who sent it, and how to reach them while it is served.
 * A transport with one client for its whole life, such as stdio, may use one exchange for all of its messages.
 */
export interface Exchange {
  /** What is known of a handshake client. Absent where the transport keeps no state for its client. */
  readonly session?: Session;
  /** Who sends the message and in which revision, where the transport had to decide that itself. */
  readonly caller?: Caller;
  /** Who the caller is, where the transport has established that. */
  readonly auth?: Auth;
  /** How callers say who they are on this way, and how they are told what they lack. Absent: nobody is asked. */
  readonly entrance?: Entrance;
  /** Which way the message came; absent where the transport does not say. */
  readonly origin?: Origin;
  /** What the caller holds, counted against their quotas. Absent: this transport has none. */
  readonly usage?: Usage;
  /** The requests still being served, by id: where ids must be unique and where a cancellation looks. */
  readonly running: Map<RequestId, RunningCall>;
  /** True while the client reads too slowly; messages that may be lost are then better not sent. */
  readonly crowded?: boolean;
  /** What all instances of the server share, where there may be several. */
  readonly store?: Store;
  /** True when the client went away before the request could begin. */
  readonly gone?: boolean;
  /** Told how a call was counted by a limit to its rate. */
  rated?(counter: RateCounter, rated: Rated): void;
  /** Has something done before the answer goes out. False where it goes out by itself: then whoever asks does it at once. */
  beforeAnswer?(write: () => void): boolean;
  /** Sends a message that belongs to the request being served; `request` is its id, where it has one. */
  send(message: Notification | Request, request?: RequestId): void;
  /** Tells the client something that belongs to no request, also after this one is over. Absent: there is no way to. */
  tell?(message: Notification): void;
  /** Asks the client and waits. Absent: this client can't be asked on the spot. */
  ask?(method: string, params: Params | undefined, signal?: AbortSignal): Promise<Record<string, unknown>>;
  /** How to ask the client what belongs to no request, also after this one is over. Undefined: it can't be reached so now. */
  askLater?(): Exchange['ask'];
  /** Closes the client's connection while its request goes on; the client comes back for the answer. */
  hangUp?(retryMs: number): Promise<void>;
  /** Takes the client's answer to something that was asked. */
  settle?(response: Response): void;
}

/** Which way a message came. */
export interface Origin {
  /** The transport, such as `stdio` or `http`. */
  readonly transport: string;
  /** The id of the session, which is a secret of its client. */
  readonly session?: string;
  /** Where the connection comes from, which may be a proxy. */
  readonly address?: string;
}

/** The way in that a message took, as far as it matters who its caller is. */
export interface Entrance {
  /** Callers are asked who they are: one who has not said it has no scopes. */
  readonly asks: boolean;
  /** Some are let in without saying it, so that listings say of each tool what it wants of a caller. */
  readonly mixed: boolean;
  /** How a caller of a tool is told that scopes are missing: by an error, which has a form of its own here, or by a result. */
  refusalForm(): 'error' | 'result';
  /** What a caller is to do who lacks some of these scopes, in the words of the header `WWW-Authenticate`. */
  challenges(needed: readonly string[]): readonly string[];
}

/** A request that is still being served, as its transport sees it. */
export interface RunningCall {
  /** It lasts until it is closed, such as `subscriptions/listen`. */
  readonly standing: boolean;
  /** It goes on where its client goes away. */
  readonly outlives?: boolean;
  /** It waits for others to come to an end, such as `tasks/result`. */
  readonly waits?: boolean;
  /** Ends the call without an answer and tells its handler to stop. */
  cancel(reason?: string): void;
  /** Ends a standing call with its final answer. */
  close(): void;
  /** Ends the call with an answer of the transport's, or without one. */
  settle(response: Response | undefined): void;
  /** Tells the handler to stop. */
  stop(reason: unknown): void;
}

/** The authenticated caller. */
export interface Auth {
  /** A name that is stable for one caller: state handed to them is bound to it. */
  readonly principal: string;
  /** All that the caller may do. Undefined: that is not limited, as with an API key. */
  readonly scopes?: readonly string[];
  /** When what they showed is no longer good, in milliseconds as `Date.now()` counts: their streams end then. */
  readonly expiresAt?: number;
  readonly [key: string]: unknown;
}
