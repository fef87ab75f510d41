// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from 'mcp-lite';
import { z } from 'zod';

const [, , port, mode] = process.argv;

const server = new McpServer({
  name: 'bench',
  version: '1.0.0',
  schemaAdapter: (schema) => z.toJSONSchema(schema),
});
server.tool('echo', {
  description: 'Gives the message back',
  inputSchema: z.object({ message: z.string() }),
  handler: ({ message }) => ({ content: [{ type: 'text', text: message }] }),
});
server.tool('add', {
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  handler: ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
});

const transport = new StreamableHttpTransport(
  mode === 'session' ? { sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1024 }) } : {},
);
const handle = transport.bind(server);

const app = new Hono();
app.all('/mcp', (context) => handle(context.req.raw));
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' }, () => console.log('ready'));
