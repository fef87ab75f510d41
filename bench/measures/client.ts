import { once } from 'node:events';
import { join } from 'node:path';
import { type Bench, measureRate, takeTurns, withTimeout } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { freePort, readyLine } from '../http-server.ts';
import { type ClientSubject, clientSubjects, type Era } from '../subjects.ts';

type Transport = 'stdio' | 'http';

const eras: readonly Era[] = ['handshake', '2026-07-28'];
/** Calls in flight. The many come first: they compile the code sooner. */
const inFlights = [64, 1];
/** The first connections compile code, which is not part of a connection's memory. */
const firstConnections = 20;

interface Running {
  readonly subject: ClientSubject;
  readonly child: Child;
  /** Has the client run a command of `client-turns.mjs`. */
  run(what: 'ask' | 'connect' | 'keep', given: object): Promise<Record<string, number>>;
}

/** Clients of the same server, each in its own process: calls, connecting, and memory. */
export async function measureClients(bench: Bench): Promise<void> {
  for (const transport of ['stdio', 'http'] as const) {
    await withServer(bench, transport, async (target) => {
      for (const era of eras) {
        await withClients(bench, [], [transport, target, era], async (clients) => {
          for (const inFlight of inFlights) {
            const callers = clients.map(({ subject, child, run }) => ({
              name: subject.name,
              ask: async (calls: number) => ({
                seconds: (await run('ask', { calls, inFlight })).seconds ?? Number.NaN,
              }),
              measureUse: child.measureUse,
            }));
            await measureRate(bench, callers, { measure: `client ${transport} ${era} ${inFlight}`, atLeast: inFlight });
          }
          await measureConnecting(bench, clients, `client connect ${transport} ${era}`);
        });
        if (transport === 'http') await measureMemory(bench, era, target);
      }
    });
  }
}

async function measureConnecting(
  { settings, samples }: Bench,
  clients: readonly Running[],
  measure: string,
): Promise<void> {
  await takeTurns(settings.rounds, clients, async ({ subject, child, run }, round) => {
    const before = child.cpuMs();
    const { ms = Number.NaN } = await run('connect', {});
    samples.add({ measure, subject: subject.name, round, values: { ms, cpuMs: child.cpuMs() - before } });
  });
}

async function measureMemory(bench: Bench, era: Era, target: string): Promise<void> {
  const more = bench.settings.clientConnections;
  await withClients(bench, ['--expose-gc'], ['http', target, era], async (clients) => {
    for (const { subject, child, run } of clients) {
      const { heapKb: first = Number.NaN } = await run('keep', { connections: firstConnections });
      const { heapKb: last = Number.NaN } = await run('keep', { connections: firstConnections + more });
      const values = { heapKb: (last - first) / more, residentMb: child.residentMb() };
      bench.samples.add({ measure: `client memory ${era}`, subject: subject.name, round: 0, values });
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
    await withTimeout('The server', readyLine(child));
    await work(`http://127.0.0.1:${port}/mcp`);
  } finally {
    await child.end();
  }
}

async function withClients(
  { folder }: Bench,
  nodeArguments: readonly string[],
  given: readonly [Transport, target: string, Era],
  work: (clients: readonly Running[]) => Promise<void>,
): Promise<void> {
  const [transport, , era] = given;
  const taking = clientSubjects.filter((each) => each.eras.includes(era) && each.transports.includes(transport));
  const clients = taking.map((subject) => {
    const child = start([...nodeArguments, join(folder, 'peers', subject.file), ...given], { ipc: true });
    return { subject, child, run: runner(subject.name, child) };
  });
  try {
    await work(clients);
  } finally {
    await Promise.all(clients.map(({ child }) => child.end()));
  }
}

/** Runs commands in a client that `client-turns.mjs` serves. */
export function runner(name: string, child: Child): Running['run'] {
  const ended = once(child.process, 'exit').then(() => Promise.reject(new Error('The client exited')));
  ended.catch(() => {});
  return async (what, given) => {
    const stop = new AbortController();
    const answered = once(child.process, 'message', { signal: stop.signal });
    answered.catch(() => {});
    child.process.send({ what, ...given });
    const first = withTimeout(name, Promise.race([answered, ended])).finally(() => stop.abort());
    const [{ error, ...values }] = (await first) as [{ error?: string } & Record<string, number>];
    if (error !== undefined) throw new Error(`${name}: ${error}`);
    return values;
  };
}
