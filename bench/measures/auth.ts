import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Bench, within } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { HttpClients } from '../clients/http.ts';
import { findLoader, type Load } from '../clients/load.ts';
import { freePort } from './http.ts';

const connections = 50;

/** Without a token, with one that nobody looks at, and with one that is checked: a long header costs something by itself. */
const modes = ['open', 'ignored', 'checked'];

interface Served {
  readonly mode: string;
  readonly port: number;
  readonly requests: readonly string[];
  readonly child: Child;
}

/** What the program that measures checks in one process prints, in microseconds of CPU time of all threads. */
interface Costs {
  readonly RS256: Check;
  readonly ES256: Check;
  readonly dpop: { readonly bareUs: number; readonly wholeUs: number };
  readonly verdictsMb: number;
}

interface Check {
  readonly firstUs: number;
  readonly firstTimes: number;
  readonly againUs: number;
}

/** What access tokens cost: a call with one that was checked, the first check of one, a proof, and memory. */
export async function measureAuth(bench: Bench): Promise<void> {
  const { folder, settings, samples } = bench;
  const program = join(folder, 'peers/ccmcp/auth.mjs');
  const loader = await findLoader(folder);
  const callUs: number[] = [];
  // Started anew for each round: a process keeps for life what V8 made of its code, which may be a fifth more or less.
  for (let round = 0; round < settings.rounds; round++) {
    const servers = await Promise.all(modes.map((mode) => serve(program, mode)));
    const load = ({ mode, port, requests }: Served): Promise<Load> =>
      within(mode, loader.load(port, { requests, connections, seconds: settings.loadSeconds }));
    try {
      for (const server of servers) await load(server);
      const turned = servers.map((_, index) => servers[(index + round) % servers.length] as Served);
      for (const server of turned) {
        const { mode, child } = server;
        const before = child.cpuMs();
        const { requests: count, seconds } = await load(server);
        const cpuUs = ((child.cpuMs() - before) * 1000) / count;
        if (mode === 'open') callUs.push(cpuUs);
        samples.add({ measure: 'auth call', subject: mode, round, values: { perSecond: count / seconds, cpuUs } });
      }
    } finally {
      await Promise.all(servers.map(({ child }) => child.end()));
    }
  }
  const call = callUs.sort((one, other) => one - other)[Math.floor(callUs.length / 2)] ?? Number.NaN;
  const { RS256, ES256, dpop, verdictsMb } = await within('costs', costsOf(program));
  const values = {
    rs256Times: RS256.firstTimes,
    es256Times: ES256.firstTimes,
    againUs: RS256.againUs,
    dpopTimes: (dpop.wholeUs + call) / (dpop.bareUs + call),
    verdictsMb,
  };
  samples.add({ measure: 'auth costs', subject: 'ccmcp', round: 0, values });
}

async function serve(program: string, mode: string): Promise<Served> {
  const port = await freePort();
  const child = start([program, mode, String(port)]);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const [, token = ''] = line.split(' ');
  const clients = await HttpClients.connect(port, '2026-07-28', 1);
  const head = mode !== 'open' ? `\r\nAuthorization: Bearer ${token}\r\n` : '\r\n';
  return { mode, port, child, requests: clients.requests.map((text) => text.replace('\r\n', head)) };
}

async function costsOf(program: string): Promise<Costs> {
  const child = start(['--expose-gc', program, 'costs']);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  await child.end();
  return JSON.parse(line) as Costs;
}
