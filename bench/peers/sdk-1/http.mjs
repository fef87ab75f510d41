// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { makeServer } from './server.mjs';

const [, , port, mode] = process.argv;
const transports = new Map();

// Stateless: a server and a transport for each request, as the SDK's examples have it.
async function stateless(request, response) {
  const server = makeServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

// Sessions: a server and a transport for each session, found by its id.
async function session(request, response) {
  let transport = transports.get(request.headers['mcp-session-id']);
  if (transport === undefined) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: true,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await makeServer().connect(transport);
  }
  await transport.handleRequest(request, response);
}

const handle = mode === 'session' ? session : stateless;
createServer((request, response) => void handle(request, response)).listen(Number(port), '127.0.0.1', () =>
  console.log('ready'),
);
