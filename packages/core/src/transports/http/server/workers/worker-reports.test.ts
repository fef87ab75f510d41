import { describe, expect, it } from 'vitest';
import { connectionsToAll } from './fixtures/connection.ts';
import { type Program, startProgram } from './fixtures/start.ts';
import { WorkerReports } from './worker-reports.ts';

/** Reads the report of the primary for operators. */
async function operator({ says, url }: Program) {
  await url;
  const [, adminUrl = ''] = await says(/operators look at (\S+)/);
  const get = async (path: string): Promise<string> => (await fetch(adminUrl + path)).text();
  /** The sum of all lines that begin so. */
  const sum = async (start: string): Promise<number> => {
    const lines = (await get('/metrics')).split('\n').filter((line) => line.startsWith(start));
    return lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  };
  return { get, sum };
}

const calls = 'ccmcp_requests_total{method="tools/call",tool="who"';

describe('the metrics of a server with workers', () => {
  it('are summed over all of them, except those of one process', async () => {
    const program = startProgram({ workers: 2, admin: {} });
    const { get, sum } = await operator(program);
    const all = await connectionsToAll(await program.url, 2);
    const before = await sum(calls);
    for (const connection of all.values()) for (let i = 0; i < 5; i++) await connection.call('who');
    expect((await sum(calls)) - before).toBe(10);
    const text = await get('/metrics');
    expect(text.split('\n').filter((line) => line.startsWith(calls))).toHaveLength(1);
    for (const worker of ['1', '2', 'primary']) {
      expect(text).toMatch(new RegExp(`^process_resident_memory_bytes\\{worker="${worker}"\\} \\d+$`, 'm'));
    }
    expect(text).toContain('ccmcp_worker_up{worker="1"} 1\nccmcp_worker_up{worker="2"} 1\n');
    expect(text.match(/^ccmcp_build_info/gm)).toHaveLength(1);
    expect(await get('/readyz')).toBe('ok\n');
  });

  it('do not decrease when a worker is replaced', async () => {
    const program = startProgram({ workers: 2, admin: {} });
    const { sum } = await operator(program);
    const all = await connectionsToAll(await program.url, 2);
    const before = await sum(calls);
    const [pid = 0] = all.keys();
    process.kill(pid, 'SIGKILL');
    await program.says(/it is replaced/);
    await program.says(/(?:is process[\s\S]*){3}/);
    expect(await sum(calls)).toBe(before);
    const again = await connectionsToAll(await program.url, 2);
    for (const connection of again.values()) await connection.call('who');
    expect(await sum(calls)).toBeGreaterThanOrEqual(before + 2);
  });
});

describe('reports of workers', () => {
  const families = [{ name: 'n', help: 'h', type: 'counter' as const, samples: [{ value: 3 }] }];

  it('use the previous values of a slow worker, and say so', async () => {
    const reports = new WorkerReports({ timeoutMs: 10 });
    reports.add(1, () => {});
    reports.take(1, { families, readiness: 'ready' });
    const { families: received, readiness } = await reports.all({ closing: false });
    reports.stop();
    expect(readiness).toBe('ready');
    expect(received).toContainEqual(families[0]);
    expect(received.find(({ name }) => name === 'ccmcp_worker_up')?.samples).toEqual([
      { labels: { worker: '1' }, value: 0 },
    ]);
  });

  it.each([
    [['ready', 'store'], false, 'ready'],
    [['store', 'store'], false, 'store'],
    [[], false, 'starting'],
    [['ready'], true, 'closing'],
  ] as const)('of workers that are %j make all of them, closing or not (%s), %s', async (states, closing, expected) => {
    const reports = new WorkerReports();
    for (const [index, readiness] of states.entries()) {
      reports.add(index, () => reports.take(index, { families, readiness }));
    }
    expect((await reports.all({ closing })).readiness).toBe(expected);
    reports.stop();
  });
});
