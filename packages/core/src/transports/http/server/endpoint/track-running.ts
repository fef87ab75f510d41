import { ErrorCode, ProtocolError } from '../../../../jsonrpc/errors.ts';
import type { Peer } from '../../../../server/peer.ts';
import { endRequests } from '../answer/end-requests.ts';
import type { Endpoint, RunningRequest } from './endpoint.ts';

/** Lets graceful shutdown end the requests of a peer. Returns the function that stops that. */
export function trackRunning(endpoint: Endpoint, { running }: Peer): () => void {
  const { server } = endpoint;
  const request: RunningRequest = {
    close() {
      for (const call of running.values()) if (call.longLived) call.close();
    },
    abort() {
      const reason = new ProtocolError(ErrorCode.InternalError, 'The server was shut down before the request was done');
      endRequests(server, running, reason);
    },
  };
  endpoint.running.add(request);
  if (endpoint.closing) request.close();
  return () => endpoint.running.delete(request);
}
