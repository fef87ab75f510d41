// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { dummies } from '../dummies.mjs';

export function makeServer(count = 2) {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool(
    'echo',
    { description: 'Gives the message back', inputSchema: { message: z.string() } },
    ({ message }) => ({ content: [{ type: 'text', text: message }] }),
  );
  server.registerTool(
    'add',
    { description: 'Adds two numbers', inputSchema: { a: z.number(), b: z.number() } },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  );
  for (const { name, description, schema } of dummies(count - 2)) {
    server.registerTool(name, { description, inputSchema: schema.shape }, () => ({
      content: [{ type: 'text', text: 'done' }],
    }));
  }
  return server;
}
