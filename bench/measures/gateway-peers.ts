import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, type Caller, measureRate, withTimeout } from '../bench.ts';
import { type Child, start } from '../child.ts';
import { HttpClients } from '../clients/http.ts';
import { echo } from '../clients/messages.ts';
import { freePort, withHttpServers } from '../http-server.ts';
import { gatewayName, type GatewayPeer, gatewayPeers, gateways } from '../subjects.ts';
import { runner } from './client.ts';

/** Few: one of the others starts a process for each. */
const clientCount = 8;
/** How long a gateway may take to start. */
const startMs = 30_000;

interface Running {
  readonly caller: Caller;
  end(): Promise<void>;
}

/** Calls per second of other gateways, with the same server on stdio behind. Our own client, since `wrk` knows no sessions. */
export async function measureGatewayPeers(bench: Bench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-gateways-'));
  const running: Running[] = [];
  const own = gateways.filter(({ name }) => name === gatewayName);
  try {
    await withHttpServers(bench, own, { mode: 'session', connections: clientCount }, async (servers) => {
      for (const peer of gatewayPeers) running.push(await withTimeout(peer.name, startPeer(bench, peer, folder)));
      const callers = servers.map(({ subject, clients, child }) => ({
        name: subject.name,
        ask: async (calls: number) => ({ seconds: (await clients.ask(calls)).seconds }),
        measureUse: child.measureUse,
      }));
      const all = [...callers, ...running.map(({ caller }) => caller)];
      await measureRate(bench, all, { measure: 'gateway peers', atLeast: clientCount });
    });
  } finally {
    for (const { end } of running) await end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startPeer({ folder }: Bench, peer: GatewayPeer, work: string): Promise<Running> {
  const peers = join(folder, 'peers');
  const upstream = join(peers, 'ccmcp/upstream.mjs');
  const config = join(work, 'servers.json');
  const server = { command: process.execPath, args: [upstream], lifecycle: 'keep-alive' };
  writeFileSync(config, JSON.stringify({ mcpServers: { bench: server } }));
  const program = join(peers, 'node_modules', peer.program);
  // Its files on disk, and processes that it leaves behind, belong to this run only.
  const env = { HOME: work, XDG_CONFIG_HOME: work, XDG_STATE_HOME: work, XDG_CACHE_HOME: work, XDG_DATA_HOME: work };
  const port = await freePort();
  const child = start([program, ...peer.args({ port, upstream, config })], { env });
  child.stdout.resume();
  const end = async (): Promise<void> => {
    if (peer.stop !== undefined) await exit(start([program, ...peer.stop(config)], { env }));
    child.process.kill('SIGTERM');
    await Promise.race([exit(child), delay(2000)]);
    await child.end();
  };
  try {
    const { ask, close } = await connectTo(peers, peer, port);
    const stop = async (): Promise<void> => {
      await close();
      await end();
    };
    return { caller: { name: peer.name, ask, measureUse: child.measureUse }, end: stop };
  } catch (error) {
    await end();
    throw error;
  }
}

interface Connected {
  ask(calls: number): Promise<{ seconds: number }>;
  close(): Promise<void> | void;
}

/** Connects once the gateway listens and has its tool. */
async function connectTo(peers: string, peer: GatewayPeer, port: number): Promise<Connected> {
  const deadline = performance.now() + startMs;
  for (;;) {
    const connected = await connectOnce(peers, peer, port);
    try {
      await connected.ask(1);
      return connected;
    } catch (error) {
      await connected.close();
      if (performance.now() > deadline) throw error;
      await delay(200);
    }
  }
}

async function connectOnce(peers: string, { name, tool, mode }: GatewayPeer, port: number): Promise<Connected> {
  if (mode === undefined) return connectLegacy(peers, name, port);
  let clients: HttpClients | undefined;
  const question = echo('handshake', tool);
  return {
    async ask(calls) {
      clients ??= await HttpClients.connect(port, mode, clientCount);
      return { seconds: (await clients.ask(calls, question)).seconds };
    },
    close: () => clients?.close(),
  };
}

/** Over HTTP+SSE, with a client in its own process. */
function connectLegacy(peers: string, name: string, port: number): Connected {
  const url = `http://127.0.0.1:${port}/mcp`;
  const child: Child = start([join(peers, 'ccmcp/legacy-client.mjs'), 'sse', url, 'handshake'], { ipc: true });
  const run = runner(name, child);
  return {
    async ask(calls) {
      const { seconds = Number.NaN } = await run('ask', { calls, inFlight: clientCount });
      return { seconds };
    },
    close: () => child.end(),
  };
}

function exit({ process: child }: Child): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
}
