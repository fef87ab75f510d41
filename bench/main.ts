import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { Samples } from './figures.ts';
import { install, versions } from './install.ts';
import { measureAuth } from './measures/auth.ts';
import { measureClients } from './measures/client.ts';
import { measureFairness } from './measures/fairness.ts';
import { measureGateway } from './measures/gateway.ts';
import { measureGatewayPeers } from './measures/gateway-peers.ts';
import { measureManyUpstreams } from './measures/gateway-upstreams.ts';
import { measureSessions, measureTools } from './measures/growth.ts';
import { measureHttp, measureWatching, measureWorkers } from './measures/http.ts';
import { measureInspector } from './measures/inspector.ts';
import { measureLimits, measureRedis } from './measures/redis.ts';
import { measureSize } from './measures/size.ts';
import { measureFirstCalls, measureOtherNodes, measureStartup } from './measures/startup.ts';
import { measureCalls, measureList, measurePayloads } from './measures/stdio.ts';
import { measureTasks } from './measures/tasks.ts';
import { measureMiddleware } from './measures/middleware.ts';
import { plot } from './report/plot.ts';
import { type Result, resultOf } from './report/result.ts';
import { markdown, terminal, withFigures, withTargets } from './report/table.ts';
import { full, quick } from './settings.ts';

/** All measurements by the name that `--only` takes; `http` selects all of `http-…`. */
const steps: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  size: measureSize,
  start: measureStartup,
  'start-nodes': measureOtherNodes,
  first: measureFirstCalls,
  stdio: (bench) => measureCalls(bench, 'handshake'),
  'stdio-2026': (bench) => measureCalls(bench, '2026-07-28'),
  list: measureList,
  payload: measurePayloads,
  'http-stateless': (bench) => measureHttp(bench, 'stateless'),
  'http-session': (bench) => measureHttp(bench, 'session'),
  'http-2026': (bench) => measureHttp(bench, '2026-07-28'),
  watching: measureWatching,
  workers: measureWorkers,
  fairness: measureFairness,
  redis: measureRedis,
  limits: measureLimits,
  tools: measureTools,
  sessions: measureSessions,
  tasks: measureTasks,
  middleware: measureMiddleware,
  auth: measureAuth,
  client: measureClients,
  gateway: measureGateway,
  'gateway-upstreams': measureManyUpstreams,
  'gateway-peers': measureGatewayPeers,
  inspector: measureInspector,
};

const flags = ['--quick', '--no-build', '--only'];
const usage = `npm run bench -- [--quick] [--no-build] [--only ${Object.keys(steps).join('|')}]…`;

/** Runs the benchmark and returns the exit code. Only a whole, full run is stored in `results`. */
export async function main(folder: string, args: readonly string[]): Promise<number> {
  const only = args.flatMap((arg, index) => (args[index - 1] === '--only' ? [arg] : []));
  const selects = (asked: string, name: string): boolean => name === asked || name.startsWith(`${asked}-`);
  const known = args.every((arg) => flags.includes(arg) || only.includes(arg));
  if (!known || !only.every((asked) => Object.keys(steps).some((name) => selects(asked, name)))) {
    process.stderr.write(`Usage: ${usage}\n`);
    return 2;
  }
  const settings = args.includes('--quick') ? quick : full;
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const bench: Bench = { folder, settings, samples: new Samples(), facts: new Map(), say };

  install(folder, { build: !args.includes('--no-build') });
  const started = performance.now();
  const sayTime = (text: string): void =>
    say(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);
  for (const [name, run] of Object.entries(steps)) {
    if (only.length > 0 && !only.some((asked) => selects(asked, name))) continue;
    sayTime(name);
    await run(bench);
  }

  // Pages and the plot are made from the stored digits, so that all show the same.
  const text = toJson(resultOf(bench, versions(folder)));
  const result = JSON.parse(text, restoreNaN) as Result;
  process.stdout.write(`${terminal(result)}\n`);
  sayTime('done');
  if (only.length > 0 || settings !== full) return 0;
  mkdirSync(join(folder, 'results'), { recursive: true });
  writeFileSync(join(folder, 'results/latest.json'), text);
  writeFileSync(join(folder, 'results/latest.md'), markdown(result));
  writeFileSync(join(folder, 'results/plot.svg'), plot(result));
  rewrite(join(folder, '../docs/performance.md'), (page) => withTargets(page, result));
  rewrite(join(folder, '../README.md'), (page) => withFigures(page, result));
  return 0;
}

function rewrite(path: string, change: (page: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

/** One line per table and per target. */
function toJson({ measures, targets, ...head }: Result): string {
  const lines = (list: readonly unknown[]): string =>
    list.map((each) => `\n    ${JSON.stringify(each, round)}`).join(',');
  const start = JSON.stringify(head, round, 2).slice(0, -2);
  return `${start},\n  "measures": [${lines(measures)}\n  ],\n  "targets": [${lines(targets)}\n  ]\n}\n`;
}

function round(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}

function restoreNaN(_key: string, value: unknown): unknown {
  return value === null ? Number.NaN : value;
}
