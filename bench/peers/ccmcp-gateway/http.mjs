// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { fileURLToPath } from 'node:url';
import { compose } from '@ccmcp/core/compose';
import { serveHttp } from '@ccmcp/core/http';
import { remote } from '@ccmcp/gateway';

const upstream = fileURLToPath(new URL('../ccmcp/upstream.mjs', import.meta.url));
const bench = remote({ name: 'bench', prefix: '', target: { command: process.execPath, args: [upstream] } });

// All clients of the benchmark have one address: they are one caller, without a quota.
await serveHttp(compose({ bench }, { name: 'gateway', version: '1.0.0' }), {
  port: Number(process.argv[2]),
  callerShare: 100,
});
console.log('ready');
