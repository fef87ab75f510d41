import type { Response } from '../../jsonrpc/message.ts';
import { backgroundResult } from './background-job.ts';
import type { Call } from './call.ts';
import type { Outcome } from './operation.ts';

/**
 * Completes a tracked call whose handler is done, unless it continues in the background. A result that can't be sent to
 * this caller becomes an error.
 */
export function complete(call: Call, outcome: Outcome): void {
  if (outcome === backgroundResult) return;
  call.execution.untrack();
  if (!call.isOver) call.execution.complete(attempt(call, outcome));
}

/** Ends a tracked call whose work has failed. */
export function fail(call: Call, error: unknown): void {
  call.execution.untrack();
  if (!call.isOver) call.execution.complete(call.fail(error));
}

function attempt(call: Call, outcome: Outcome): Response {
  try {
    return call.respond(outcome);
  } catch (error) {
    return call.fail(error);
  }
}
