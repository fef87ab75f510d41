import { Client } from './client.ts';
import { Connection } from './connection.ts';
import type { ConnectOptions } from './options.ts';
import type { Transport } from './transport.ts';

/** Connects to a server, whichever era it lives in. */
export async function connect(transport: Transport, options: ConnectOptions = {}): Promise<Client> {
  const connection = new Connection(transport, options);
  await connection.open();
  const client = new Client(connection);
  if (options.logLevel !== undefined && client.capabilities.logging !== undefined) {
    await client.setLogLevel(options.logLevel);
  }
  return client;
}
