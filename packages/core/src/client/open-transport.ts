import { MethodTable } from '../protocol/methods.ts';
import type { Receiver, Transport } from './transport.ts';

/**
 * Starts a transport without a client, for programs that only pass messages on. Opens the stream of the server when a handshake is
 * over, as a client does.
 */
export async function openTransport(
  transport: Transport,
  { receive, warn, closed }: Pick<Receiver, 'receive' | 'warn' | 'closed'>,
): Promise<Pick<Transport, 'send' | 'close'>> {
  await transport.start({
    methods: new MethodTable(),
    receive,
    warn,
    closed,
    sessionLost: () => closed(new Error('The server dropped the session')),
  });
  return {
    send(message) {
      const sent = transport.send(message);
      if (!('method' in message) || message.method !== 'notifications/initialized') return sent;
      return Promise.resolve(sent).then(() => transport.openStream?.());
    },
    close: (graceMs) => transport.close(graceMs),
  };
}
