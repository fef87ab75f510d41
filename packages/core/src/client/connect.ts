import { Client } from './client.ts';
import { Conversation } from './connection/connection.ts';
import type { ConnectOptions } from './connect-options.ts';
import type { Transport } from './transport.ts';

/** Connects to a server, whichever era it lives in. */
export async function connect(transport: Transport, options: ConnectOptions = {}): Promise<Client> {
  const conversation = new Conversation(transport, options);
  await conversation.open();
  const client = new Client(conversation);
  if (options.logLevel !== undefined && client.capabilities.logging !== undefined) {
    await client.setLogLevel(options.logLevel);
  }
  return client;
}
