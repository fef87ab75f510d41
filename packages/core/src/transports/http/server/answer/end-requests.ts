import type { ProtocolError } from '../../../../jsonrpc/errors.ts';
import type { RequestId, Response } from '../../../../jsonrpc/message.ts';
import type { RunningCall } from '../../../../server/exchange.ts';

/** Words an error as the answer to a request. */
export interface Refuser {
  refusal(id: RequestId, error: ProtocolError): Response;
}

/** Answers requests that still run with an error, and tells their handlers to stop. */
export function endRequests(
  server: Refuser,
  running: Iterable<readonly [RequestId, RunningCall]>,
  reason: ProtocolError,
): void {
  for (const [id, call] of Array.from(running)) {
    call.settle(server.refusal(id, reason));
    call.stop(reason);
  }
}
