import { setTimeout as pause } from 'node:timers/promises';
import { createServer, resource, template, tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';

/** A server with default options in its own process, for clients that try to fill its memory. */

const any = { type: 'object', properties: { size: { type: 'integer' } } } as const;

const server = createServer({
  name: 'besieged',
  version: '1.0.0',
  tools: [
    tool('echo', { input: any }, ({ size }) => `${size}`),
    tool('big', { input: any }, ({ size = 0 }) => 'x'.repeat(size)),
    tool('big-later', { input: any }, async ({ size = 0 }) => 'x'.repeat(size)),
    // Never ends, and ignores its signal.
    tool('hang', { input: any }, () => new Promise<string>(() => {})),
    // Uses some megabytes of the heap for a moment.
    tool('greedy', { input: any }, async ({ size = 0 }) => {
      const kept = Array.from({ length: size }, (_, n) => ({ n }));
      await pause(1000);
      return `${kept.length}`;
    }),
    tool('chatty', { input: any }, async ({ size = 0 }, { log }) => {
      for (let each = 0; each < 100; each++) log('error', 'x'.repeat(size));
      return 'said';
    }),
  ],
  resources: [resource('test://one', { name: 'one' }, () => '1')],
  templates: [template('any://{+path}', { name: 'any' }, () => 'x')],
  logger: { level: 'emergency', write: () => {} },
});

const { url } = await serveHttp(server);

async function log({ lines, length }: { lines: number; length: number }): Promise<void> {
  for (let each = 0; each < lines; each++) {
    server.log('error', 'x'.repeat(length));
    if (each % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  process.send?.({ done: true });
}

process.on('message', (order: { lines: number; length: number }) => void log(order));
process.on('disconnect', () => process.exit());
process.send?.({ url });
