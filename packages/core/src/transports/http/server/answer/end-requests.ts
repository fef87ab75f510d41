import type { ProtocolError } from '../../../../jsonrpc/errors.ts';
import type { RequestId, Response } from '../../../../jsonrpc/message.ts';
import type { RunningCall } from '../../../../server/peer.ts';

/** Makes the error response to a request. */
export interface ErrorResponder {
  errorResponse(id: RequestId, error: ProtocolError): Response;
}

/** Answers running requests with an error and aborts their handlers. */
export function endRequests(
  server: ErrorResponder,
  running: Iterable<readonly [RequestId, RunningCall]>,
  reason: ProtocolError,
): void {
  for (const [id, call] of Array.from(running)) {
    call.complete(server.errorResponse(id, reason));
    call.stop(reason);
  }
}
