// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeServer } from './server.mjs';

serveStdio(() => makeServer(Number(process.argv[2] ?? 2)));
