import { type Bench, type Caller, measureRate, percentiles, takeTurns, withTimeout } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { echo, echoLarge, listTools, type Question } from '../clients/messages.ts';
import { StdioClient } from '../clients/stdio.ts';
import { type Era, floor, shortFloor, stdioArguments, subjects } from '../subjects.ts';

interface Served {
  readonly name: string;
  readonly child: Child;
  readonly client: StdioClient;
  /** What it is asked instead of what others are. */
  readonly own?: Question;
}

/** Calls over stdio, many at a time and one at a time. */
export async function measureCalls(bench: Bench, era: Era): Promise<void> {
  const { settings, samples } = bench;
  await withServers(bench, { era, tools: 2 }, async (servers) => {
    await measureRate(bench, callersOf(servers, echo(era), 64), { measure: `stdio ${era}`, atLeast: 64 });
    const others = servers.filter(({ own }) => own === undefined);
    await takeTurns(settings.rounds, others, async ({ name, client }, round) => {
      const { latencies } = await withTimeout(name, client.ask(echo(era), settings.latencyCalls, 1));
      samples.add({ measure: `latency ${era}`, subject: name, round, values: percentiles(latencies) });
    });
  });
}

/** The list of 52 tools, again and again. */
export async function measureList(bench: Bench): Promise<void> {
  await withServers(bench, { era: 'handshake', tools: 52 }, (servers) =>
    measureRate(bench, callersOf(servers, listTools(52), 16), { measure: 'list', atLeast: 16 }),
  );
}

/** Large texts there and back. */
export async function measurePayloads(bench: Bench): Promise<void> {
  const { settings, samples } = bench;
  await withServers(bench, { era: 'handshake', tools: 2 }, async (servers) => {
    for (const megabytes of settings.payloadsMb) {
      const question = echoLarge(megabytes);
      const calls = Math.max(2, Math.round(8 / megabytes));
      await takeTurns(1, servers, ({ name, client }) => withTimeout(name, client.ask(question, 2, 1)));
      await takeTurns(settings.rounds, servers, async ({ name, child, client }, round) => {
        const before = child.cpuMs();
        const { seconds } = await withTimeout(name, client.ask(question, calls, 1));
        const cpuMs = child.cpuMs() - before;
        const values = { cpuMsPerMb: cpuMs / calls / megabytes, msPerMb: (seconds * 1000) / calls / megabytes };
        samples.add({ measure: `payload ${megabytes}`, subject: name, round, values });
      });
    }
  });
}

function callersOf(servers: readonly Served[], question: Question, inFlight: number): Caller[] {
  return servers.map(({ name, child, client, own = question }) => ({
    name,
    ask: async (calls) => ({ seconds: (await client.ask(own, calls, inFlight)).seconds }),
    measureUse: child.measureUse,
  }));
}

/** Starts all servers of an era. Beside the longer requests of 2026-07-28, the floor also gets those of the handshake. */
async function withServers(
  { folder }: Bench,
  { era, tools }: { era: Era; tools: number },
  work: (servers: readonly Served[]) => Promise<void>,
): Promise<void> {
  const servers: Served[] = [];
  const add = (name: string, args: readonly string[], own?: Question): void => {
    const child = start(args);
    servers.push({ name, child, client: new StdioClient(child), ...(own !== undefined && { own }) });
  };
  for (const subject of subjects.filter(({ stdio }) => stdio.includes(era))) {
    add(subject.name, stdioArguments(folder, subject, tools));
    if (subject.name === floor && era !== 'handshake') {
      add(shortFloor, stdioArguments(folder, subject, tools), echo('handshake'));
    }
  }
  try {
    if (era === 'handshake') for (const { name, client } of servers) await withTimeout(name, client.initialize());
    await work(servers);
  } finally {
    await Promise.all(servers.map(({ child }) => child.end()));
  }
}
