import { join } from 'node:path';
import { type Bench, measureRate, takeTurns, withTimeout } from '../bench.ts';
import { start } from '../child.ts';
import { callLarge, echo } from '../clients/messages.ts';
import { StdioClient } from '../clients/stdio.ts';
import { quantile } from '../figures.ts';
import { callersOf, connections, type HttpServer, loadInTurns, withHttpServers } from '../http-server.ts';
import { gateways, ours, variant } from '../subjects.ts';

/** Results of a megabyte per turn. */
const largeCalls = 40;

/** Gateways over HTTP with a server on stdio behind, compared with direct calls and with a bare proxy. CPU is that of the gateway alone. */
export async function measureGateway(bench: Bench): Promise<void> {
  await withHttpServers(bench, [variant(ours), ...gateways], {}, async (servers) => {
    await loadInTurns(bench, servers, { measure: 'gateway call' });
    await measureRate(bench, callersOf(servers), { measure: 'gateway call, own client', atLeast: connections });
  });
  await withHttpServers(bench, gateways, { connections: 1 }, async (servers) => {
    await measureLatency(bench, servers);
    await measureLarge(bench, servers);
  });
}

/** What a gateway adds to the latency of a direct call to the same server. */
async function measureLatency({ folder, settings, samples }: Bench, servers: readonly HttpServer[]): Promise<void> {
  const child = start([join(folder, 'peers/ccmcp/upstream.mjs')]);
  try {
    const direct = new StdioClient(child);
    const calls = settings.latencyCalls;
    const p50Of = async ({ subject, clients }: HttpServer): Promise<number> =>
      quantile((await withTimeout(subject.name, clients.ask(calls))).latencies, 0.5);
    await takeTurns(3, servers, (server) => p50Of(server));
    await direct.ask(echo('2026-07-28'), 3 * calls, 1);
    for (let round = 0; round < settings.rounds; round++) {
      const { latencies } = await direct.ask(echo('2026-07-28'), calls, 1);
      const directUs = quantile(latencies, 0.5);
      await takeTurns(
        1,
        servers,
        async (server) => {
          const values = { addedUs: (await p50Of(server)) - directUs };
          samples.add({ measure: 'gateway latency', subject: server.subject.name, round, values });
        },
        round,
      );
    }
  } finally {
    await child.end();
  }
}

async function measureLarge(bench: Bench, servers: readonly HttpServer[]): Promise<void> {
  const callers = servers.map(({ subject, child, clients }) => ({
    name: subject.name,
    ask: () => clients.ask(largeCalls, callLarge()),
    measureUse: () => {
      const endUse = child.measureUse();
      return () => endUse(largeCalls);
    },
  }));
  const { settings, samples } = bench;
  await takeTurns(2, callers, ({ ask }) => ask());
  await takeTurns(settings.rounds, callers, async ({ name, ask, measureUse }, round) => {
    const endUse = measureUse();
    await withTimeout(name, ask());
    samples.add({ measure: 'gateway large', subject: name, round, values: endUse() });
  });
}
