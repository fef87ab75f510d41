// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { createServer, tool } from '@ccmcp/core';
import { memoryStore, serveHttp } from '@ccmcp/core/http';
import { tasks } from '@ccmcp/core/tasks';

// Serves tools that run as tasks:  node tasks.mjs PORT memory|REDIS_URL

const [port, where] = process.argv.slice(2);
const input = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
const server = createServer({
  name: 'bench',
  version: '1.0.0',
  // More than are made: what is measured is the work.
  extensions: [tasks({ maxPerCaller: 1_000_000, maxInAll: 1_000_000, maxRunning: 1_000_000 })],
  tools: [
    tool('echo', { input }, ({ message }) => message),
    tool('work', { input, task: 'optional', ttlMs: 20_000 }, ({ message }) => message),
    tool(
      'wait',
      { input, task: 'optional' },
      (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
    ),
  ],
});
await serveHttp(server, { port: Number(port), callerShare: 100, store: await storeOf() });
console.log('ready');

async function storeOf() {
  if (where === 'memory') return memoryStore();
  const { redisStore } = await import('@ccmcp/redis');
  return redisStore({ url: where, mustConnect: true });
}
