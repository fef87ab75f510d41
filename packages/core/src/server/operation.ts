import type { Params, PreparedResult } from '../jsonrpc/message.ts';
import type { Result } from '../protocol/results.ts';
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
}

/** A method's result, or the same already written as text: its `toJSON()` gives the object. */
export type Outcome = Result | PreparedResult;

/** Runs the middleware further in, and then the method; with other params where some are given. */
export type Next = (params?: Params) => Outcome | Promise<Outcome>;

/** Runs around every request and notification that is served. Returns what `next` gives, or something in its place. */
export type Middleware = (operation: Operation, next: Next) => Outcome | Promise<Outcome>;
