// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { serveStdio } from '@ccmcp/core/stdio';
import { makeServer } from './server.mjs';

serveStdio(makeServer(Number(process.argv[2] ?? 2)), { maxMessage: 16 * 1024 * 1024 });
