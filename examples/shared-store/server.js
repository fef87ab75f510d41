// Two processes serve the same sessions at one address: whichever of them a request reaches knows its session.
// Run it with: node examples/shared-store/server.js [port]
import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { createServer, tool } from '@ccmcp/core';
import { memoryStore, serveHttp } from '@ccmcp/core/http';
import { borrowStore, lendStore } from './store.js';

/**
 * A line to another process of the cluster.
 * @param {import('node:cluster').Worker | NodeJS.Process} other
 * @returns {import('./store.js').Line}
 */
function lineTo(other) {
  return {
    send: (text) => void other.send?.(text, undefined),
    onMessage: (listener) => void other.on('message', listener),
    close: () => {},
  };
}

if (cluster.isPrimary) {
  const data = memoryStore();
  // Both processes need the same secret: one verifies what the other has signed.
  const STATE_SECRET = randomBytes(32).toString('hex');
  for (let each = 0; each < 2; each += 1) {
    const worker = cluster.fork({ STATE_SECRET });
    const end = lendStore(data, lineTo(worker));
    worker.on('exit', end);
  }
} else {
  const who = tool('who', { description: 'Tell which process answers' }, () => `process ${process.pid}`);
  const stateSecret = Buffer.from(process.env.STATE_SECRET ?? '', 'hex');
  const server = createServer({ name: 'shared', version: '1.0.0', tools: [who], stateSecret });
  const store = borrowStore(lineTo(process));
  const { url } = await serveHttp(server, { store, port: Number(process.argv[2] ?? 0) });
  console.log(url);
}
