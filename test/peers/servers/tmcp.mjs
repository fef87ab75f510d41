// @ts-nocheck -- what this imports is installed only when these tests run
import { toNodeHandler } from '@modelcontextprotocol/node';
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { HttpTransport } from '@tmcp/transport-http';
import { StdioTransport } from '@tmcp/transport-stdio';
import { McpServer } from 'tmcp';
import { z } from 'zod';
import { listen } from './listen.mjs';

const server = new McpServer(
  { name: 'peer', version: '1.0.0' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } },
);
server.tool(
  {
    name: 'add',
    description: 'Adds',
    schema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
  },
  ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }),
);

if (process.argv[2] === 'stdio') {
  new StdioTransport(server).listen();
} else {
  const transport = new HttpTransport(server, { path: '/mcp' });
  listen(
    toNodeHandler({
      fetch: async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
    }),
  );
}
