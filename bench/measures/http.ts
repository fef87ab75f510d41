import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, measureRate } from '../bench.ts';
import { callersOf, connections, loadInTurns, withHttpServers } from '../http-server.ts';
import { type HttpMode, ours, subjects, variant } from '../subjects.ts';

/** Calls over HTTP: with `wrk` (the targets are about it), with one connection, and with our own client. */
export async function measureHttp(bench: Bench, mode: HttpMode): Promise<void> {
  const taking = subjects.filter(({ http }) => http.includes(mode));
  await withHttpServers(bench, taking, { mode }, async (servers) => {
    await loadInTurns(bench, servers, { measure: `http ${mode}` });
    const some = servers.filter(({ subject }) => subject.kind !== 'peer');
    await loadInTurns(bench, some, { measure: `http ${mode}, one connection`, connections: 1 });
    await measureRate(bench, callersOf(servers), { measure: `http ${mode}, own client`, atLeast: connections });
  });
}

/** The cost of metrics and an audit log. */
export async function measureWatching(bench: Bench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-watching-'));
  const audit = `audit=${join(folder, 'audit.jsonl')}`;
  const taking = [
    variant(ours),
    variant('ccmcp, metrics', 'metrics'),
    variant('ccmcp, metrics + audit', 'metrics', audit),
  ];
  try {
    await withHttpServers(bench, taking, {}, (servers) => loadInTurns(bench, servers, { measure: 'watching' }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The gain of two workers; CPU is that of all processes. */
export async function measureWorkers(bench: Bench): Promise<void> {
  for (const mode of ['2026-07-28', 'session'] as const) {
    const taking = [variant(ours), variant('ccmcp, 2 workers', 'workers=2')];
    await withHttpServers(bench, taking, { mode }, (servers) =>
      loadInTurns(bench, servers, { measure: `workers ${mode}` }),
    );
  }
}
