import { ErrorCode, ProtocolError } from '../../../../jsonrpc/errors.ts';
import type { Exchange } from '../../../../server/exchange.ts';
import { endRequests } from '../answer/end-requests.ts';
import type { Endpoint } from './endpoint.ts';

/** Lets the requests of an exchange be ended when the handler is closed, until the function returned is called. */
export function trackRunning(endpoint: Endpoint, { running }: Exchange): () => void {
  const { server } = endpoint;
  const request = {
    close() {
      for (const call of running.values()) if (call.standing) call.close();
    },
    giveUp() {
      const reason = new ProtocolError(ErrorCode.InternalError, 'The server was shut down before the request was done');
      endRequests(server, running, reason);
    },
  };
  endpoint.running.add(request);
  if (endpoint.closing) request.close();
  return () => endpoint.running.delete(request);
}
