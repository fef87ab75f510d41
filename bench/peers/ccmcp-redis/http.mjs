// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { serveHttp } from '@ccmcp/core/http';
import { redisStore } from '@ccmcp/redis';
import { makeServer } from '../ccmcp/server.mjs';

// All clients of the benchmark come from one address, so they are one caller: it may have all sessions.
const store = await redisStore({ url: process.argv[4], mustConnect: true });
await serveHttp(makeServer(), { port: Number(process.argv[2]), callerShare: 100, store });
console.log('ready');
