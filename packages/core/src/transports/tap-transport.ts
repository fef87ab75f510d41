import { assertTransport, type Transport } from '../client/transport.ts';
import type { Message } from '../jsonrpc/message.ts';

/** The sender of a message. */
export type Sender = 'client' | 'server';

/** Wraps a transport so that `see` gets every message. */
export function tapTransport(transport: Transport, see: (sender: Sender, message: Message) => void): Transport {
  assertTransport(transport, 'tapTransport');
  const { only, endpoint, kind } = transport;
  return {
    streamPerRequest: transport.streamPerRequest,
    ...(only !== undefined && { only }),
    ...(endpoint !== undefined && { endpoint }),
    ...(kind !== undefined && { kind }),
    start: (receiver) =>
      transport.start({
        methods: receiver.methods,
        receive(message) {
          see('server', message);
          receiver.receive(message);
        },
        warn: (text) => receiver.warn(text),
        sessionLost: () => receiver.sessionLost(),
        closed: (reason) => receiver.closed(reason),
      }),
    send(message) {
      see('client', message);
      return transport.send(message);
    },
    close: (graceMs) => transport.close(graceMs),
    ...(transport.abandon && { abandon: (id) => transport.abandon?.(id) }),
    ...(transport.openStream && { openStream: async () => transport.openStream?.() }),
    ...(transport.session && { session: () => transport.session?.() }),
    ...(transport.diagnostics && { diagnostics: () => transport.diagnostics?.() }),
  };
}
