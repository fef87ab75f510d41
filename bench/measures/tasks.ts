import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Bench, takeTurns, withTimeout } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { TaskClients } from '../clients/tasks.ts';
import { heapBytes, loadInTurns, withHttpServers } from '../http-server.ts';
import { ours, taskFloor, taskName, tasksName, variant } from '../subjects.ts';
import { withRedis } from './redis.ts';

/** Two processes with the same code differ in speed, so several pairs of processes are measured. */
const pairs = 8;
const turnsPerProcess = 40;
const tasksPerTurn = 1000;
const waiting = 10_000;
/** Tasks before the measured ones: the memory of compiled code is not part of a task's. */
const waitingBefore = 2000;
const counted = 300;

/** The cost of tasks: a plain call beside them, a task from start to result, its memory, and its Redis commands. */
export async function measureTasks(bench: Bench): Promise<void> {
  for (let pair = 0; pair < pairs; pair++) {
    const from = pair * bench.settings.rounds;
    await withHttpServers(bench, [variant(ours), variant(tasksName, 'tasks')], {}, (servers) =>
      loadInTurns(bench, servers, { measure: 'tasks beside', seconds: 1, from }),
    );
  }
  await measureInOneProcess(bench);
  await withTasks(bench, [], (child, clients) => measureWork(bench, child, clients));
  await withTasks(bench, [], (child, clients) => measureWaiting(bench, child, clients));
  await withRedis(bench, ({ url, countCommands }) =>
    withTasks(bench, [`redis=${url}`], async (_, clients) => {
      await clients.work(50);
      const stop = await countCommands();
      await withTimeout('tasks in Redis', clients.work(counted));
      const values = { commands: (await stop()) / counted };
      bench.samples.add({ measure: 'tasks redis', subject: taskName, round: 0, values });
    }),
  );
}

/** Plain calls without sockets, by CPU time, which other processes hardly change. */
async function measureInOneProcess({ folder, samples }: Bench): Promise<void> {
  for (let pair = 0; pair < pairs; pair++) {
    const first = pair % 2 === 0 ? 'tasks' : 'plain';
    const child = start([join(folder, 'peers/ccmcp/beside.mjs'), String(turnsPerProcess), first]);
    const turns = JSON.parse(await withTimeout('plain calls', text(child.stdout))) as {
      tasks: number;
      plain: number;
    }[];
    for (const [index, { tasks, plain }] of turns.entries()) {
      const sample = { measure: 'tasks beside, in process', round: pair * turnsPerProcess + index };
      samples.add({ ...sample, subject: tasksName, values: { cpuUs: tasks } });
      samples.add({ ...sample, subject: ours, values: { cpuUs: plain } });
    }
  }
}

async function measureWork({ settings, samples }: Bench, child: Child, clients: TaskClients): Promise<void> {
  const kinds = [
    { subject: taskFloor, run: () => clients.call(3 * tasksPerTurn) },
    { subject: taskName, run: () => clients.work(tasksPerTurn) },
  ];
  for (const { run } of [...kinds, ...kinds]) await run();
  await takeTurns(settings.rounds, kinds, async ({ subject, run }, round) => {
    const endUse = child.measureUse();
    await withTimeout(subject, run());
    samples.add({ measure: 'tasks work', subject, round, values: endUse(tasksPerTurn) });
  });
}

async function measureWaiting({ samples }: Bench, child: Child, clients: TaskClients): Promise<void> {
  await clients.call(200);
  await clients.work(200);
  await clients.wait(waitingBefore);
  const before = await heapBytes(child);
  await withTimeout('waiting tasks', clients.wait(waiting));
  const bytes = ((await heapBytes(child)) - before) / waiting;
  samples.add({ measure: 'tasks waiting', subject: taskName, round: 0, values: { bytes } });
}

async function withTasks(
  bench: Bench,
  features: readonly string[],
  work: (child: Child, clients: TaskClients) => Promise<void>,
): Promise<void> {
  const options = { connections: 1, nodeArguments: ['--expose-gc'] };
  await withHttpServers(bench, [variant(tasksName, 'tasks', ...features)], options, async (servers) => {
    for (const { child, port } of servers) await work(child, new TaskClients(port));
  });
}
