// A server with an extension of its own, beside another server on the same endpoint.
// Run it with: node examples/own-extension/server.js          (stdio)
//          or: node examples/own-extension/server.js --http   (prints its address)
import { createServer, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { tickets } from './tickets.js';

const office = createServer({ name: 'office', version: '1.0.0', extensions: [tickets()] });
const clock = createServer({
  name: 'clock',
  version: '1.0.0',
  tools: [tool('now', {}, () => new Date().toISOString())],
});
const server = compose({ office, clock }, { name: 'town-hall', version: '1.0.0' });

if (process.argv.includes('--http')) {
  const { serveHttp } = await import('@ccmcp/core/http');
  const { url, close } = await serveHttp(server);
  console.log(url);
  process.once('SIGTERM', () => void close());
} else {
  const { serveStdio } = await import('@ccmcp/core/stdio');
  serveStdio(server);
}
