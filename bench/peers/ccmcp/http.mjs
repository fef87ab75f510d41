// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { serveHttp } from '@ccmcp/core/http';
import { makeServer } from './server.mjs';

// One endpoint serves every mode; the client's requests make the difference.
// All clients of the benchmark come from one address, so they are one caller: it may have all sessions.
const [port, , ...watched] = process.argv.slice(2);
const admin = watched.includes('metrics') ? { admin: {} } : {};
await serveHttp(makeServer(), { port: Number(port), callerShare: 100, ...admin });
console.log('ready');
