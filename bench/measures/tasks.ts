import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { type Bench, takeTurns, within } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { findLoader } from '../clients/load.ts';
import { TaskClients } from '../clients/tasks.ts';
import { taskFloor, taskName, taskSubjects } from '../subjects.ts';
import { freePort, measureLoaded, type Serving, serve, stop, tell } from './http.ts';
import { type OwnRedis, startRedis } from './redis.ts';

const connections = 50;
/** So often both servers are started for the calls of a plain tool. */
const pairs = 8;
/** And so many turns has each in one process. */
const turnsPerProcess = 40;
/** How many are made in a turn; three calls of a plain tool for each are its measure. */
const perTurn = 1000;
const waiting = 10_000;
/** Made before: code that is compiled meanwhile is none of what a task takes. */
const waitingBefore = 2000;
/** What one instance says of itself at intervals is shared among so many. */
const counted = 300;

/** What tasks cost: a plain call beside them, a task from its beginning to its result, commands to Redis, and memory. */
export async function measureTasks(bench: Bench): Promise<void> {
  await measurePlainCalls(bench);
  await measureInOneProcess(bench);
  await measureWork(bench);
  await measureWaiting(bench);
  const redis = await startRedis();
  if (redis === undefined) return bench.say('        no redis-server on the PATH: commands are not counted');
  try {
    await measureCommands(bench, redis);
  } finally {
    redis.end();
  }
}

/**
 * Two processes that do the same are never equally fast: each compiles its code in its own way. So there are several of each,
 * and short turns.
 */
async function measurePlainCalls(bench: Bench): Promise<void> {
  const { folder, settings } = bench;
  const loader = await findLoader(folder);
  for (let pair = 0; pair < pairs; pair++) {
    const servers: Serving[] = [];
    try {
      for (const subject of taskSubjects) {
        const served = await within(subject.name, serve(folder, subject, { mode: '2026-07-28', connections }));
        servers.push({ ...served, subject });
      }
      const { rounds } = settings;
      const turns = { ...bench, settings: { ...settings, loadSeconds: 1 } };
      await measureLoaded(turns, servers, { measure: 'tasks beside', loader, connections, from: pair * rounds });
    } finally {
      await Promise.all(servers.map((served) => stop(served)));
    }
  }
}

/** The same in one process and by its CPU time, which others on the machine hardly change. */
async function measureInOneProcess({ folder, samples }: Bench): Promise<void> {
  const program = join(folder, 'peers/ccmcp/beside.mjs');
  for (let pair = 0; pair < pairs; pair++) {
    const child = start([program, String(turnsPerProcess), pair % 2 === 0 ? 'tasks' : 'plain']);
    const turns = JSON.parse(await within('plain calls', text(child.stdout))) as { tasks: number; plain: number }[];
    for (const [index, { tasks, plain }] of turns.entries()) {
      const sample = { measure: 'tasks beside, in process', round: pair * turnsPerProcess + index };
      samples.add({ ...sample, subject: 'ccmcp, tasks', values: { cpuUs: tasks } });
      samples.add({ ...sample, subject: 'ccmcp', values: { cpuUs: plain } });
    }
  }
}

async function measureWork(bench: Bench): Promise<void> {
  const { settings, samples } = bench;
  await withTasks(bench, 'memory', async (child, clients) => {
    const kinds = [
      { subject: taskFloor, make: () => clients.call(3 * perTurn) },
      { subject: taskName, make: () => clients.work(perTurn) },
    ];
    for (const { make } of [...kinds, ...kinds]) await make();
    await takeTurns(settings.rounds, kinds, async ({ subject, make }, round) => {
      const before = child.cpuMs();
      await within(subject, make());
      const cpuUs = ((child.cpuMs() - before) * 1000) / perTurn;
      samples.add({ measure: 'tasks work', subject, round, values: { cpuUs } });
    });
  });
}

async function measureWaiting(bench: Bench): Promise<void> {
  await withTasks(bench, 'memory', async (child, clients) => {
    await clients.call(200);
    await clients.work(200);
    await clients.wait(waitingBefore);
    const before = await heapBytes(child);
    await within('waiting tasks', clients.wait(waiting));
    const bytes = ((await heapBytes(child)) - before) / waiting;
    bench.samples.add({ measure: 'tasks waiting', subject: taskName, round: 0, values: { bytes } });
  });
}

async function measureCommands(bench: Bench, redis: OwnRedis): Promise<void> {
  await withTasks(bench, redis.url, async (_, clients) => {
    await clients.work(50);
    const stop = await redis.countCommands();
    await within('tasks in Redis', clients.work(counted));
    const values = { commands: (await stop()) / counted };
    bench.samples.add({ measure: 'tasks redis', subject: taskName, round: 0, values });
  });
}

async function withTasks(
  { folder }: Bench,
  where: string,
  use: (child: Child, clients: TaskClients) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const probe = pathToFileURL(join(folder, 'probe.mjs')).href;
  const program = join(folder, 'peers/ccmcp/tasks.mjs');
  const child = start(['--expose-gc', '--import', probe, program, String(port), where], { ipc: true });
  const clients = new TaskClients(port);
  try {
    await within('tasks', once(createInterface({ input: child.stdout }), 'line'));
    await use(child, clients);
  } finally {
    clients.close();
    await child.end();
  }
}

async function heapBytes(child: Child): Promise<number> {
  return ((await tell(child, 'heap')) as { heapBytes: number }).heapBytes;
}
