import type { Params, PreparedResult } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Store } from '../../stores/store.ts';
import type { Implementation } from '../../protocol/identity.ts';
import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Job, JobHandle, JobOutcome, SerializedCall } from './background-job.ts';
import type { Requirement } from '../define/access-rule.ts';
import type { ContextFeatures } from '../define/feature-options.ts';
import type { Context } from './context.ts';

/** A request or notification being served, as middleware and extensions see it. */
export interface Operation extends Context {
  /** What the message carries beside its method. */
  readonly params: Params;
  /**
   * Sends the caller a notification of an extension, as part of this request. Does nothing where the caller has not
   * declared the extension.
   */
  readonly notify: (method: string, params?: Params) => void;
  /** How the caller identifies itself: by a handshake, or statelessly in each request. */
  readonly era: 'handshake' | 'stateless';
  /**
   * Asks the client any question of the protocol as it is, in either era, like `elicit` and the others do. Nothing is checked
   * but that its revision has the question: for gateways. `key` names the question where one request asks several.
   */
  readonly ask: (method: string, params: Params | undefined, key?: string) => Promise<Record<string, unknown>>;
  /**
   * Signs a state for the `requestState` of a result that asks for input: it comes back with the same request of the same
   * caller only, as `suspendedState`.
   */
  readonly sealState: (state: unknown) => Promise<string>;
  /** The state that was signed when this request was answered with questions; undefined where none was. */
  readonly suspendedState: unknown;
  /** The server that received the message. */
  readonly host: {
    readonly info: Implementation;
    readonly capabilities: { readonly declared: { readonly listChanged: boolean } };
    readonly extensions: { readonly all: readonly object[] };
    reportError(message: string, error: unknown): void;
  };
  /** A text that is the same for one caller on all instances: whose requests and things are counted together. */
  readonly countedAs: string;
  /** What the request was found to require of its caller so far. */
  readonly requirement: Requirement | undefined;
  /** True where the caller was granted all that is required. */
  readonly has: (requirement: Requirement | undefined) => boolean;
  /** Keeps the result out of caches that callers share: not all of them get the same. */
  readonly keepPrivate: () => void;
  /** What instances of the server share; where there is one, its own memory. */
  readonly shared: () => Awaitable<Store>;
  /** The background job of the call, where it was answered before its work was done. */
  readonly job: Job | undefined;
  /**
   * Answers the request now with a preliminary result, and continues in the background. Only for callers that have the
   * extension which the type of that result belongs to. Rejects where the request is over.
   */
  readonly respondEarly: (result: Result, job: Job, extension: string) => Promise<JobHandle>;
  /** All that is needed to do the work of this call again, later or elsewhere. */
  readonly serialize: () => SerializedCall;
  /** The parts that the caller's revision has itself, where others have an extension. */
  readonly builtInFeatures: ReadonlySet<string>;
  /** A secret text that is the same for all requests of one session; undefined where there is no session. */
  readonly sessionKey: string | undefined;
  /** Asks the client on the spot and waits, however long that takes. Undefined: it can't be asked so. */
  readonly askNow:
    | ((method: string, params: Params, signal: AbortSignal) => Promise<Record<string, unknown>>)
    | undefined;
  /** The same outside of any request, also when this one is over. Undefined: the client can't be reached so now. */
  readonly askLater: () => Operation['askNow'];
  /** Sends the client a notification that belongs to no request, also when this one is over. Undefined: there is no way to. */
  readonly notifyLater: ((method: string, params: Params) => void) | undefined;
  /** Sets what the members that features add to the handler's context do during this call. */
  readonly extendContext: (members: Partial<ContextFeatures>) => void;
  /** An outcome of a tool in the revision of this request's caller. */
  readonly toRevision: <O extends JobOutcome>(outcome: O, tool: string) => O;
}

/** A method's result, or the same already written as text: its `toJSON()` gives the object. */
export type Outcome = Result | PreparedResult;

/**
 * Runs the middleware further in, and then the method; with other params where some are given. With another method, serves a
 * request of that method for the same caller, such as `next({}, 'tools/list')`, and gives its result.
 */
export type Next = (params?: Params, method?: string) => Outcome | Promise<Outcome>;

/** Runs around every request and notification that is served. Returns what `next` gives, or something in its place. */
export interface Middleware {
  (operation: Operation, next: Next): Outcome | Promise<Outcome>;
  /**
   * Gives the params that a request is served with, before anything else sees it: observers, limits, scopes and handlers see
   * the request with these params, as if it had come with them.
   */
  rewrite?(method: string, params: Params): Params;
}

/** Options of middleware. */
export interface MiddlewareOptions {
  /**
   * True: on stdio `initialize` may be answered before the middleware sees it, so that a server starts sooner. What the
   * middleware returns for it is ignored then. Default: false.
   */
  deferHandshake?: boolean;
}
