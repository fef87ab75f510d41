import type { Params, PreparedResult } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import type { Store } from '../../stores/store.ts';
import type { Implementation } from '../../protocol/identity.ts';
import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Aside, AsideCall, AsideOutcome, KeptCall } from './background-job.ts';
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
  /** The server whose door the message came through. */
  readonly host: { readonly info: Implementation; reportError(message: string, error: unknown): void };
  /** A text that is the same for one caller on all instances: whose requests and things are counted together. */
  readonly countedAs: string;
  /** The scopes that the request was found to need so far. */
  readonly scopes: readonly string[] | undefined;
  /** True where the caller has all of these scopes. */
  readonly has: (scopes: readonly string[] | undefined) => boolean;
  /** Says that the result is nothing for a cache that callers share: not all of them get the same. */
  readonly keepPrivate: () => void;
  /** What instances of the server share; where there is one, its own memory. */
  readonly shared: () => Awaitable<Store>;
  /** What the call goes on with, where it was answered before its work was done. */
  readonly aside: Aside | undefined;
  /**
   * Answers the request now, with a result that stands for the one to come, and goes on aside. Only for callers that have
   * the extension which the type of that result belongs to. Rejects where nobody waits for an answer any more.
   */
  readonly answerNow: (result: Result, aside: Aside, extension: string) => Promise<AsideCall>;
  /** All that is needed to do the work of this call again, later or elsewhere. */
  readonly keep: () => KeptCall;
  /** The parts that the caller's revision has itself, where others have an extension. */
  readonly parts: ReadonlySet<string>;
  /** A secret text that is the same for all requests of one session; undefined where there is no session. */
  readonly sessionKey: string | undefined;
  /** Asks the client on the spot and waits, however long that takes. Undefined: it can't be asked so. */
  readonly askNow:
    | ((method: string, params: Params, signal: AbortSignal) => Promise<Record<string, unknown>>)
    | undefined;
  /** The same outside of any request, also when this one is over. Undefined: the client can't be reached so now. */
  readonly askLater: () => Operation['askNow'];
  /** Tells the client something that belongs to no request, also when this one is over. Undefined: there is no way to. */
  readonly tellLater: ((method: string, params: Params) => void) | undefined;
  /** Says what `beginTask` of the handler's context does. */
  readonly onBeginTask: (begin: () => Promise<void>) => void;
  /** An outcome of a tool, as the caller of this request is told it. */
  readonly told: <O extends AsideOutcome>(outcome: O, tool: string) => O;
}

/** A method's result, or the same already written as text: its `toJSON()` gives the object. */
export type Outcome = Result | PreparedResult;

/** Runs the middleware further in, and then the method; with other params where some are given. */
export type Next = (params?: Params) => Outcome | Promise<Outcome>;

/** Runs around every request and notification that is served. Returns what `next` gives, or something in its place. */
export type Middleware = (operation: Operation, next: Next) => Outcome | Promise<Outcome>;
