import type { Response } from '../../jsonrpc/message.ts';
import type { Call } from '../call/call.ts';
import { logRejection } from '../log/log-rejection.ts';
import type { RequestStep } from './step.ts';

/** The response to a request that is rejected before middleware. */
export function reject(call: Call, error: unknown): Response {
  const { host, peer, received, caller } = call;
  const response = call.fail(error);
  logRejection(host, response, peer, { message: received, call: caller === undefined ? undefined : call });
  return response;
}

/** Converts an error of an inner step to an error response. */
export const rejectOnError: RequestStep = (next) => (call) => {
  try {
    return next(call);
  } catch (error) {
    return reject(call, error);
  }
};
