import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Bench, takeTurns, within } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { HttpClients } from '../clients/http.ts';
import { findLoader } from '../clients/load.ts';
import { freePort } from './http.ts';

const connections = 50;

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
  const servers = await Promise.all(['open', 'checked'].map((mode) => serve(program, mode)));
  const callUs: number[] = [];
  try {
    await takeTurns(settings.rounds, servers, async ({ mode, port, requests, child }, round) => {
      const before = child.cpuMs();
      const load = { requests, connections, seconds: settings.loadSeconds };
      const { requests: count, seconds } = await within(mode, loader.load(port, load));
      const cpuUs = ((child.cpuMs() - before) * 1000) / count;
      if (mode === 'open') callUs.push(cpuUs);
      samples.add({ measure: 'auth call', subject: mode, round, values: { perSecond: count / seconds, cpuUs } });
    });
  } finally {
    await Promise.all(servers.map(({ child }) => child.end()));
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

async function serve(
  program: string,
  mode: string,
): Promise<{ mode: string; port: number; requests: string[]; child: Child }> {
  const port = await freePort();
  const child = start([program, mode, String(port)]);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const [, token = ''] = line.split(' ');
  const clients = await HttpClients.connect(port, '2026-07-28', 1);
  const head = mode === 'checked' ? `\r\nAuthorization: Bearer ${token}\r\n` : '\r\n';
  return { mode, port, child, requests: clients.requests.map((text) => text.replace('\r\n', head)) };
}

async function costsOf(program: string): Promise<Costs> {
  const child = start(['--expose-gc', program, 'costs']);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  await child.end();
  return JSON.parse(line) as Costs;
}
