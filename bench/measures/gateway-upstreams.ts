import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, measureRate, takeTurns, withTimeout } from '../bench.ts';
import { start } from '../child.ts';
import { listPage } from '../clients/messages.ts';
import { StdioClient } from '../clients/stdio.ts';
import { callersOf, heapBytes, type HttpServer, withHttpServers } from '../http-server.ts';
import { gatewayName, idleGatewayName, listing, ours, type Subject, variant } from '../subjects.ts';

/** Connections to upstreams: the first ones compile code, which is not part of a connection's memory. */
const upstreamCounts = [20, 220] as const;
/** Memory is read when connections have become quiet. */
const settleMs = 500;

/** What a gateway takes with many upstreams: to start, to list their tools, and to stay connected. */
export async function measureManyUpstreams(bench: Bench): Promise<void> {
  await measureStart(bench);
  await measureList(bench);
  await measureMemory(bench);
}

/** From spawn to the answer to `initialize`, on stdio. */
async function measureStart({ folder, settings, samples }: Bench): Promise<void> {
  const peers = join(folder, 'peers');
  const programs = [
    { subject: ours, args: [join(peers, 'ccmcp/stdio.mjs'), '2'] },
    { subject: idleGatewayName, args: [join(peers, 'ccmcp-gateway/many.mjs'), '0', 'stdio', 'idle'] },
  ];
  const initialize = async (args: readonly string[]): Promise<{ ms: number; cpuMs: number }> => {
    const started = performance.now();
    const child = start(args);
    try {
      await new StdioClient(child).initialize();
      return { ms: performance.now() - started, cpuMs: child.cpuMs() };
    } finally {
      await child.end();
    }
  };
  await takeTurns(1, programs, ({ args }) => initialize(args));
  await takeTurns(settings.startRounds, programs, async ({ subject, args }, round) => {
    const values = await withTimeout(subject, initialize(args));
    samples.add({ measure: 'gateway start', subject, round, values });
  });
}

/** The same list, by the gateway and by one server that has all tools. */
async function measureList(bench: Bench): Promise<void> {
  await withHttpServers(bench, listing, { connections: 4 }, async (servers) => {
    await measureRate(bench, callersOf(servers, listPage(2000)), { measure: 'gateway list', atLeast: 4 });
  });
}

/** A connection to an upstream that is not used, listening for its changes. */
async function measureMemory(bench: Bench): Promise<void> {
  const { settings, samples } = bench;
  await withHttpServers(bench, [variant('ccmcp behind')], { connections: 1 }, async ([upstream]) => {
    const url = `http://127.0.0.1:${(upstream as HttpServer).port}/mcp`;
    for (let round = 0; round < settings.growthRounds; round++) {
      const [few, many] = [
        await memoryWith(bench, upstreamCounts[0], url),
        await memoryWith(bench, upstreamCounts[1], url),
      ];
      const more = upstreamCounts[1] - upstreamCounts[0];
      const values = {
        residentKb: (many.residentKb - few.residentKb) / more,
        heapKb: (many.heapKb - few.heapKb) / more,
      };
      samples.add({ measure: 'gateway memory', subject: gatewayName, round, values });
    }
  });
}

async function memoryWith(bench: Bench, count: number, url: string): Promise<{ residentKb: number; heapKb: number }> {
  const connected: Subject = {
    ...(listing[1] as Subject),
    features: ['connected', String(count), url],
  };
  let memory = { residentKb: Number.NaN, heapKb: Number.NaN };
  const options = { connections: 1, nodeArguments: ['--expose-gc'] };
  await withHttpServers(bench, [connected], options, async ([gateway]) => {
    const { child, clients } = gateway as HttpServer;
    await clients.ask(1, listPage(2 * count));
    await delay(settleMs);
    const heapKb = (await heapBytes(child)) / 1024;
    memory = { residentKb: child.residentMb() * 1024, heapKb };
  });
  return memory;
}
