import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { type Bench, type Caller, takeTurns, withTimeout } from './bench.ts';
import { type Child, start } from './child.ts';
import { HttpClients } from './clients/http.ts';
import type { Question } from './clients/messages.ts';
import { type Load, loadByWrk, wrkVersion } from './clients/load.ts';
import { loadedBy } from './report/result.ts';
import { type HttpMode, httpArguments, type Subject } from './subjects.ts';

/** Number of connections, unless a measurement sets another one. */
export const connections = 50;

/** A running server and its clients. */
export interface HttpServer {
  readonly subject: Subject;
  readonly port: number;
  readonly child: Child;
  readonly clients: HttpClients;
  /** What the load generator sends. */
  readonly requests: readonly string[];
  /** What the server printed after `ready`. */
  readonly printed: string;
}

interface ServeOptions {
  readonly mode?: HttpMode;
  readonly connections?: number;
  readonly nodeArguments?: readonly string[];
}

/** Starts servers, connects clients, runs `work`, and stops them. */
export async function withHttpServers(
  { folder }: Bench,
  subjects: readonly Subject[],
  options: ServeOptions,
  work: (servers: readonly HttpServer[]) => Promise<void>,
): Promise<void> {
  const servers: HttpServer[] = [];
  try {
    for (const subject of subjects) servers.push(await withTimeout(subject.name, serve(folder, subject, options)));
    await work(servers);
  } finally {
    for (const { clients } of servers) clients.close();
    await Promise.all(servers.map(({ child }) => child.end()));
  }
}

async function serve(
  folder: string,
  subject: Subject,
  { mode = '2026-07-28', connections: count = connections, nodeArguments = [] }: ServeOptions,
): Promise<HttpServer> {
  const port = await freePort();
  const probe = pathToFileURL(join(folder, 'probe.mjs')).href;
  const args = [...nodeArguments, '--import', probe, ...httpArguments(folder, subject, port, mode)];
  const child = start(args, { ipc: true, tree: subject.features?.some((each) => each.startsWith('workers')) ?? false });
  try {
    const ended = once(child.process, 'exit').then(() => Promise.reject(new Error(`${subject.name} did not start`)));
    const printed = await Promise.race([readyLine(child), ended]);
    const clients = await HttpClients.connect(port, mode, count);
    return { subject, port, child, clients, requests: clients.requests, printed };
  } catch (error) {
    await child.end();
    throw error;
  }
}

/** Waits for the line `ready`, and returns what follows the word. */
export async function readyLine({ stdout }: Child): Promise<string> {
  const lines = createInterface(stdout);
  try {
    for await (const line of lines) if (line.startsWith('ready')) return line.slice('ready '.length);
    throw new Error('The server printed no ready line');
  } finally {
    lines.close();
    stdout.resume();
  }
}

/** Servers whose own clients ask for something else than `echo`, if given. */
export function callersOf(servers: readonly HttpServer[], question?: Question): Caller[] {
  return servers.map(({ subject, child, clients }) => ({
    name: subject.name,
    ask: (calls) => clients.ask(calls, question),
    measureUse: () => measureUse(child),
  }));
}

interface LoadOptions {
  readonly measure: string;
  readonly connections?: number;
  readonly rounds?: number;
  readonly seconds?: number;
  /** The number of the first round. */
  readonly from?: number;
  /** Starts another measurement of a turn; the returned function ends it. */
  readonly also?: (server: HttpServer) => Promise<(requests: number) => Promise<Record<string, number>>>;
}

/** Loads servers in turn with `wrk`, after one turn of warm-up. Skipped where it is not installed. */
export async function loadInTurns(
  { folder, facts, settings, samples, say }: Bench,
  servers: readonly HttpServer[],
  {
    measure,
    connections: count = connections,
    rounds = settings.rounds,
    seconds = settings.loadSeconds,
    from,
    also,
  }: LoadOptions,
): Promise<void> {
  const version = await wrkVersion();
  if (version === undefined) return say(`        no wrk on the PATH: ${measure} is skipped`);
  facts.set(loadedBy, `wrk ${version}`);
  const load = ({ subject, port, requests }: HttpServer): Promise<Load> =>
    withTimeout(subject.name, loadByWrk(folder, port, { requests, connections: count, seconds }));
  for (const server of servers) await load(server);
  const turn = async (server: HttpServer, round: number): Promise<void> => {
    const endAlso = await also?.(server);
    const endUse = await measureUse(server.child);
    const { requests, seconds: took, bytesPerAnswer: bytes, p50Us, p99Us } = await load(server);
    const use = { ...(await endUse(requests)), ...(await endAlso?.(requests)) };
    const values = { perSecond: requests / took, bytes, p50Us, p99Us, ...use };
    samples.add({ measure, subject: server.subject.name, round, values });
  };
  await takeTurns(rounds, servers, turn, from);
}

/** Measures CPU per call, and calls per turn of the event loop, until the returned function is called. */
export async function measureUse(
  child: Child,
): Promise<(calls: number) => Promise<{ cpuUs: number; perTurn: number }>> {
  const turnsOf = async (): Promise<number> => (await askProbe(child, 'turns')).turns ?? Number.NaN;
  const turnsBefore = await turnsOf();
  const endCpu = child.measureUse();
  return async (calls) => {
    const cpu = endCpu(calls);
    return { ...cpu, perTurn: calls / ((await turnsOf()) - turnsBefore) };
  };
}

/** The live heap of a server, in bytes. */
export async function heapBytes(child: Child): Promise<number> {
  return (await askProbe(child, 'heap')).heapBytes ?? Number.NaN;
}

/** Asks `probe.mjs` in a server. */
async function askProbe(child: Child, question: 'turns' | 'heap'): Promise<{ turns?: number; heapBytes?: number }> {
  const answered = once(child.process, 'message');
  child.process.send(question);
  const [answer] = (await answered) as [{ turns?: number; heapBytes?: number }];
  return answer;
}

/** An unused port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port');
  return address.port;
}
