// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { serveHttp } from '@ccmcp/core/http';
import { makeServer } from './server.mjs';

// One endpoint serves every mode; the client's requests make the difference.
await serveHttp(makeServer(), { port: Number(process.argv[2]) });
console.log('ready');
