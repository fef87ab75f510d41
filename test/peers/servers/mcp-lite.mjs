// @ts-nocheck -- what this imports is installed only when these tests run
import { toNodeHandler } from '@modelcontextprotocol/node';
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from 'mcp-lite';
import { z } from 'zod';
import { listen } from './listen.mjs';

const server = new McpServer({ name: 'peer', version: '1.0.0', schemaAdapter: (schema) => z.toJSONSchema(schema) });
server.tool('add', {
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
  handler: ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }),
});
const sessionAdapter = new InMemorySessionAdapter({ maxEventBufferSize: 100 });
const transport = new StreamableHttpTransport({ sessionAdapter });
listen(toNodeHandler({ fetch: transport.bind(server) }));
