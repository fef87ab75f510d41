// @ts-nocheck: plain JavaScript; the packages are those that were built last.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, tool } from '@ccmcp/core';
import { memoryStore, serveHttp } from '@ccmcp/core/http';
import { takeTurns, writeLoad } from './wrk-load.mjs';

// What limits cost that instances share:  node bench/limits.mjs [rounds] [seconds]
// Servers with and without a rate limit take turns under the load of wrk, with the store in memory and in the Redis of REDIS_URL.

const [, , first, ...others] = process.argv;
if (first === 'serve') await serve(...others);
else await compare(...[first, ...others].filter(Boolean).map(Number));

async function serve(kind, isLimited) {
  const input = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
  const echo = tool('echo', { input }, ({ message }) => message);
  const server = createServer({ name: 'bench', version: '1.0.0', tools: [echo] });
  // More than can be sent: what is measured is the counting.
  const limited = isLimited === 'on' ? { rateLimit: { calls: 1_000_000 } } : {};
  const { url } = await serveHttp(server, { store: await storeOf(kind), ...limited });
  console.log(url);
}

async function storeOf(kind) {
  if (kind === 'memory') return memoryStore();
  const { redisStore } = await import('@ccmcp/redis');
  const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
  return redisStore({ url, prefix: `bench ${process.pid}` });
}

async function compare(rounds = 9, seconds = 3) {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-bench-limits-'));
  try {
    for (const kind of ['memory', 'redis']) await compareWith(kind, { rounds, seconds, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareWith(kind, { rounds, seconds, folder }) {
  const subjects = [await start(kind, 'off'), await start(kind, 'on')];
  const found = [];
  try {
    const loads = await Promise.all(subjects.map(({ url }) => writeLoad('2026-07-28', url, folder)));
    found.push(...takeTurns(subjects, loads, { rounds, seconds }));
  } finally {
    for (const { child } of subjects) child.kill();
  }
  const median = (of) => found.map(of).sort((one, other) => one - other)[Math.floor(rounds / 2)];
  const share = median(([off, on]) => on.perSecond / off.perSecond);
  const cpu = median(([off, on]) => on.cpuUs / off.cpuUs);
  const [off, on] = [0, 1].map((index) => Math.round(median((turn) => turn[index].perSecond)));
  console.log(
    `${kind}: ${off} calls/s without a rate limit, ${on} with: share ${share.toFixed(3)}, CPU × ${cpu.toFixed(3)}`,
  );
}

async function start(kind, isLimited) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'serve', kind, isLimited], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await once(child.stdout, 'data');
  return { child, url: String(url).trim(), pids: [child.pid] };
}
