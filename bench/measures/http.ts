import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { type Bench, takeTurns, warmUp, within } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { HttpClients, type HttpTurn } from '../clients/http.ts';
import { findLoader, type Load, type Loader } from '../clients/load.ts';
import { quantile } from '../figures.ts';
import { loadedBy } from '../report/result.ts';
import { type HttpMode, httpArguments, type Subject, subjects } from '../subjects.ts';

const connections = 50;

/**
 * Calls over HTTP, from many connections at once: loaded by a program that is not ours, and by our own client. The first is what
 * the targets are about. The program loads the floors and what is ours from one connection, too, because a server that finds one
 * request at a time can't spread over several what each turn of its loop costs.
 */
export async function measureHttp(bench: Bench, mode: HttpMode): Promise<void> {
  const { folder, facts } = bench;
  const loader = await findLoader(folder);
  facts.set(loadedBy, loader.name);
  const servers: Serving[] = [];
  try {
    for (const subject of subjects.filter(({ http }) => http.includes(mode))) {
      const served = await within(subject.name, serve(folder, subject, { mode, connections }));
      servers.push({ ...served, subject });
    }
    await measureLoaded(bench, servers, { measure: `http ${mode}`, loader, connections });
    const some = servers.filter(({ subject }) => subject.kind !== 'peer');
    await measureLoaded(bench, some, { measure: `http ${mode}, one connection`, loader, connections: 1 });
    await measureOwn(bench, servers, `http ${mode}, own client`);
  } finally {
    await Promise.all(servers.map((served) => stop(served)));
  }
}

/** A server that is measured, with whom it stands for. */
export type Serving = HttpServed & { readonly subject: Subject };

/** Loads servers in turns with a program that is not ours. `from` is the number of the first round. */
export async function measureLoaded(
  { settings, samples }: Bench,
  servers: readonly Serving[],
  {
    measure,
    loader,
    connections: count,
    from = 0,
  }: { measure: string; loader: Loader; connections: number; from?: number },
): Promise<void> {
  const load = ({ subject, port, clients }: Serving): Promise<Load> =>
    within(
      subject.name,
      loader.load(port, { requests: clients.requests, connections: count, seconds: settings.loadSeconds }),
    );
  for (const server of servers) await load(server);
  await takeTurns(settings.rounds, servers, async (server, round) => {
    const used = await use(server.child);
    const { requests, seconds, bytesPerAnswer: bytes, p50Us, p99Us } = await load(server);
    const values = { perSecond: requests / seconds, ...(await used.each(requests)), bytes, p50Us, p99Us };
    samples.add({ measure, subject: server.subject.name, round: from + round, values });
  });
}

async function measureOwn({ settings, samples }: Bench, servers: readonly Serving[], measure: string): Promise<void> {
  const counts = new Map<string, number>();
  for (const { subject, clients } of servers) {
    const ask = (calls: number): Promise<HttpTurn> => within(subject.name, clients.ask(calls));
    counts.set(subject.name, await warmUp(settings.turnMs, { atLeast: connections, ask }));
  }
  await takeTurns(settings.rounds, servers, async ({ subject, child, clients }, round) => {
    const calls = counts.get(subject.name) as number;
    const used = await use(child);
    const { seconds, latencies } = await within(subject.name, clients.ask(calls));
    const values = {
      perSecond: calls / seconds,
      ...(await used.each(calls)),
      p50Us: quantile(latencies, 0.5),
      p99Us: quantile(latencies, 0.99),
    };
    samples.add({ measure, subject: subject.name, round, values });
  });
}

/** What a server uses from now on, by call, and how many calls it finds in a turn of its loop. */
async function use(child: Child): Promise<{ each(calls: number): Promise<{ cpuUs: number; perTurn: number }> }> {
  const turnsBefore = await turnsOf(child);
  const cpuBefore = child.cpuMs();
  return {
    async each(calls) {
      const cpuUs = ((child.cpuMs() - cpuBefore) * 1000) / calls;
      return { cpuUs, perTurn: calls / ((await turnsOf(child)) - turnsBefore) };
    },
  };
}

async function turnsOf(child: Child): Promise<number> {
  const { turns } = (await tell(child, 'turns')) as { turns: number | null };
  return turns ?? Number.NaN;
}

/** Asks the probe in a server. */
export async function tell(child: Child, question: 'turns' | 'heap'): Promise<unknown> {
  const told = once(child.process, 'message');
  child.process.send(question);
  const [answer] = (await told) as [unknown];
  return answer;
}

/** A server on a port, and its clients. */
export interface HttpServed {
  readonly port: number;
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
    nodeArguments = [],
    more = [],
  }: { mode: HttpMode; connections: number; nodeArguments?: readonly string[]; more?: readonly string[] },
): Promise<HttpServed> {
  const port = await freePort();
  const probe = pathToFileURL(join(folder, 'probe.mjs')).href;
  const args = [...nodeArguments, '--import', probe, ...httpArguments(folder, subject, port, mode), ...more];
  const child = start(args, { ipc: true });
  try {
    await Promise.race([
      saysReady(child.stdout),
      once(child.process, 'exit').then(() => Promise.reject(new Error(`${subject.name} did not start`))),
    ]);
    child.stdout.resume();
    return { port, child, clients: await HttpClients.connect(port, mode, count) };
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
