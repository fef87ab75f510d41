import type { Response } from '../../jsonrpc/message.ts';
import { continues } from './background-job.ts';
import type { Call } from './call.ts';
import type { Outcome } from './operation.ts';

/** Ends a tracked call whose work is done, but not one that goes on. A result that can't be sent to this caller is a rejection. */
export function complete(call: Call, outcome: Outcome): void {
  if (outcome === continues) return;
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
