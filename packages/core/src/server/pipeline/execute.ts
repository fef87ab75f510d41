import type { Response } from '../../jsonrpc/message.ts';
import { loadedValidator, validatorLoading } from '../../schema/validator.ts';
import type { Call } from '../call/call.ts';
import { complete, fail } from '../call/complete.ts';
import type { Outcome } from '../call/operation.ts';
import type { Run, Serve } from './step.ts';

/**
 * Runs a call and returns its response: synchronously if the handler is synchronous, else as a tracked call that can be
 * cancelled.
 */
export function execute(run: Run): Serve {
  return (call) => {
    const loading = loadedValidator === undefined ? prepare(call) : undefined;
    try {
      const outcome = loading === undefined ? run(call) : runAfter(loading, call, run);
      if (outcome instanceof Promise) return track(call, outcome);
      // Pipelined requests run in one tick: flush per call, so that each change is notified before its response.
      if (call.server.feed.hasPending) call.server.feed.flush();
      return call.respond(outcome);
    } catch (error) {
      return call.fail(error);
    }
  };
}

/** Loads the modules that a call needs. */
export function prepare(call: Call): Promise<void> | undefined {
  // Later requests don't overtake one that waits for the validator: they may depend on its effect.
  return validatorLoading() ?? call.served?.prepare?.(call);
}

/** Runs a call once its modules are loaded, unless it is over. */
export function runAfter(loading: Promise<void>, call: Call, run: Run): Promise<Outcome> {
  const go = (): Outcome | Promise<Outcome> => {
    if (call.isOver) return {};
    const outcome = run(call);
    if (!(outcome instanceof Promise)) call.server.feed.flush();
    return outcome;
  };
  return loading.then(go, go);
}

/** Responds asynchronously: from here on the call can be cancelled and times out. */
export function track(call: Call, outcome: Promise<Outcome>): Promise<Response | undefined> {
  return new Promise((resolve) => {
    call.execution.track(resolve);
    outcome.then(
      (result) => complete(call, result),
      (error: unknown) => fail(call, error),
    );
  });
}
