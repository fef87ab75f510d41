import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, takeTurns } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { StdioClient } from '../clients/stdio.ts';
import { stdioArguments, subjects } from '../subjects.ts';

/** Node that does nothing needs this long to become quiet. */
const settleMs = 250;

interface Starter {
  readonly subject: string;
  measure(): Promise<Record<string, number>>;
}

/** From the start of the process to its first answer; and what it has used by then. */
export async function measureStartup({ folder, settings, samples }: Bench): Promise<void> {
  const command = join(folder, 'peers/node_modules/ccmcp/dist/main.cjs');
  const starters: Starter[] = [
    { subject: 'node -e 0', measure: runNothing },
    { subject: 'idle Node', measure: idle },
    ...subjects
      .filter(({ stdio }) => stdio.length > 0)
      .map((subject) => ({
        subject: subject.name,
        measure: () => firstAnswer(stdioArguments(folder, subject)),
      })),
    { subject: 'ccmcp command', measure: () => firstAnswer([command]) },
  ];
  // Once without counting: the files come from the disk only now.
  await takeTurns(1, starters, async ({ measure }) => void (await measure()));
  await takeTurns(settings.startRounds, starters, async ({ subject, measure }, round) => {
    samples.add({ measure: 'start', subject, round, values: await measure() });
  });
}

async function firstAnswer(args: readonly string[]): Promise<Record<string, number>> {
  const started = performance.now();
  return using(start(args), async (child) => {
    await new StdioClient(child).initialize();
    return { ms: performance.now() - started, cpuMs: child.cpuMs(), residentMb: child.residentMb() };
  });
}

async function runNothing(): Promise<Record<string, number>> {
  const started = performance.now();
  return using(start(['-e', '0']), async (child) => {
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
