import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallToolResult } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import type { Client } from '@ccmcp/core/client';
import { afterAll, afterEach, expect, it } from 'vitest';
import { programOf } from '../../../test/support/program.ts';
import { clientOf, closeAll, part, pinned } from './fixtures/clients.ts';

const program = programOf(new URL('./fixtures/program.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ccmcp-gateway-'));

afterEach(closeAll);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;

it.each(['2025-11-25', '2026-07-28'])(
  '1000 calls in flight to an upstream of %s that is killed: each ends once, with its own answer or an error',
  { timeout: 120_000 },
  async (behind) => {
    const ledger = join(folder, behind);
    writeFileSync(ledger, '');
    const target = { command: process.execPath, args: [program, JSON.stringify({ ledger })], graceMs: 100 };
    const up = part(target, { client: pinned(behind), backoff: { firstMs: 10, maxMs: 50 } });
    const server = compose({ up }, { name: 'gateway', version: '1' });
    const fronts = Array.from({ length: 10 }, (_, each) => (each % 2 === 0 ? '2025-11-25' : '2026-07-28'));
    const clients = await Promise.all(fronts.map((front) => clientOf(server, front)));
    const pid = Number(textOf(await (clients[0] as Client).callTool('pid')));

    const ends = new Map<string, number>();
    const answered: string[] = [];
    const wrong: unknown[] = [];
    const calls = Array.from({ length: 1000 }, async (_, each) => {
      const id = String(each);
      const client = clients[each % clients.length] as Client;
      try {
        const text = textOf(await client.callTool('write', { id }, { retries: 0 }));
        if (text === `wrote ${id}`) answered.push(id);
        else wrong.push({ id, text });
        // The upstream is busy with the rest.
        if (answered.length === 100) process.kill(pid, 'SIGKILL');
      } catch (error) {
        if (!/^The upstream "up" (was lost during|is not available)/.test((error as Error).message)) wrong.push(error);
      }
      ends.set(id, (ends.get(id) ?? 0) + 1);
    });
    await Promise.all(calls);
    expect(wrong).toEqual([]);
    expect(ends.size).toBe(1000);
    expect([...ends.values()].every((count) => count === 1)).toBe(true);
    expect(answered.length).toBeGreaterThanOrEqual(100);
    const written = readFileSync(ledger, 'utf8').trim().split('\n');
    expect(new Set(written).size).toBe(written.length);
    expect(written).toEqual(expect.arrayContaining(answered));
    expect(up.status).toMatchObject({ restarts: 1, activeCalls: 0 });
  },
);
