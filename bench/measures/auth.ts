import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Bench, withTimeout } from '../bench.ts';
import { start } from '../child.ts';
import { loadInTurns, withHttpServers } from '../http-server.ts';
import { authNames, ours, variant } from '../subjects.ts';

/** The output of `auth.mjs costs`: CPU time of all threads, in microseconds. */
interface Costs {
  readonly RS256: Check;
  readonly ES256: Check;
  readonly dpop: { readonly bareUs: number; readonly wholeUs: number };
  readonly verdictsMb: number;
}

interface Check {
  readonly firstTimes: number;
  readonly againUs: number;
}

/** The cost of access tokens: a call with a cached one, the first check, a DPoP proof, and memory. */
export async function measureAuth(bench: Bench): Promise<void> {
  const { folder, settings, samples } = bench;
  const taking = authNames.map((name) => ({ ...variant(name, name), file: 'auth.mjs' }));
  // New processes for each round: what V8 compiles differs between processes by up to a fifth.
  for (let round = 0; round < settings.rounds; round++) {
    await withHttpServers(bench, taking, { connections: 1 }, (servers) => {
      const authorized = servers.map((server) => {
        const head = server.subject.name === 'open' ? '\r\n' : `\r\nAuthorization: Bearer ${server.printed}\r\n`;
        return { ...server, requests: server.requests.map((request) => request.replace('\r\n', head)) };
      });
      return loadInTurns(bench, authorized, { measure: 'auth call', rounds: 1, from: round });
    });
  }
  const callUs = samples.figure('auth call', 'open', 'cpuUs')?.median ?? Number.NaN;
  const child = start(['--expose-gc', join(folder, 'peers/ccmcp/auth.mjs'), 'costs']);
  const [line] = (await withTimeout('costs', once(createInterface(child.stdout), 'line'))) as [string];
  await child.end();
  const { RS256, ES256, dpop, verdictsMb } = JSON.parse(line) as Costs;
  const values = {
    rs256Times: RS256.firstTimes,
    es256Times: ES256.firstTimes,
    againUs: RS256.againUs,
    dpopTimes: (dpop.wholeUs + callUs) / (dpop.bareUs + callUs),
    verdictsMb,
  };
  samples.add({ measure: 'auth costs', subject: ours, round: 0, values });
}
