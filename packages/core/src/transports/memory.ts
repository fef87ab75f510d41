import { ConnectionError } from '../client/errors.ts';
import type { Receiver, Transport } from '../client/transport.ts';
import { type Message, PreparedResult, type Response } from '../jsonrpc/message.ts';
import { connectionUsage } from '../features/quotas/quota.ts';
import { openClientConnection } from '../server/client-connection.ts';
import type { Peer } from '../server/peer.ts';

/** Handles messages: a server, or a wrapper around one. */
export interface Serving {
  handle(message: Message, peer: Peer): Response | undefined | Promise<Response | undefined>;
}

/** Connects a client and a server in one process. Messages stay objects: nothing is serialized or copied. */
export function memoryTransport(server: Serving): Transport {
  if (typeof (server as Partial<Serving> | undefined)?.handle !== 'function') {
    throw new TypeError('memoryTransport needs a server, as createServer returns it');
  }
  let end = (): void => {};
  let serve: ((message: Message) => void) | undefined;

  async function start(receiver: Receiver): Promise<void> {
    const send = (message: Message): void => {
      if (serve !== undefined) receiver.receive(message);
    };
    const client = openClientConnection({ send, origin: { transport: 'memory' }, usage: connectionUsage() });
    const deliver = (response: Response | undefined): void => {
      if (response === undefined) return;
      send(read(response));
      client.answered(response);
      client.peer.session?.sendRejections();
    };
    serve = (message) => {
      const reply = server.handle(message, client.peer);
      if (reply instanceof Promise) void reply.then(deliver);
      else deliver(reply);
    };
    end = () => {
      serve = undefined;
      client.end(new ConnectionError('The client disconnected'));
    };
  }

  return {
    streamPerRequest: false,
    kind: 'memory',
    start,
    send(message) {
      // As with any other transport, `send` returns before an answer arrives.
      queueMicrotask(() => serve?.(message));
      return undefined;
    },
    async close() {
      end();
    },
  };
}

/** Parses a list that the server cached as text. */
function read(response: Response): Response {
  if (!('result' in response) || !(response.result instanceof PreparedResult)) return response;
  return { ...response, result: JSON.parse(response.result.text) as object };
}
