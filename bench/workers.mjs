// @ts-nocheck: plain JavaScript; the packages are those that were built last.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { takeTurns, writeLoad } from './wrk-load.mjs';

// What more workers give:  node bench/workers.mjs [workers] [rounds] [seconds]
// One process and several take turns under the load of wrk, on the same machine; each round begins with the other one. CPU
// time is that of all processes of a server, the first included, so it is there on Linux only.

const warmUpSeconds = 4;
const modes = ['2026-07-28', 'session'];

const own = process.argv[2] === 'serve';
if (own) await serve(Number(process.argv[3]));
else await compare(...process.argv.slice(2).map(Number));

async function serve(workers) {
  const input = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
  const echo = tool('echo', { input }, ({ message }) => message);
  const server = createServer({ name: 'bench', version: '1.0.0', tools: [echo] });
  // All of the load comes from one address.
  const { url, worker } = await serveHttp(server, { workers, callerShare: 100 });
  if (worker === undefined) console.log(url);
}

async function compare(workers = 2, rounds = 9, seconds = 4) {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-bench-workers-'));
  try {
    for (const mode of modes) await compareIn(mode, { workers, rounds, seconds, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareIn(mode, { workers, rounds, seconds, folder }) {
  const subjects = [await start(1), await start(workers)];
  const found = [];
  try {
    const loads = await Promise.all(subjects.map(({ url }) => writeLoad(mode, url, folder)));
    found.push(...takeTurns(subjects, loads, { rounds, seconds, warmUpSeconds }));
  } finally {
    for (const { child } of subjects) child.kill();
  }
  const median = (of) => found.map(of).sort((one, other) => one - other)[Math.floor(rounds / 2)];
  for (const [index, count] of [1, workers].entries()) {
    const perSecond = Math.round(median((turn) => turn[index].perSecond));
    console.log(
      `${mode}, ${count} serving: ${perSecond} calls/s, ${median((turn) => turn[index].cpuUs).toFixed(1)} µs CPU`,
    );
  }
  const more = median(([one, several]) => several.perSecond / one.perSecond);
  const dearer = median(([one, several]) => several.cpuUs / one.cpuUs);
  console.log(`${mode}: calls/s × ${more.toFixed(2)}, CPU per call × ${dearer.toFixed(2)}, ${rounds} rounds`);
}

async function start(workers) {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'serve', String(workers)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await once(child.stdout, 'data');
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean);
  return { child, url: String(url).trim(), pids: [child.pid, ...children.map(Number)] };
}
