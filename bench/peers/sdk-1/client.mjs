// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serveTurns } from '../client-turns.mjs';

serveTurns(async (transport, target) => {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(
    transport === 'http'
      ? new StreamableHTTPClientTransport(new URL(target))
      : new StdioClientTransport({ command: process.execPath, args: [target] }),
  );
  return {
    call: (message) => client.callTool({ name: 'echo', arguments: { message } }),
    close: () => client.close(),
  };
});
