// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { fileURLToPath } from 'node:url';
import { compose } from '@ccmcp/core/compose';
import { remote } from '@ccmcp/gateway';

// node many.mjs PORT MODE idle: 50 upstreams, none started, on stdio
// node many.mjs PORT MODE listed: 50 upstreams with 40 tools each
// node many.mjs PORT MODE connected COUNT URL: so many upstreams at this address, each with a connection
const [port, , what, count = '50', url] = process.argv.slice(2);
const upstream = fileURLToPath(new URL('../ccmcp/upstream.mjs', import.meta.url));

const targetOf = {
  idle: () => ({ command: process.execPath, args: [upstream] }),
  listed: await servers(),
  connected: () => ({ url }),
}[what];
const parts = Array.from({ length: Number(count) }, (_, index) => {
  const name = `up${index}`;
  return [name, remote({ name, target: targetOf(), idleMs: Number.POSITIVE_INFINITY, listWaitMs: 60_000 })];
});
const gateway = compose(Object.fromEntries(parts), { name: 'gateway', version: '1.0.0' });

if (what === 'idle') {
  const { serveStdio } = await import('@ccmcp/core/stdio');
  serveStdio(gateway);
} else {
  const { serveHttp } = await import('@ccmcp/core/http');
  await serveHttp(gateway, { port: Number(port), callerShare: 100 });
  console.log('ready');
}

async function servers() {
  if (what !== 'listed') return undefined;
  const { makeServer } = await import('../ccmcp/server.mjs');
  return () => ({ server: makeServer(40) });
}
