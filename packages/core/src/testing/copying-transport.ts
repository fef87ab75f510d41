import type { Transport } from '../client/transport.ts';
import type { Message } from '../jsonrpc/message.ts';

/**
 * Makes a transport in memory behave like one between processes: each side gets a copy of what JSON can carry, and
 * nothing arrives before the sender has gone on.
 */
export function written(transport: Transport): Transport {
  return {
    ...transport,
    start: (receiver) =>
      transport.start({
        methods: receiver.methods,
        receive: (message) => receiver.receive(copy(message)),
        warn: (text) => receiver.warn(text),
        sessionLost: () => receiver.sessionLost(),
        closed: (reason) => receiver.closed(reason),
      }),
    send(message) {
      const sent = copy(message);
      queueMicrotask(() => void transport.send(sent));
      return undefined;
    },
  };
}

function copy(message: Message): Message {
  return JSON.parse(JSON.stringify(message)) as Message;
}
