import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { otherLines, otherNode } from '../../scripts/other-nodes.mjs';
import { type Bench, takeTurns, withTimeout } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { echo } from '../clients/messages.ts';
import { StdioClient } from '../clients/stdio.ts';
import { oneFileFloor, ours, stdioArguments, subjects } from '../subjects.ts';

/** Node that does nothing needs this long to become quiet. */
const settleMs = 250;
/** From the handshake to the first call: shorter than a person, about a host that was asked to act. */
const pauseMs = 50;

interface Starter {
  readonly subject: string;
  measure(): Promise<Record<string, number>>;
}

/** A server on stdio. */
interface Program {
  readonly subject: string;
  readonly args: readonly string[];
}

/** From spawn to the first response: time, CPU and memory. */
export async function measureStartup(bench: Bench): Promise<void> {
  const idle: Starter = {
    subject: 'idle Node',
    measure: () =>
      withChild(['-e', 'setInterval(() => {}, 1e6)'], async (child) => {
        await delay(settleMs);
        return { residentMb: child.residentMb() };
      }),
  };
  const started = [...programs(bench), command(bench)].map((program) => initialization(program));
  await measureAll(bench, 'start', [emptyProgram(), idle, ...started]);
}

/** The first call: a moment after the handshake, and as soon as possible. */
export async function measureFirstCalls(bench: Bench): Promise<void> {
  const starters = programs(bench).map(({ subject, args }) => ({
    subject,
    measure: async () => ({
      ...(await withChild(args, async (child) => {
        const client = new StdioClient(child);
        await client.initialize();
        await delay(pauseMs);
        return { firstCallMs: (await client.ask(echo('handshake'), 1, 1)).seconds * 1000 };
      })),
      ...(await withChild(args, async (child, elapsed) => {
        await new StdioClient(child).initializeAndAsk(echo('handshake'));
        return { backToBackMs: elapsed() };
      })),
    }),
  }));
  await measureAll(bench, 'first', starters);
}

/** Start-up with the newest Node of other lines, of the floors and of ours. */
export async function measureOtherNodes(bench: Bench): Promise<void> {
  for (const line of otherLines) {
    const other = await otherNode(line);
    if (other === undefined) {
      bench.say(`Node ${line} is left out`);
      continue;
    }
    bench.facts.set(`Node ${line}`, other.version);
    const some = programs(bench).filter(({ subject }) => [oneFileFloor, ours].includes(subject));
    const started = [...some, command(bench)].map((program) => initialization(program, other.path));
    await measureAll(bench, `start node ${line}`, [emptyProgram(other.path), ...started]);
  }
}

async function measureAll({ settings, samples }: Bench, measure: string, starters: readonly Starter[]): Promise<void> {
  // Once without counting: files come from the disk, and code caches are filled.
  await takeTurns(1, starters, (starter) => starter.measure());
  await takeTurns(settings.startRounds, starters, async ({ subject, measure: run }, round) => {
    samples.add({ measure, subject, round, values: await withTimeout(subject, run()) });
  });
}

function programs({ folder }: Bench): Program[] {
  const onStdio = subjects.filter(({ stdio }) => stdio.length > 0);
  return [
    { subject: oneFileFloor, args: [join(folder, 'peers/bare/one-file.mjs')] },
    ...onStdio.map((subject) => ({ subject: subject.name, args: stdioArguments(folder, subject) })),
  ];
}

function command({ folder }: Bench): Program {
  return { subject: 'ccmcp command', args: [join(folder, 'peers/node_modules/ccmcp/dist/main.cjs')] };
}

function initialization({ subject, args }: Program, node?: string): Starter {
  const initialize = async (child: Child, elapsed: () => number): Promise<Record<string, number>> => {
    await new StdioClient(child).initialize();
    const answered = { ms: elapsed(), cpuMs: child.cpuMs(), residentMb: child.residentMb() };
    await delay(settleMs);
    return { ...answered, laterCpuMs: child.cpuMs() - answered.cpuMs };
  };
  return { subject, measure: () => withChild(args, initialize, node) };
}

function emptyProgram(node?: string): Starter {
  const exit = async (child: Child, elapsed: () => number): Promise<Record<string, number>> => {
    await once(child.process, 'exit');
    return { ms: elapsed() };
  };
  return { subject: 'node -e 0', measure: () => withChild(['-e', '0'], exit, node) };
}

/** Starts Node, and ends it after `work`, which can ask for the milliseconds since the start. */
async function withChild<T>(
  args: readonly string[],
  work: (child: Child, elapsed: () => number) => Promise<T>,
  node?: string,
): Promise<T> {
  const started = performance.now();
  const child = start(args, { node });
  try {
    return await work(child, () => performance.now() - started);
  } finally {
    await child.end();
  }
}
