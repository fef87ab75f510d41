import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import type { ErrorResponse, Params, RequestId, Response } from '../../jsonrpc/message.ts';
import { Call } from '../call/call.ts';
import type { Outcome } from '../call/operation.ts';
import { Suspended } from '../call/questions.ts';
import { loadedValidator } from '../../schema/validator.ts';
import { prepare, runAfter } from './execute.ts';
import { findMethod } from './identify.ts';
import { type Plugin, type RequestStep, type Run, type Serve, wrap } from './step.ts';

/** A request that middleware serves within one of the client, for the same caller and with its `_meta`. */
export function nest(call: Call, method: string, given?: Params): Call {
  const { host, peer, requestId, params } = call;
  const { _meta } = params;
  const nestedParams = { ...(_meta !== undefined && { _meta }), ...given };
  const request = { jsonrpc: '2.0', id: requestId as RequestId, method, params: nestedParams } as const;
  const nested = new Call(host, request, peer, call.outer ?? call);
  nested.caller = call.caller;
  nested.server = call.server;
  nested.job = call.job;
  return nested;
}

/**
 * Runs requests that middleware serves within one of the client. Observers see each, and the caller must be allowed to make it.
 * Limits counted the request of the client.
 */
export function nestedRun(run: Run, plugins: readonly Plugin[]): Run {
  const serve = wrap<Serve>(runNested(run), [
    ...plugins.map((plugin) => plugin.observe),
    catchErrors,
    findMethodStep,
    ...plugins.map((plugin) => plugin.authorize),
  ]);
  return (call) => {
    const answer = serve(call);
    return answer instanceof Promise ? answer.then(toOutcome) : toOutcome(answer);
  };
}

/** A response that no client gets: observers read it, and middleware gets the error itself. */
interface NestedError extends ErrorResponse {
  readonly cause: unknown;
}

function runNested(run: Run): Serve {
  return (call) => {
    const loading = loadedValidator === undefined ? prepare(call) : undefined;
    const outcome = loading === undefined ? run(call) : runAfter(loading, call, run);
    if (!(outcome instanceof Promise)) return toResponse(call, outcome);
    return outcome.then(
      (result) => toResponse(call, result),
      (error: unknown) => toErrorResponse(call, error),
    );
  };
}

const catchErrors: RequestStep = (next) => (call) => {
  try {
    return next(call);
  } catch (error) {
    return toErrorResponse(call, error);
  }
};

const findMethodStep: RequestStep = (next) => (call) => {
  findMethod(call);
  return next(call);
};

function toResponse({ requestId }: Call, result: Outcome): Response {
  return { jsonrpc: '2.0', id: requestId as RequestId, result };
}

function toErrorResponse(call: Call, cause: unknown): NestedError {
  const { requestId } = call;
  const reason = cause instanceof Suspended ? 'Waits for input of the client' : 'Internal error';
  const error = cause instanceof ProtocolError ? cause : new ProtocolError(ErrorCode.InternalError, reason);
  return { jsonrpc: '2.0', id: requestId as RequestId, error: error.toBody(), cause };
}

function toOutcome(response: Response | undefined): Outcome {
  if (response === undefined) return {};
  if ('result' in response) return response.result as Outcome;
  throw (response as NestedError).cause;
}
