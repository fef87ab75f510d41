// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { serveHttp } from '@ccmcp/core/http';
import { makeServer } from './server.mjs';

// One endpoint serves every mode; the client's requests make the difference.
// All clients of the benchmark come from one address, so they are one caller: it may have all sessions.
await serveHttp(makeServer(), { port: Number(process.argv[2]), callerShare: 100 });
console.log('ready');
