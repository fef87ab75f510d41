// Loaded into a server before its own code: tells its live heap when asked.
process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.({ heapBytes: process.memoryUsage().heapUsed });
});
process.channel?.unref();
