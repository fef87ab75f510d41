import type { Client } from '../client/client.ts';
import { connect } from '../client/connect.ts';
import type { Lock } from '../features/contracts/lock.ts';
import { lockServers } from '../features/contracts/read-server.ts';
import { memoryTransport, type Serving } from './memory.ts';

/** Creates a lock of what servers offer now, by names: of connected clients, or of servers of this process. */
export async function createLock(targets: Readonly<Record<string, Client | Serving>>): Promise<Lock> {
  const opened: Client[] = [];
  try {
    const clients: Record<string, Client> = {};
    for (const [name, target] of Object.entries(targets)) {
      if ('handle' in target) opened.push(await connect(memoryTransport(target)));
      const client = 'handle' in target ? (opened.at(-1) as Client) : target;
      Object.defineProperty(clients, name, { value: client, enumerable: true });
    }
    return await lockServers(clients);
  } finally {
    await Promise.all(opened.map((client) => client.close()));
  }
}
