import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { Samples } from './figures.ts';
import { install, versions } from './install.ts';
import { measureAuth } from './measures/auth.ts';
import { measureClients } from './measures/client.ts';
import { measureSessions, measureTools } from './measures/growth.ts';
import { measureHttp } from './measures/http.ts';
import { measureInspector } from './measures/inspector.ts';
import { measureRedis } from './measures/redis.ts';
import { measureSize } from './measures/size.ts';
import { measureTasks } from './measures/tasks.ts';
import { measureFirstCalls, measureOtherNodes, measureStartup } from './measures/startup.ts';
import { measureWatching } from './measures/watching.ts';
import { measureCalls, measureList, measurePayloads } from './measures/stdio.ts';
import { plot } from './report/plot.ts';
import { type Result, resultOf } from './report/result.ts';
import { markdown, terminal, withFigures, withTargets } from './report/table.ts';
import { full, quick } from './settings.ts';

interface Step {
  readonly name: string;
  run(bench: Bench): Promise<void>;
}

const steps: readonly Step[] = [
  { name: 'size', run: measureSize },
  { name: 'start', run: measureStartup },
  { name: 'start-nodes', run: measureOtherNodes },
  { name: 'first', run: measureFirstCalls },
  { name: 'stdio', run: (bench) => measureCalls(bench, 'handshake') },
  { name: 'stdio-2026', run: (bench) => measureCalls(bench, '2026-07-28') },
  { name: 'list', run: measureList },
  { name: 'payload', run: measurePayloads },
  { name: 'http-stateless', run: (bench) => measureHttp(bench, 'stateless') },
  { name: 'http-session', run: (bench) => measureHttp(bench, 'session') },
  { name: 'http-2026', run: (bench) => measureHttp(bench, '2026-07-28') },
  { name: 'watching', run: measureWatching },
  { name: 'redis', run: measureRedis },
  { name: 'tools', run: measureTools },
  { name: 'sessions', run: measureSessions },
  { name: 'tasks', run: measureTasks },
  { name: 'auth', run: measureAuth },
  { name: 'client', run: measureClients },
  { name: 'inspector', run: measureInspector },
];

const flags = ['--quick', '--no-build', '--only'];
const usage = `npm run bench -- [--quick] [--no-build] [--only ${steps.map(({ name }) => name).join('|')}]…`;

/** Runs the benchmark and gives the exit code. Only a whole run that is not a quick one is kept in `results`. */
export async function main(folder: string, args: readonly string[]): Promise<number> {
  const only = args.flatMap((arg, index) => (args[index - 1] === '--only' ? [arg] : []));
  const known = args.every((arg) => flags.includes(arg) || only.includes(arg));
  if (!known || !only.every((name) => steps.some((step) => isIn(step, name)))) {
    process.stderr.write(`Usage: ${usage}\n`);
    return 2;
  }
  const settings = args.includes('--quick') ? quick : full;
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const bench: Bench = { folder, settings, samples: new Samples(), facts: new Map(), say };

  install(folder, { build: !args.includes('--no-build') });
  const started = performance.now();
  for (const { name, run } of steps.filter((step) => only.length === 0 || only.some((name) => isIn(step, name)))) {
    say(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${name}`);
    await run(bench);
  }

  // The digits that are kept are those that pages and picture are made from, so that all say the same.
  const text = JSON.stringify(resultOf(bench, versions(folder)), rounded, 2);
  const result = JSON.parse(text, missing) as Result;
  process.stdout.write(`${terminal(result)}\n`);
  say(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  done`);
  if (only.length > 0 || settings !== full) return 0;
  mkdirSync(join(folder, 'results'), { recursive: true });
  writeFileSync(join(folder, 'results/latest.json'), `${text}\n`);
  writeFileSync(join(folder, 'results/latest.md'), markdown(result));
  writeFileSync(join(folder, 'results/plot.svg'), plot(result));
  rewrite(join(folder, '../docs/performance.md'), (page) => withTargets(page, result));
  rewrite(join(folder, '../README.md'), (page) => withFigures(page, result));
  return 0;
}

/** What pages quote is always of the last whole run. */
function rewrite(path: string, change: (page: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

/** `http` names all steps of HTTP, `http-session` one. */
function isIn({ name }: Step, asked: string): boolean {
  return name === asked || name.startsWith(`${asked}-`);
}

/** JSON has no word for a number that is none. */
function missing(_key: string, value: unknown): unknown {
  return value === null ? Number.NaN : value;
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}
