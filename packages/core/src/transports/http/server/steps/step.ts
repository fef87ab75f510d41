import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { HttpContext } from '../endpoint/context.ts';

/** Serves an HTTP request; synchronous unless something has to be awaited. */
export type Handler = (context: HttpContext) => Awaitable<void>;

/**
 * One step of serving an HTTP request. It is given the steps further in when the pipeline is composed, and returns the
 * function that answers each request, or calls `next`.
 */
export type Step = (next: Handler) => Handler;

/** Joins steps to one handler, once per endpoint. */
export function compose(steps: readonly Step[], last: Handler): Handler {
  return steps.reduceRight<Handler>((next, step) => step(next), last);
}
