// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { serve } from '@hono/node-server';
import { HttpTransport } from '@tmcp/transport-http';
import { makeServer } from './server.mjs';

// One endpoint serves sessions and 2026-07-28; the client's requests make the difference.
const transport = new HttpTransport(makeServer(), { path: '/mcp' });

async function fetch(request) {
  return (await transport.respond(request)) ?? new Response(null, { status: 404 });
}

serve({ fetch, port: Number(process.argv[2]), hostname: '127.0.0.1' }, () => console.log('ready'));
