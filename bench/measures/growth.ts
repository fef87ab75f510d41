import { type Bench, callsFor, takeTurns, within } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { echo, listTools } from '../clients/messages.ts';
import { StdioClient } from '../clients/stdio.ts';
import { quantile } from '../figures.ts';
import { stdioArguments, subjects } from '../subjects.ts';
import { serve, stop, tell } from './http.ts';

/** Many, because a peer lets each new session wait for a second. */
const connections = 200;

/** What more registered tools cost: at the start, in the first list, in each call. */
export async function measureTools({ folder, settings, samples }: Bench): Promise<void> {
  const takers = settings.toolCounts.flatMap((tools) =>
    subjects.filter(({ stdio }) => stdio.length > 0).map((subject) => ({ subject, tools })),
  );
  await takeTurns(settings.growthRounds, takers, async ({ subject, tools }, round) => {
    const started = performance.now();
    const child = start(stdioArguments(folder, subject, tools));
    try {
      const client = new StdioClient(child);
      await within(subject.name, client.initialize());
      const startMs = performance.now() - started;
      const list = await within(subject.name, client.ask(listTools(tools), 1, 1));
      await within(subject.name, client.ask(echo('handshake'), 2000, 16));
      const { latencies } = await within(subject.name, client.ask(echo('handshake'), 1000, 1));
      const values = { startMs, firstListMs: list.seconds * 1000, p50Us: quantile(latencies, 0.5) };
      samples.add({ measure: `tools ${tools}`, subject: subject.name, round, values });
    } finally {
      await child.end();
    }
  });
}

/** What each open session costs: memory, and time of every call. */
export async function measureSessions({ folder, settings, samples }: Bench): Promise<void> {
  const nodeArguments = ['--expose-gc'];
  for (const subject of subjects.filter(({ http }) => http.includes('session'))) {
    const served = await within(subject.name, serve(folder, subject, { mode: 'session', connections, nodeArguments }));
    const { child, clients } = served;
    try {
      // The first sessions and calls compile code and fill caches, which is not what a session costs.
      const { seconds } = await within(subject.name, clients.ask(1000));
      const calls = callsFor(settings.turnMs, { calls: 1000, seconds });
      const openFirst = connections;
      let open = openFirst;
      const heapFirst = await heapKb(child);
      for (const sessions of settings.sessionCounts) {
        await within(subject.name, clients.openSessions(Math.max(0, sessions - open)));
        open = Math.max(open, sessions);
        const heap = open === openFirst ? Number.NaN : ((await heapKb(child)) - heapFirst) / (open - openFirst);
        const before = child.cpuMs();
        await within(subject.name, clients.ask(calls));
        const values = { heapKb: heap, cpuUs: ((child.cpuMs() - before) * 1000) / calls };
        samples.add({ measure: `sessions ${sessions}`, subject: subject.name, round: 0, values });
      }
    } finally {
      await stop(served);
    }
  }
}

async function heapKb(child: Child): Promise<number> {
  const { heapBytes } = (await tell(child, 'heap')) as { heapBytes: number };
  return heapBytes / 1024;
}
