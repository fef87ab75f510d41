import type { Client } from './client/client.ts';
import { connect as connectClient } from './client/connect.ts';
import type { ConnectOptions as ClientOptions } from './client/connect-options.ts';
import type { Transport } from './client/transport.ts';
import type { LockedServer } from './features/contracts/lock.ts';
import type { HeldBack } from './features/contracts/pin.ts';

/** Options of `connect`: those of the client, and those of features. */
export interface ConnectOptions extends ClientOptions {
  /**
   * The approved definitions of this server: one target of a lock. A definition that differs is held back: it is absent
   * from lists, and a request that uses it is rejected.
   */
  lock?: LockedServer;
  /** Called for each definition that is held back, once per version. Default: a warning. */
  onHeldBack?: (held: HeldBack) => void;
}

/** Connects to a server of either era. */
export async function connect(transport: Transport, options: ConnectOptions = {}): Promise<Client> {
  if (!Object.hasOwn(options, 'lock')) return connectClient(transport, options);
  const { lock, onHeldBack, ...rest } = options;
  const { pinDefinitions, toLockedServer } = await import('./features/contracts/pin.ts');
  const locked = toLockedServer(lock);
  const client = await connectClient(transport, rest);
  try {
    await pinDefinitions(client, { lock: locked, ...(onHeldBack && { onHeldBack }) });
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
