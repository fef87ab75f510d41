import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallToolResult, createServer, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import type { Client } from '@ccmcp/core/client';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { programOf } from '../../../test/support/program.ts';
import { clientOf, closeAll, part, pinned } from './fixtures/clients.ts';
import type { ProgramOptions } from './fixtures/program.ts';
import type { Remote } from './remote.ts';
import type { RemoteOptions } from './remote-options.ts';

const program = programOf(new URL('./fixtures/program.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ccmcp-gateway-'));
let files = 0;
const file = (): string => join(folder, String((files += 1)));

afterEach(closeAll);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const whole = { name: 'gateway', version: '1' };
const own = createServer({ name: 'own', version: '1', tools: [tool('own', {}, () => 'own')] });
const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;

function upstream(options: ProgramOptions = {}, more: Partial<RemoteOptions> = {}): Remote {
  const target = { command: process.execPath, args: [program, JSON.stringify(options)], graceMs: 100 };
  return part(target, { backoff: { firstMs: 10, maxMs: 50 }, ...more });
}

const kill = async (client: Client): Promise<string> => {
  const pid = textOf(await client.callTool('pid'));
  process.kill(Number(pid), 'SIGKILL');
  return pid;
};

const eras = ['2025-11-25', '2026-07-28'];

describe.each(eras)('an upstream on %s', (behind) => {
  const spoken = { client: pinned(behind) };

  it('answers each call exactly once, with a result or an error, whatever exits in between', {
    timeout: 60_000,
  }, async () => {
    const ledger = file();
    writeFileSync(ledger, '');
    const up = upstream({ ledger }, spoken);
    const server = compose({ up, own }, whole);
    const elicit = ({ message }: { message: string }) => ({ action: 'accept', content: { answer: `yes: ${message}` } });
    const clients = await Promise.all(
      eras.flatMap((front) => [front, front]).map((front) => clientOf(server, front, { elicit } as never)),
    );
    const settled = new Map<string, number>();
    const wrong: unknown[] = [];
    let failed = 0;
    const call = async (client: Client, name: string, id: string, expected: string): Promise<boolean> => {
      let isDone = false;
      try {
        const text = textOf(await client.callTool(name, { id }, { retries: 0 }));
        if (text !== expected) wrong.push({ id, text });
        isDone = true;
      } catch (error) {
        // A stateless server that was started again does not know the state that it gave out before.
        const expectedErrors = /^The upstream "up" (was lost during|is not available)|^"requestState" is not one/;
        if (!expectedErrors.test((error as Error).message)) wrong.push(error);
        failed += 1;
      }
      settled.set(id, (settled.get(id) ?? 0) + 1);
      return isDone;
    };
    const written: string[] = [];
    const round = (each: number) =>
      clients.flatMap((client, index) =>
        Array.from({ length: 10 }, async (_, number) => {
          const id = `${each}-${index}-${number}`;
          if (number % 5 === 4) return call(client, 'ask', id, `${id} yes: Answer of ${id}?`);
          if (number % 2 === 1) return call(client, 'echo', id, `echo ${id}`);
          if (await call(client, 'write', id, `wrote ${id}`)) written.push(id);
        }),
      );
    await clients[0]?.listTools().all();
    for (let each = 0; each < 5; each++) {
      const calls = round(each);
      await kill(clients[0] as Client).catch(() => {});
      await Promise.all(calls);
    }
    expect(wrong).toEqual([]);
    expect(settled.size).toBe(200);
    expect([...settled.values()].every((count) => count === 1)).toBe(true);
    const lines = readFileSync(ledger, 'utf8').trim().split('\n').filter(Boolean);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toEqual(expect.arrayContaining(written));
    expect(failed).toBeLessThan(200);
    expect(up.status).toMatchObject({ activeCalls: 0, suspendedCalls: 0 });
  });
});
