import { type Bench, takeTurns, warmUp, within } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { type Era, echo, echoLarge, listTools, type Question } from '../clients/messages.ts';
import { StdioClient, type Turn } from '../clients/stdio.ts';
import { quantile } from '../figures.ts';
import { floor, shortFloor, stdioArguments, type Subject, subjects } from '../subjects.ts';

const inFlight = 64;

interface Served {
  readonly subject: Subject;
  readonly child: Child;
  readonly client: StdioClient;
  /** What it is asked instead of what the others are. */
  readonly own?: Question;
}

/** Calls over stdio, many at a time and one at a time. */
export async function measureCalls(bench: Bench, era: Era): Promise<void> {
  const { settings, samples } = bench;
  await withServers(bench, { era, tools: 2 }, async (servers) => {
    await withShortFloor(bench, era, (floors) =>
      measureRate(bench, [...servers, ...floors], `stdio ${era}`, { question: echo(era), inFlight }),
    );
    await takeTurns(settings.rounds, servers, async ({ subject, client }, round) => {
      const { latencies } = await within(subject.name, client.ask(echo(era), settings.latencyCalls, 1));
      const values = { p50Us: quantile(latencies, 0.5), p99Us: quantile(latencies, 0.99) };
      samples.add({ measure: `latency ${era}`, subject: subject.name, round, values });
    });
  });
}

/** The list of 52 tools, again and again. */
export async function measureList(bench: Bench): Promise<void> {
  await withServers(bench, { era: 'handshake', tools: 52 }, (servers) =>
    measureRate(bench, servers, 'list', { question: listTools(52), inFlight: 16 }),
  );
}

/** Large texts there and back. */
export async function measurePayloads(bench: Bench): Promise<void> {
  const { settings, samples } = bench;
  await withServers(bench, { era: 'handshake', tools: 2 }, async (servers) => {
    for (const megabytes of settings.payloadsMb) {
      const question = echoLarge(megabytes);
      const calls = Math.max(2, Math.round(8 / megabytes));
      await takeTurns(
        1,
        servers,
        async ({ subject, client }) => void (await within(subject.name, client.ask(question, 2, 1))),
      );
      await takeTurns(settings.rounds, servers, async ({ subject, child, client }, round) => {
        const before = child.cpuMs();
        const { seconds } = await within(subject.name, client.ask(question, calls, 1));
        const cpuMs = child.cpuMs() - before;
        const values = { cpuMsPerMb: cpuMs / calls / megabytes, msPerMb: (seconds * 1000) / calls / megabytes };
        samples.add({ measure: `payload ${megabytes}`, subject: subject.name, round, values });
      });
    }
  });
}

async function measureRate(
  { settings, samples }: Bench,
  servers: readonly Served[],
  measure: string,
  { question, inFlight: many }: { question: Question; inFlight: number },
): Promise<void> {
  const counts = new Map<Served, number>();
  for (const server of servers) {
    const ask = (calls: number): Promise<Turn> =>
      within(server.subject.name, server.client.ask(server.own ?? question, calls, many));
    counts.set(server, await warmUp(settings.turnMs, { atLeast: many, ask }));
  }
  await takeTurns(settings.rounds, servers, async (server, round) => {
    const { subject, child, client, own = question } = server;
    const calls = counts.get(server) as number;
    const before = child.cpuMs();
    const { seconds } = await within(subject.name, client.ask(own, calls, many));
    const values = { perSecond: calls / seconds, cpuUs: ((child.cpuMs() - before) * 1000) / calls };
    samples.add({ measure, subject: subject.name, round, values });
  });
}

async function withServers(
  { folder }: Bench,
  { era, tools }: { era: Era; tools: number },
  work: (servers: readonly Served[]) => Promise<void>,
): Promise<void> {
  const servers = subjects
    .filter(({ stdio }) => stdio.includes(era))
    .map((subject) => {
      const child = start(stdioArguments(folder, subject, tools));
      return { subject, child, client: new StdioClient(child) };
    });
  try {
    if (era === 'handshake') for (const { subject, client } of servers) await within(subject.name, client.initialize());
    await work(servers);
  } finally {
    await Promise.all(servers.map(({ child }) => child.end()));
  }
}

/** Beside requests of 2026-07-28, which are longer, the bare loop takes a turn with those of the handshake too. */
async function withShortFloor(
  { folder }: Bench,
  era: Era,
  work: (floors: readonly Served[]) => Promise<void>,
): Promise<void> {
  const bare = subjects.find(({ name }) => name === floor);
  if (era === 'handshake' || bare === undefined) return work([]);
  const child = start(stdioArguments(folder, bare));
  const client = new StdioClient(child);
  try {
    await work([{ subject: { ...bare, name: shortFloor }, child, client, own: echo('handshake') }]);
  } finally {
    await child.end();
  }
}
