import { once } from 'node:events';
import { join } from 'node:path';
import { type Bench, takeTurns, warmUp, within } from '../bench.ts';
import { type Child, start } from '../child.ts';
import type { Era } from '../clients/messages.ts';
import { type ClientSubject, clientSubjects } from '../subjects.ts';
import { freePort, saysReady } from './http.ts';

const transports = ['stdio', 'http'] as const;
const eras: readonly Era[] = ['handshake', '2026-07-28'];
/** How many calls are under way at a time. The many come first, since they compile the code sooner. */
const inFlights = [64, 1];
/** The first connections compile code, which is not what a connection costs. */
const firstConnections = 20;

type Transport = (typeof transports)[number];

/** What a client is told, and what it tells. */
interface Told {
  readonly ask: { calls: number; inFlight: number };
  readonly connect: object;
  readonly keep: { connections: number };
}
type Answers = {
  readonly ask: { seconds: number };
  readonly connect: { ms: number };
  readonly keep: { heapKb: number };
};

interface Running {
  readonly subject: ClientSubject;
  readonly child: Child;
  tell<What extends keyof Told>(what: What, given: Told[What]): Promise<Answers[What]>;
}

/** Clients that call the same server, each in a process of its own: calls, connecting, and memory. */
export async function measureClients(bench: Bench): Promise<void> {
  for (const transport of transports) {
    await withServer(bench, transport, async (target) => {
      for (const era of eras) {
        await withClients(bench, { transport, era, target }, async (clients) => {
          for (const inFlight of inFlights) await measureCalls(bench, clients, { transport, era, inFlight });
          await measureConnecting(bench, clients, `client connect ${transport} ${era}`);
        });
        if (transport === 'http') await measureMemory(bench, era, target);
      }
    });
  }
}

async function measureCalls(
  { settings, samples }: Bench,
  clients: readonly Running[],
  { transport, era, inFlight }: { transport: Transport; era: Era; inFlight: number },
): Promise<void> {
  const counts = new Map<Running, number>();
  for (const client of clients) {
    const ask = (calls: number): Promise<{ seconds: number }> => client.tell('ask', { calls, inFlight });
    counts.set(client, await warmUp(settings.turnMs, { atLeast: inFlight, ask }));
  }
  await takeTurns(settings.rounds, clients, async (client, round) => {
    const calls = counts.get(client) as number;
    const before = client.child.cpuMs();
    const { seconds } = await client.tell('ask', { calls, inFlight });
    const values = { perSecond: calls / seconds, cpuUs: ((client.child.cpuMs() - before) * 1000) / calls };
    samples.add({ measure: `client ${transport} ${era} ${inFlight}`, subject: client.subject.name, round, values });
  });
}

async function measureConnecting(
  { settings, samples }: Bench,
  clients: readonly Running[],
  measure: string,
): Promise<void> {
  await takeTurns(settings.rounds, clients, async (client, round) => {
    const before = client.child.cpuMs();
    const { ms } = await client.tell('connect', {});
    samples.add({
      measure,
      subject: client.subject.name,
      round,
      values: { ms, cpuMs: client.child.cpuMs() - before },
    });
  });
}

async function measureMemory(bench: Bench, era: Era, target: string): Promise<void> {
  const { settings, samples } = bench;
  const given = { transport: 'http', era, target, nodeArguments: ['--expose-gc'] } as const;
  await withClients(bench, given, async (clients) => {
    for (const { subject, child, tell } of clients) {
      const first = await tell('keep', { connections: firstConnections });
      const last = await tell('keep', { connections: firstConnections + settings.clientConnections });
      const heapKb = (last.heapKb - first.heapKb) / settings.clientConnections;
      const values = { heapKb, residentMb: child.residentMb() };
      samples.add({ measure: `client memory ${era}`, subject: subject.name, round: 0, values });
    }
  });
}

/** All clients call this library's server, which speaks every revision and is as fast as bare Node. */
async function withServer(
  { folder }: Bench,
  transport: Transport,
  work: (target: string) => Promise<void>,
): Promise<void> {
  if (transport === 'stdio') return work(join(folder, 'peers/ccmcp/stdio.mjs'));
  const port = await freePort();
  const child = start([join(folder, 'peers/ccmcp/http.mjs'), String(port)]);
  try {
    await within('The server', saysReady(child.stdout));
    child.stdout.resume();
    await work(`http://127.0.0.1:${port}/mcp`);
  } finally {
    await child.end();
  }
}

async function withClients(
  { folder }: Bench,
  {
    transport,
    era,
    target,
    nodeArguments = [],
  }: { transport: Transport; era: Era; target: string; nodeArguments?: readonly string[] },
  work: (clients: readonly Running[]) => Promise<void>,
): Promise<void> {
  const taking = clientSubjects.filter(
    (subject) => subject.eras.includes(era) && subject.transports.includes(transport),
  );
  const clients = taking.map((subject) => {
    const file = join(folder, 'peers', subject.file);
    const child = start([...nodeArguments, file, transport, target, era], { ipc: true });
    return { subject, child, tell: teller(subject.name, child) };
  });
  try {
    await work(clients);
  } finally {
    await Promise.all(clients.map(({ child }) => child.end()));
  }
}

function teller(name: string, child: Child): Running['tell'] {
  const ended = once(child.process, 'exit').then(() => Promise.reject(new Error('The client ended')));
  ended.catch(() => {});
  return async (what, given) => {
    const stop = new AbortController();
    const answered = once(child.process, 'message', { signal: stop.signal });
    answered.catch(() => {});
    child.process.send({ what, ...given });
    const first = within(name, Promise.race([answered, ended])).finally(() => stop.abort());
    const [answer] = (await first) as [{ error?: string }];
    if (answer.error !== undefined) throw new Error(`${name}: ${answer.error}`);
    return answer as never;
  };
}
