// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { serveTurns } from '../client-turns.mjs';

serveTurns(async (transport, target, era) => {
  const mode = era === 'handshake' ? 'legacy' : { pin: era };
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode } });
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
