import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Bench, takeTurns, warmUp, within } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { HttpClients, type HttpTurn } from '../clients/http.ts';
import { quantile } from '../figures.ts';
import { type HttpMode, httpArguments, type Subject, subjects } from '../subjects.ts';

const connections = 50;

/** Calls over HTTP, from many connections at once. */
export async function measureHttp({ folder, settings, samples }: Bench, mode: HttpMode): Promise<void> {
  const taking = subjects.filter(({ http }) => http.includes(mode));
  const servers: (HttpServed & { subject: Subject })[] = [];
  try {
    for (const subject of taking) {
      const served = await within(subject.name, serve(folder, subject, { mode, connections }));
      servers.push({ ...served, subject });
    }
    const counts = new Map<string, number>();
    for (const { subject, clients } of servers) {
      const ask = (calls: number): Promise<HttpTurn> => within(subject.name, clients.ask(calls));
      counts.set(subject.name, await warmUp(settings.turnMs, { atLeast: connections, ask }));
    }
    await takeTurns(settings.rounds, servers, async ({ subject, child, clients }, round) => {
      const calls = counts.get(subject.name) as number;
      const before = child.cpuMs();
      const { seconds, latencies } = await within(subject.name, clients.ask(calls));
      const values = {
        perSecond: calls / seconds,
        cpuUs: ((child.cpuMs() - before) * 1000) / calls,
        p50Us: quantile(latencies, 0.5),
        p99Us: quantile(latencies, 0.99),
      };
      samples.add({ measure: `http ${mode}`, subject: subject.name, round, values });
    });
  } finally {
    await Promise.all(servers.map((served) => stop(served)));
  }
}

/** A server on a port, and its clients. */
export interface HttpServed {
  readonly child: Child;
  readonly clients: HttpClients;
}

/** Starts a subject's server and connects clients to it. */
export async function serve(
  folder: string,
  subject: Subject,
  {
    mode,
    connections: count,
    nodeArguments,
  }: { mode: HttpMode; connections: number; nodeArguments?: readonly string[] },
): Promise<HttpServed> {
  const port = await freePort();
  const args = [...(nodeArguments ?? []), ...httpArguments(folder, subject, port, mode)];
  const child = start(args, nodeArguments === undefined ? {} : { ipc: true });
  try {
    await Promise.race([
      saysReady(child.stdout),
      once(child.process, 'exit').then(() => Promise.reject(new Error(`${subject.name} did not start`))),
    ]);
    child.stdout.resume();
    return { child, clients: await HttpClients.connect(port, mode, count) };
  } catch (error) {
    await child.end();
    throw error;
  }
}

/** Ends a server and its clients. */
export async function stop({ child, clients }: HttpServed): Promise<void> {
  clients.close();
  await child.end();
}

/** Waits until a server says that it is ready. */
export async function saysReady(output: Readable): Promise<void> {
  for await (const line of createInterface(output)) if (line === 'ready') return;
}

/** A port that nobody uses at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port');
  return address.port;
}
