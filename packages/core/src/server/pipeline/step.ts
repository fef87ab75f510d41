import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Classified, ErrorResponse, Response } from '../../jsonrpc/message.ts';
import type { Call } from '../call/call.ts';
import type { Outcome } from '../call/operation.ts';
import type { EngineState } from '../engine-state.ts';
import type { Peer } from '../peer.ts';

/** A response, or none for a cancelled request. A promise if something must be awaited. */
export type Answer = Response | undefined | Promise<Response | undefined>;

/** Serves a request and returns its response. */
export type Serve = (call: Call) => Answer;

/** Runs a method and returns its result. */
export type Run = (call: Call) => Outcome | Promise<Outcome>;

/**
 * A step around a whole request. It gets the inner steps when the pipeline is composed, and returns the function that
 * serves each call. A step rejects a request by throwing, or, after waiting, by `reject`.
 */
export type RequestStep = (next: Serve) => Serve;

/** A step around the method, which sees its result. Composed like `RequestStep`. */
export type Step = (next: Run) => Run;

/** Wraps a function into steps, the first outermost. */
export function wrap<F>(innermost: F, steps: readonly (((next: F) => F) | undefined)[]): F {
  return steps.reduceRight<F>((next, step) => step?.(next) ?? next, innermost);
}

/**
 * Authorizes all requests of a batch before any is served. Returns the error response if the caller may not send one of
 * them; undefined otherwise.
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
  /** Rejects a request whose caller exceeds a quota, before it counts towards a rate limit. */
  readonly checkQuota?: RequestStep;
  /** Counts the request towards a rate limit. */
  readonly limitRate?: RequestStep;
  /** Counts a call that a composed server forwards to this part. */
  readonly limitPassed?: Step;
  /** Waits until this instance has leased a share of the caller's quota. */
  readonly acquireQuota?: RequestStep;
  /** Rejects a request that its caller may not make, before any side effect. */
  readonly authorize?: RequestStep;
  /** Rejects a batch if its caller may not send one of the requests. */
  readonly authorizeBatch?: AuthorizeBatch;
  /** Runs repeated calls only once: duplicates get the stored answer. */
  readonly deduplicate?: Step;
}
