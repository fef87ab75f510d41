// Other servers, of any revision and over any transport, as parts of one.
import { createServer, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { serveStdio } from '@ccmcp/core/stdio';
import { remote } from '@ccmcp/gateway';

const greet = { command: process.execPath, args: [new URL('../greet/server.js', import.meta.url).pathname] };
const clock = tool('now', { description: 'The time' }, () => new Date().toISOString());
const own = createServer({ name: 'own', version: '1.0.0', tools: [clock] });

const gateway = compose(
  { greet: remote({ name: 'greet', target: greet }), own },
  { name: 'gateway', version: '1.0.0' },
);
serveStdio(gateway);
