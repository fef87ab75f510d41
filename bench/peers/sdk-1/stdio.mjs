// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { makeServer } from './server.mjs';

await makeServer(Number(process.argv[2] ?? 2)).connect(new StdioServerTransport());
