// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { apiKey, serveHttp } from '@ccmcp/core/http';
import { makeServer } from './server.mjs';

// node http.mjs PORT MODE FEATURE…: metrics, audit=FILE, inspector, tasks, redis=URL, limited, workers=N, keys=A,B, busy, listed=N
const [port, , ...features] = process.argv.slice(2);
const on = Object.fromEntries(features.map((each) => each.split(/=(.*)/, 2)));

const server = makeServer(Number(on.listed ?? 2), 'tasks' in on ? await withTasks() : {});
if ('busy' in on) server.use((_, next) => compute(0.5) ?? next());
if ('audit' in on) {
  const { audit } = await import('@ccmcp/core/audit');
  server.observe(audit({ file: on.audit, keep: 1 }));
}
const { worker } = await serveHttp(server, {
  port: Number(port),
  // All clients of the benchmark have one address: they are one caller, without a quota.
  callerShare: 'keys' in on ? 25 : 100,
  inspector: 'inspector' in on,
  ...('metrics' in on && { admin: {} }),
  ...('redis' in on && { store: await redis() }),
  // Above any possible rate: the cost of counting is measured.
  ...('limited' in on && { rateLimit: { calls: 1_000_000 } }),
  ...('workers' in on && { workers: Number(on.workers) }),
  ...('keys' in on && { auth: apiKey({ keys: on.keys.split(',') }) }),
});
if (worker === undefined) console.log('ready');

async function withTasks() {
  const [{ tasks }, { tool }] = await Promise.all([import('@ccmcp/core/tasks'), import('@ccmcp/core')]);
  const input = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
  const waitForAbort = (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve));
  return {
    // Above any possible number: the cost of the work is measured.
    extensions: [tasks({ maxPerCaller: 1_000_000, maxInAll: 1_000_000, maxRunning: 1_000_000 })],
    tools: [
      tool('work', { input, task: 'optional', ttlMs: 20_000 }, ({ message }) => message),
      tool('wait', { input, task: 'optional' }, waitForAbort),
    ],
  };
}

function compute(ms) {
  for (const end = performance.now() + ms; performance.now() < end; );
}

async function redis() {
  const { redisStore } = await import('@ccmcp/redis');
  return redisStore({ url: on.redis, mustConnect: true });
}
