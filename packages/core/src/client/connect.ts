import { Client } from './client.ts';
import { Connection } from './connection/connection.ts';
import type { ConnectOptions } from './connect-options.ts';
import { assertTransport, type Transport } from './transport.ts';
import { ProtocolError } from '../jsonrpc/errors.ts';
import { revisions } from '../revisions/history.ts';

/** The protocol versions that a client supports, newest first: for a version picker. */
export const protocolVersions: readonly { readonly version: string; readonly era: 'handshake' | 'stateless' }[] =
  revisions.map(({ version, era }) => ({ version, era })).toReversed();

/** Connects to a server of either era. */
export async function connect(transport: Transport, options: ConnectOptions = {}): Promise<Client> {
  assertTransport(transport, 'connect');
  const connection = new Connection(transport, options);
  await connection.lifecycle.open();
  const client = new Client(connection);
  if (options.logLevel !== undefined && client.capabilities.logging !== undefined) {
    try {
      await client.setLogLevel(options.logLevel);
    } catch (error) {
      // Some servers declare log messages without levels.
      if (!(error instanceof ProtocolError)) throw error;
      connection.warn(`The server rejected the log level: ${error.message.slice(0, 200)}`);
    }
  }
  return client;
}
