import { ConnectionError } from '../client/errors.ts';
import type { Receiver, Transport } from '../client/transport.ts';
import { type Message, PreparedResult, type Response } from '../jsonrpc/message.ts';
import { openConversation } from '../server/conversation.ts';
import type { Exchange } from '../server/exchange.ts';

/** Handles messages: a server, or a wrapper around one. */
export interface Serving {
  handle(message: Message, exchange: Exchange): Response | undefined | Promise<Response | undefined>;
}

/** Connects a client and a server in one process. Messages stay objects: nothing is serialized or copied. */
export function memoryTransport(server: Serving): Transport {
  let end = (): void => {};
  let serve: ((message: Message) => void) | undefined;

  async function start(receiver: Receiver): Promise<void> {
    const send = (message: Message): void => {
      if (serve !== undefined) receiver.receive(message);
    };
    const conversation = openConversation({ send, origin: { transport: 'memory' } });
    const deliver = (response: Response | undefined): void => {
      if (response === undefined) return;
      send(read(response));
      conversation.answered(response);
      conversation.exchange.session?.tellRefusals();
    };
    serve = (message) => {
      const reply = server.handle(message, conversation.exchange);
      if (reply instanceof Promise) void reply.then(deliver);
      else deliver(reply);
    };
    end = () => {
      serve = undefined;
      conversation.end(new ConnectionError('The client is gone'));
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
