// @ts-nocheck -- what this imports is installed only when these tests run
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { listen } from './listen.mjs';

function create() {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  const inputSchema = z.object({ a: z.number(), b: z.number() });
  const outputSchema = z.object({ sum: z.number() });
  server.registerTool('add', { inputSchema, outputSchema }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
    structuredContent: { sum: a + b },
  }));
  return server;
}

if (process.argv[2] === 'stdio') serveStdio(create);
else listen(toNodeHandler(createMcpHandler(create)));
