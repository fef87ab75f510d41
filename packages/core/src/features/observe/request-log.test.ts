import { describe, expect, it, vi } from 'vitest';
import { createServer } from '../../create-server.ts';
import { tool } from '../../server/define/define.ts';
import { type DirectClientOptions, connectDirect } from '../../server/fixtures/direct-client.ts';
import type { LogEntry } from '../../server/log/log.ts';
import { requestLog } from './request-log.ts';

const tools = [
  tool('add', { input: { type: 'object' } }, () => 'sum'),
  tool('fail', {}, () => {
    throw new Error('canary-error');
  }),
];

function logged(options: DirectClientOptions = {}) {
  const log: LogEntry[] = [];
  const server = createServer({ name: 's', version: '1', tools, logger: { level: 'emergency', write() {} } });
  server.observe(requestLog({ logger: { level: 'info', write: (entry) => void log.push(entry) } }));
  return { log, client: connectDirect(server, options) };
}

describe('the request log', () => {
  it('has caller, method, duration and outcome', async () => {
    const { log, client } = logged({
      auth: { principal: 'alice' },
      origin: { transport: 'http', session: '0f14d0ab-9605-4a62-a9e4-5ed26688389b', address: '10.0.0.1' },
    });
    await client.request('tools/call', { name: 'add', arguments: { secret: 'canary-argument' } }, 'r-1');
    expect(log).toEqual([
      {
        level: 'info',
        logger: 'requests',
        data: {
          id: 'r-1',
          method: 'tools/call',
          tool: 'add',
          caller: 'alice',
          // The beginning of the SHA-256 digest of the id.
          session: '120aefc713af2192a9c54773',
          transport: 'http',
          address: '10.0.0.1',
          revision: '2026-07-28',
          outcome: 'ok',
          durationMs: expect.any(Number),
        },
      },
    ]);
  });

  it('has the code of an error, and never its message (OB-02)', async () => {
    const { log, client } = logged();
    await client.request('no/such', { token: 'canary-param' });
    await client.request('tools/call', { name: 'fail', arguments: {} });
    expect(log).toMatchObject([
      { data: { method: 'no/such', outcome: 'error', error: -32601 } },
      { data: { tool: 'fail', outcome: 'tool-error' } },
    ]);
    expect(JSON.stringify(log)).not.toContain('canary');
  });

  it('truncates long texts of clients (OB-03)', async () => {
    const { log, client } = logged({ auth: { principal: 'p'.repeat(10_000) } });
    const long = 'x'.repeat(100_000);
    await client.request('tools/call', { name: long }, long);
    await client.request(long);
    const cut = `${'x'.repeat(128)}…`;
    expect(log).toMatchObject([{ data: { id: cut, tool: cut } }, { data: { method: cut } }]);
    for (const entry of log) expect(JSON.stringify(entry).length).toBeLessThan(1000);
  });

  it('is one escaped line on stderr per request (OB-03)', async () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => void written.push(String(text)) as never);
    try {
      const server = createServer({ name: 's', version: '1', tools });
      server.observe(requestLog());
      await connectDirect(server).request('tools/call', { name: 'a\r\nb\u001B[2J\u2028' }, '\n{"level":"emergency"}');
    } finally {
      vi.restoreAllMocks();
    }
    const text = written.join('');
    expect(text.indexOf('\n')).toBe(text.length - 1);
    expect(text.trimEnd()).not.toMatch(/\p{Cc}|\u2028/u);
    expect(JSON.parse(text)).toMatchObject({ logger: 'requests', data: { tool: 'a\r\nb\u001B[2J\u2028' } });
  });

  it('is skipped below the level of its logger', async () => {
    const server = createServer({ name: 's', version: '1', tools });
    const entries: LogEntry[] = [];
    server.observe(requestLog({ logger: { level: 'warning', write: (entry) => void entries.push(entry) } }));
    await connectDirect(server).request('tools/list');
    expect(entries).toEqual([]);
  });
});
