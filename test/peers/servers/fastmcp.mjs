// @ts-nocheck -- what this imports is installed only when these tests run
import { createServer } from 'node:net';
import { once } from 'node:events';
import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const server = new FastMCP({ name: 'peer', version: '1.0.0' });
server.addTool({
  name: 'add',
  description: 'Adds',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a + b),
});

async function freePort() {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address();
  holder.close();
  await once(holder, 'close');
  return port;
}

if (process.argv[2] === 'stdio') {
  await server.start({ transportType: 'stdio' });
} else {
  const port = await freePort();
  await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1' } });
  console.log(`http://127.0.0.1:${port}/mcp`);
}
