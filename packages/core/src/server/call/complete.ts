import { PreparedResult, type RequestId, type Response } from '../../jsonrpc/message.ts';
import { goesOn } from './background-job.ts';
import type { Call } from './call.ts';
import type { Outcome } from './operation.ts';

/** The answer to a call that ended well. */
export function respond(call: Call, outcome: Outcome): Response {
  call.host.warmUp?.();
  if (!(outcome instanceof PreparedResult)) return call.respond(outcome);
  return { jsonrpc: '2.0', id: call.requestId as RequestId, result: outcome };
}

/** Ends a tracked call whose work is done, but not one that goes on. A result that can't be told to this caller is a refusal. */
export function complete(call: Call, outcome: Outcome): void {
  if (outcome === goesOn) return;
  call.untrack();
  if (!call.done) call.settle(attempt(call, outcome));
}

/** Ends a tracked call whose work has failed. */
export function fail(call: Call, error: unknown): void {
  call.untrack();
  if (!call.done) call.settle(call.refuse(error));
}

function attempt(call: Call, outcome: Outcome): Response {
  try {
    return respond(call, outcome);
  } catch (error) {
    return call.refuse(error);
  }
}
