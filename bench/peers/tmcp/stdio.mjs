// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { StdioTransport } from '@tmcp/transport-stdio';
import { makeServer } from './server.mjs';

new StdioTransport(makeServer(Number(process.argv[2] ?? 2))).listen();
