import { type Bench, callsFor, takeTurns, withTimeout } from '../bench.ts';
import { start } from '../child.ts';
import { echo, listTools } from '../clients/messages.ts';
import { StdioClient } from '../clients/stdio.ts';
import { quantile } from '../figures.ts';
import { heapBytes, type HttpServer, withHttpServers } from '../http-server.ts';
import { stdioArguments, subjects } from '../subjects.ts';

/** Many, because one peer delays each new session by a second. */
const connections = 200;

/** Sessions that are opened and called in once. */
const usedSessions = 4000;

/** The cost of registered tools: at start, in the first list, in each call. */
export async function measureTools({ folder, settings, samples }: Bench): Promise<void> {
  const takers = settings.toolCounts.flatMap((tools) =>
    subjects.filter(({ stdio }) => stdio.length > 0).map((subject) => ({ subject, tools })),
  );
  await takeTurns(settings.growthRounds, takers, async ({ subject, tools }, round) => {
    const started = performance.now();
    const child = start(stdioArguments(folder, subject, tools));
    try {
      const client = new StdioClient(child);
      await withTimeout(subject.name, client.initialize());
      const startMs = performance.now() - started;
      const list = await withTimeout(subject.name, client.ask(listTools(tools), 1, 1));
      await withTimeout(subject.name, client.ask(echo('handshake'), 2000, 16));
      const { latencies } = await withTimeout(subject.name, client.ask(echo('handshake'), 1000, 1));
      const values = { startMs, firstListMs: list.seconds * 1000, p50Us: quantile(latencies, 0.5) };
      samples.add({ measure: `tools ${tools}`, subject: subject.name, round, values });
    } finally {
      await child.end();
    }
  });
}

/** The cost of open sessions: memory, and CPU of every call. */
export async function measureSessions(bench: Bench): Promise<void> {
  const options = { mode: 'session', connections, nodeArguments: ['--expose-gc'] } as const;
  for (const subject of subjects.filter(({ http }) => http.includes('session'))) {
    await withHttpServers(bench, [subject], options, async (servers) => {
      for (const server of servers) await withTimeout(subject.name, openSessions(bench, server));
    });
  }
}

async function openSessions({ settings, samples }: Bench, { subject, child, clients }: HttpServer): Promise<void> {
  // The first sessions and calls compile code and fill caches.
  const { seconds } = await clients.ask(1000);
  const calls = callsFor(settings.turnMs, { calls: 1000, seconds });
  const heapBefore = await heapBytes(child);
  let open = connections;
  for (const sessions of settings.sessionCounts) {
    await clients.openSessions(Math.max(0, sessions - open));
    open = Math.max(open, sessions);
    const more = open - connections;
    const heapKb = more === 0 ? Number.NaN : ((await heapBytes(child)) - heapBefore) / 1024 / more;
    const endUse = child.measureUse();
    await clients.ask(calls);
    const values = { heapKb, ...endUse(calls) };
    samples.add({ measure: `sessions ${sessions}`, subject: subject.name, round: 0, values });
  }
  const heapIdle = await heapBytes(child);
  await clients.openSessions(usedSessions, 1);
  const values = { heapKb: ((await heapBytes(child)) - heapIdle) / 1024 / usedSessions };
  samples.add({ measure: 'sessions used', subject: subject.name, round: 0, values });
}
