import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Classified, ErrorResponse, Response } from '../../jsonrpc/message.ts';
import type { Call } from '../call/call.ts';
import type { Outcome } from '../call/operation.ts';
import type { EngineState } from '../engine-state.ts';
import type { Peer } from '../peer.ts';

/** A response, or none for a request that was cancelled. A promise where something has to be waited for. */
export type Answer = Response | undefined | Promise<Response | undefined>;

/** Serves a request: gives its response. */
export type Serve = (call: Call) => Answer;

/** Runs a method: gives its result. */
export type Run = (call: Call) => Outcome | Promise<Outcome>;

/**
 * A step around a whole request. It is given the steps further in when the pipeline is composed, and returns the function
 * that serves each call. A step rejects a request by throwing, or, where it has waited, by `reject`.
 */
export type RequestStep = (next: Serve) => Serve;

/** A step around the method, which sees its result. Composed like `RequestStep`. */
export type Step = (next: Run) => Run;

/**
 * Looks at all requests of a batch before any is served. Gives the answer to a batch of which the caller may not make some;
 * undefined if they may make all.
 */
export type AuthorizeBatch = (
  server: EngineState,
  items: readonly Classified[],
  peer: Peer,
) => Awaitable<ErrorResponse | undefined>;

/** The steps that a feature adds to the kernel, by their position in the pipeline. An unused feature has none. */
export interface Plugin {
  /** A server has one plugin of each id. */
  readonly id: string;
  /** Sees every request and its response, also of those that are rejected. */
  readonly observe?: RequestStep;
  /** Rejects a request whose caller has used up a quota, before it counts towards a rate. */
  readonly checkQuota?: RequestStep;
  /** Counts the request towards a rate limit. */
  readonly limitRate?: RequestStep;
  /** Counts a call that a composed server forwards to this part. */
  readonly limitPassed?: Step;
  /** Waits until this instance has a share of the caller's quota. */
  readonly acquireQuota?: RequestStep;
  /** Rejects a request whose caller may not make it, before anything has happened. */
  readonly authorize?: RequestStep;
  /** The same for all requests of a batch together. */
  readonly authorizeBatch?: AuthorizeBatch;
  /** Serves calls that are repeated once. */
  readonly deduplicate?: Step;
}
