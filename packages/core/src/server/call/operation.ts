import type { Params, PreparedResult } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { ToolListing } from '../../protocol/listing.ts';
import type { Store } from '../../stores/store.ts';
import type { Implementation } from '../../protocol/identity.ts';
import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Job, JobHandle, JobOutcome, SerializedCall } from './background-job.ts';
import type { Requirement } from '../define/access-rule.ts';
import type { ContextFeatures } from '../define/feature-options.ts';
import type { Template, Tool } from '../define/define.ts';
import type { Context } from './context.ts';

/** A request or notification being served, as middleware and extensions see it. */
export interface Operation extends Context {
  /** The params of the message. */
  readonly params: Params;
  /**
   * Sends the caller a notification of an extension, as part of this request. Does nothing if the caller has not
   * declared the extension.
   */
  readonly notify: (method: string, params?: Params) => void;
  /** Calls the listener when `signal` aborts, without the cost of a signal; the returned function removes it. */
  readonly onAbort: (listener: (reason: unknown) => void) => () => void;
  /** How the caller identifies itself: by a handshake, or statelessly in each request. */
  readonly era: 'handshake' | 'stateless';
  /**
   * Sends any question of the protocol to the client unchanged, in either era, for gateways. Only its existence in the
   * revision is checked. `key` identifies the question if one request asks several.
   */
  readonly ask: (method: string, params: Params | undefined, key?: string) => Promise<Record<string, unknown>>;
  /**
   * Signs a state for the `requestState` of a result that asks for input. Only the same request of the same caller can
   * return it; it is then in `suspendedState`.
   */
  readonly sealState: (state: unknown) => Promise<string>;
  /** The state that was signed when this request was answered with questions; undefined if none was. */
  readonly suspendedState: unknown;
  /** The list entry of the called tool; undefined for other requests and unknown tools. */
  readonly tool: ToolListing | undefined;
  /** The server that received the message. */
  readonly host: {
    readonly info: Implementation;
    readonly capabilities: {
      readonly declared: { readonly listChanged: boolean };
      /** True if the server has entries of this kind, or may get some later. */
      offers(kind: 'tools' | 'resources' | 'prompts'): boolean;
    };
    readonly extensions: { readonly all: readonly object[] };
    readonly catalog: { readonly tools: ListedTools };
    reportError(message: string, error: unknown): void;
  };
  /** A key of the caller that is the same on all instances, for limits and ownership. */
  readonly countedAs: string;
  /** The access requirements found so far. */
  readonly requirement: Requirement | undefined;
  /** True if the caller was granted all that is required. */
  readonly has: (requirement: Requirement | undefined) => boolean;
  /** Marks the result as private, so that shared caches don't store it. */
  readonly keepPrivate: () => void;
  /** The shared store of the instances, or the memory of a single one. */
  readonly shared: () => Awaitable<Store>;
  /** The background job of the call, if it was answered early. */
  readonly job: Job | undefined;
  /**
   * Answers the request now with a preliminary result, and continues in the background. Only for callers that have the
   * extension which the type of that result belongs to. Rejects if the request is over.
   */
  readonly respondEarly: (result: Result, job: Job, extension: string) => Promise<JobHandle>;
  /** Serializes this call, so that it can be replayed later or elsewhere. */
  readonly serialize: () => SerializedCall;
  /** Features that the caller's revision has built in, where others have an extension. */
  readonly builtInFeatures: ReadonlySet<string>;
  /** A secret key of the session; undefined without a session. */
  readonly sessionKey: string | undefined;
  /** Asks the client by a request and waits without a timeout. Undefined: the client can't be asked so. */
  readonly askNow:
    | ((method: string, params: Params, signal: AbortSignal) => Promise<Record<string, unknown>>)
    | undefined;
  /**
   * Returns a function that asks the client outside of any request, even after this one ended. Undefined: the client
   * can't be reached now.
   */
  readonly askLater: () => Operation['askNow'];
  /** Sends a notification outside of any request, even after this one ended. Undefined: the transport can't. */
  readonly notifyLater: ((method: string, params: Params) => void) | undefined;
  /** Sets the members that features add to the handler's context, for this call. */
  readonly extendContext: (members: Partial<ContextFeatures>) => void;
  /** An outcome of a tool in the revision of this request's caller. */
  readonly toRevision: <O extends JobOutcome>(outcome: O, tool: string) => O;
}

/** The tools of a server. */
interface ListedTools {
  /** A new array after each change. */
  readonly list: readonly { readonly key: string }[];
  readonly entries: ReadonlyMap<string, { readonly listing: ToolListing }>;
}

/** A request before it is served. */
export interface ReceivedRequest {
  /** The client's own name and version, which may be false. */
  readonly clientInfo: Implementation | undefined;
  /** The server that received the request. */
  readonly host: Operation['host'];
}

/** A method's result, or its serialized form, whose `toJSON()` returns the object. */
export type Outcome = Result | PreparedResult;

/**
 * Runs the inner middleware and the method, with other params if given. With another method, serves a request of that method
 * within this one, and returns its result: `next({}, 'tools/list')`. Observers see it, and the caller must be allowed to make it;
 * limits count the request of the client only.
 */
export type Next = (params?: Params, method?: string) => Outcome | Promise<Outcome>;

/** Wraps every request and notification. Returns the outcome of `next`, or another one. */
export interface Middleware {
  (operation: Operation, next: Next): Outcome | Promise<Outcome>;
  /**
   * Returns the params to serve a request with. Runs before every other step, so observers, limits, authorization and handlers
   * see the request as if it had come with these params.
   */
  rewrite?(method: string, params: Params, request: ReceivedRequest): Params;
  /** True: it serves tools, so the server declares that it has some, even if it has none of its own. */
  offersTools?: boolean;
  /** Called when it is added to a server, such as to add a tool of its own. If it throws, the middleware is not added. */
  install?(server: {
    readonly info: Implementation;
    readonly tools: { add(tool: Tool): void };
    readonly templates: { add(template: Template): void };
  }): void;
}

/** Options of middleware. */
export interface MiddlewareOptions {
  /**
   * True: on stdio, `initialize` may be answered before the middleware runs, for a faster start. Its return value for
   * `initialize` is then ignored. Default: false.
   */
  deferHandshake?: boolean;
}
