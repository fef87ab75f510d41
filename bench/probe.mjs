import { performance } from 'node:perf_hooks';

// Loaded into a server before its own code: reports its live heap, or how often its event loop has turned.
process.on('message', (question) => {
  // Node 20.18 and 22.8 are the first versions that count turns.
  if (question === 'turns') process.send?.({ turns: performance.nodeTiming.uvMetricsInfo?.loopCount });
  if (question !== 'heap') return;
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.({ heapBytes: process.memoryUsage().heapUsed });
});
// A worker needs its channel.
if (!process.argv.some((each) => each.startsWith('workers='))) process.channel?.unref();
