import { performance } from 'node:perf_hooks';

// Loaded into a server before its own code: tells when asked its live heap, or how often its event loop has turned.
process.on('message', (question) => {
  if (question === 'turns') {
    // Node 20.18 and 22.8 are the first that count.
    process.send?.({ turns: performance.nodeTiming.uvMetricsInfo?.loopCount ?? null });
    return;
  }
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.({ heapBytes: process.memoryUsage().heapUsed });
});
process.channel?.unref();
