import { readdirSync } from 'node:fs';
import { serveHttp } from '@ccmcp/core/http';
import { testServer } from '../../packages/core/src/transports/http/server/fixtures/server.ts';
import { engineOf } from '../../packages/core/src/server/server-handle.ts';

/** A server in its own process, so that its cost can be distinguished from that of its clients. */

export type Order = { kind: 'usage' } | { kind: 'update'; uri: string; times: number };

export interface Usage {
  /** Bytes of live memory after a garbage collection. */
  memory: number;
  /** Open files and sockets. */
  descriptors: number;
  listeners: number;
}

const { server } = testServer();
const { url } = await serveHttp(server, { maxBody: 4 * 1024 * 1024, callerShare: 100 });

function usage(): Usage {
  globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return {
    memory: heapUsed + external + arrayBuffers,
    descriptors: readdirSync('/proc/self/fd').length,
    listeners: engineOf(server).feed.size,
  };
}

async function obey(order: Order): Promise<void> {
  if (order.kind === 'update') {
    for (let each = 0; each < order.times; each++) {
      server.resources.updated(order.uri);
      // Changes of one turn are sent once.
      await Promise.resolve();
      if (each % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  process.send?.(usage());
}

process.on('message', (order: Order) => void obey(order));
process.on('disconnect', () => process.exit());
process.send?.({ url });
