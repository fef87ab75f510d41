import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { otherLines, otherNode } from '../../scripts/other-nodes.mjs';
import { type Bench, takeTurns, within } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { echo } from '../clients/messages.ts';
import { StdioClient } from '../clients/stdio.ts';
import { commonJsFloor, floor, stdioArguments, subjects } from '../subjects.ts';

/** Node that does nothing needs this long to become quiet. */
const settleMs = 250;

/** How long after the handshake a client makes its first call: a person who types is slower, a host that is told to act is not. */
const pauseMs = 50;

interface Starter {
  readonly subject: string;
  measure(): Promise<Record<string, number>>;
}

/** A server on stdio by its arguments. */
interface Program {
  readonly subject: string;
  readonly args: readonly string[];
}

/** From the start of the process to its first answer; and what it has used by then. */
export async function measureStartup({ folder, settings, samples }: Bench): Promise<void> {
  const starters: Starter[] = [
    { subject: 'node -e 0', measure: () => runNothing() },
    { subject: 'idle Node', measure: idle },
    ...[...programs(folder), command(folder)].map(({ subject, args }) => ({
      subject,
      measure: () => within(subject, firstAnswer(args)),
    })),
  ];
  await measureAll(starters, settings.startRounds, (subject, round, values) =>
    samples.add({ measure: 'start', subject, round, values }),
  );
}

/** The first call: a moment after the handshake, and as soon as can be. */
export async function measureFirstCalls({ folder, settings, samples }: Bench): Promise<void> {
  const starters = programs(folder).map(({ subject, args }) => ({
    subject,
    measure: async () => ({
      ...(await within(subject, firstCall(args))),
      ...(await within(subject, backToBack(args))),
    }),
  }));
  await measureAll(starters, settings.startRounds, (subject, round, values) =>
    samples.add({ measure: 'first', subject, round, values }),
  );
}

/** The start-up with the newest Node of other lines, of the floors and of what is ours. */
export async function measureOtherNodes({ folder, settings, samples, facts, say }: Bench): Promise<void> {
  for (const line of otherLines) {
    const other = await otherNode(line);
    if (other === undefined) {
      say(`Node ${line} is left out`);
      continue;
    }
    facts.set(`Node ${line}`, other.version);
    const node = other.path;
    const ours = programs(folder).filter(({ subject }) => [floor, commonJsFloor, 'ccmcp'].includes(subject));
    const starters: Starter[] = [
      { subject: 'node -e 0', measure: () => runNothing(node) },
      ...[...ours, command(folder)].map(({ subject, args }) => ({
        subject,
        measure: () => within(subject, firstAnswer(args, node)),
      })),
    ];
    await measureAll(starters, settings.startRounds, (subject, round, values) =>
      samples.add({ measure: `start node ${line}`, subject, round, values }),
    );
  }
}

async function measureAll(
  starters: readonly Starter[],
  rounds: number,
  add: (subject: string, round: number, values: Record<string, number>) => void,
): Promise<void> {
  // Once without counting: the files come from the disk only now, and caches of compiled code are filled.
  await takeTurns(1, starters, async ({ measure }) => void (await measure()));
  await takeTurns(rounds, starters, async ({ subject, measure }, round) => add(subject, round, await measure()));
}

function programs(folder: string): Program[] {
  return [
    { subject: commonJsFloor, args: [join(folder, 'peers/bare/stdio.cjs')] },
    ...subjects
      .filter(({ stdio }) => stdio.length > 0)
      .map((subject) => ({ subject: subject.name, args: stdioArguments(folder, subject) })),
  ];
}

function command(folder: string): Program {
  return { subject: 'ccmcp command', args: [join(folder, 'peers/node_modules/ccmcp/dist/main.cjs')] };
}

async function firstAnswer(args: readonly string[], node?: string): Promise<Record<string, number>> {
  const started = performance.now();
  return using(start(args, node === undefined ? {} : { node }), async (child) => {
    await new StdioClient(child).initialize();
    return { ms: performance.now() - started, cpuMs: child.cpuMs(), residentMb: child.residentMb() };
  });
}

async function firstCall(args: readonly string[]): Promise<Record<string, number>> {
  return using(start(args), async (child) => {
    const client = new StdioClient(child);
    await client.initialize();
    await delay(pauseMs);
    const { seconds } = await client.ask(echo('handshake'), 1, 1);
    return { firstCallMs: seconds * 1000 };
  });
}

async function backToBack(args: readonly string[]): Promise<Record<string, number>> {
  const started = performance.now();
  return using(start(args), async (child) => {
    await new StdioClient(child).initializeAndAsk(echo('handshake'));
    return { backToBackMs: performance.now() - started };
  });
}

async function runNothing(node?: string): Promise<Record<string, number>> {
  const started = performance.now();
  return using(start(['-e', '0'], node === undefined ? {} : { node }), async (child) => {
    await once(child.process, 'exit');
    return { ms: performance.now() - started };
  });
}

async function idle(): Promise<Record<string, number>> {
  return using(start(['-e', 'setInterval(() => {}, 1e6)']), async (child) => {
    await delay(settleMs);
    return { residentMb: child.residentMb() };
  });
}

async function using<T>(child: Child, work: (child: Child) => Promise<T>): Promise<T> {
  try {
    return await work(child);
  } finally {
    await child.end();
  }
}
