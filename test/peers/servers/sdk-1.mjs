// @ts-nocheck -- what this imports is installed only when these tests run
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { listen } from './listen.mjs';

function create() {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  const input = { a: z.number(), b: z.number() };
  server.registerTool('add', { inputSchema: input, outputSchema: { sum: z.number() } }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
    structuredContent: { sum: a + b },
  }));
  server.registerTool('ask', {}, async () => {
    const { content } = await server.server.elicitInput({
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string', default: 'nobody' } } },
    });
    return { content: [{ type: 'text', text: `Hello, ${String(content?.name)}` }] };
  });
  return server;
}

if (process.argv[2] === 'stdio') {
  await create().connect(new StdioServerTransport());
} else {
  const sessions = new Map();
  listen(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (transport === undefined && request.headers['mcp-session-id'] !== undefined) {
      response.writeHead(404).end();
      return;
    }
    if (transport === undefined) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await create().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
}
