// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { makeServer } from './server.mjs';

const [, , port, mode] = process.argv;
const transports = new Map();

// Sessions: a server and a transport for each session, found by its id.
async function session(request, response) {
  let transport = transports.get(request.headers['mcp-session-id']);
  if (transport === undefined) {
    transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: true,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await makeServer().connect(transport);
  }
  await transport.handleRequest(request, response);
}

// Everything else goes through the SDK's own entry, which makes a server for each request in both eras.
const perRequest = toNodeHandler(createMcpHandler(() => makeServer()));

const handle = mode === 'session' ? session : perRequest;
createServer((request, response) => void handle(request, response)).listen(Number(port), '127.0.0.1', () =>
  console.log('ready'),
);
