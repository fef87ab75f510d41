import type { IncomingMessage, Server as NodeServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '../../../../limits.ts';
import { nodeHttp } from '../../../node-http.ts';

/** The headers of a request, in bytes. */
const maxHeaders = 32 * 1024;

/** Timeouts of clients, in milliseconds. Responses have none. */
export interface HttpTimeouts {
  /** For the headers of a request. Default: 10 000. */
  headersMs?: number;
  /** For the whole request. Default: 20 000. */
  requestMs?: number;
  /** Between two requests on one connection. Default: 15 000. */
  idleMs?: number;
}

/** Creates a server of `node:http` with timeouts. */
export async function makeListener(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  timeouts: HttpTimeouts = {},
): Promise<NodeServer> {
  const { createServer } = await nodeHttp();
  return createServer(nodeOptions(timeouts), handle);
}

function nodeOptions(timeouts: HttpTimeouts): object {
  const { headersMs = limits.http.headersMs.value, requestMs = limits.http.requestMs.value } = timeouts;
  return {
    // Node refuses to start where headers may take longer than all.
    headersTimeout: Math.min(headersMs, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: timeouts.idleMs ?? limits.http.idleMs.value,
    connectionsCheckingInterval: Math.min(2000, headersMs / 2, requestMs / 2),
    maxHeaderSize: maxHeaders,
  };
}

/** Listens. Returns the port. */
export function listen(http: NodeServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      resolve((http.address() as AddressInfo).port);
    });
  });
}
