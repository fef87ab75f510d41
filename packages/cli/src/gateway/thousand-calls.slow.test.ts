import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallToolResult } from '@ccmcp/core';
import { type Client, connect, httpTransport } from '@ccmcp/core/client';
import { expect, it, onTestFinished } from 'vitest';
import { launcher } from '../../../../test/support/ccmcp.ts';
import { freePort } from '../../../../test/support/free-port.ts';
import { programOf } from '../../../../test/support/program.ts';
import type { UpstreamStatus } from './upstreams.ts';

const program = programOf(new URL('../../../gateway/src/fixtures/program.ts', import.meta.url));
const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;
const callers = 10;
const callsOfEach = 100;

it('1000 calls in flight while the file changes and an upstream is killed: each ends once, with its own answer or an error', {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-gateway-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const file = join(folder, 'servers.json');
  const released = join(folder, 'released');
  const ledgers = { killed: join(folder, 'killed'), changed: join(folder, 'changed') };
  for (const ledger of Object.values(ledgers)) writeFileSync(ledger, '');
  const entry = (ledger: string): object => ({
    command: process.execPath,
    args: [program, JSON.stringify({ ledger, released })],
  });
  const write = (mcpServers: object): void => writeFileSync(file, JSON.stringify({ mcpServers }));
  write({ killed: entry(ledgers.killed), changed: entry(ledgers.changed) });

  const [port, admin] = [await freePort(), await freePort()];
  const keys = Array.from({ length: callers }, (_, each) => `key-${each}`);
  const args = ['gateway', file, '--http', String(port), '--admin', String(admin), '--api-key-env', 'KEYS'];
  const child = spawn(launcher, args, {
    env: { ...process.env, KEYS: keys.join(',') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const polling = { timeout: 30_000 };
  await expect.poll(() => output, polling).toContain('The gateway is served at');

  const warnings: string[] = [];
  const clients = await Promise.all(
    keys.map(async (key, each) => {
      const transport = httpTransport(`http://127.0.0.1:${port}/mcp`, { headers: { 'X-Api-Key': key } });
      const version = each % 2 === 0 ? '2025-11-25' : '2026-07-28';
      const era = each % 2 === 0 ? 'handshake' : 'stateless';
      const client = await connect(transport, { version, era, onWarning: (text) => warnings.push(text) });
      onTestFinished(() => client.close());
      return client;
    }),
  );
  const [anyone] = clients as [Client];
  const pid = Number(textOf(await anyone.callTool('killed_pid')));
  const formerPid = textOf(await anyone.callTool('changed_pid'));

  const ends = new Map<string, number>();
  const answered: string[] = [];
  const failed: string[] = [];
  const wrong: unknown[] = [];
  const calls = clients.flatMap((client, caller) =>
    Array.from({ length: callsOfEach }, async (_, each) => {
      const upstream = each % 2 === 0 ? 'killed' : 'changed';
      const id = `${upstream}-${caller}-${each}`;
      try {
        const text = textOf(await client.callTool(`${upstream}_hold`, { id }, { retries: 0 }));
        if (text === `held ${id}`) answered.push(id);
        else wrong.push({ id, text });
      } catch (error) {
        const { message } = error as Error;
        if (/^The upstream "killed" (was lost during|is not available)/.test(message)) failed.push(id);
        else wrong.push({ id, message });
      }
      ends.set(id, (ends.get(id) ?? 0) + 1);
    }),
  );
  const linesOf = (ledger: string): string[] =>
    readFileSync(ledger, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  const begun = (): number => linesOf(ledgers.killed).length + linesOf(ledgers.changed).length;
  await expect.poll(begun, polling).toBe(callers * callsOfEach);
  const { upstreams } = (await (await fetch(`http://127.0.0.1:${admin}/status`)).json()) as {
    upstreams: UpstreamStatus[];
  };
  expect(upstreams.map(({ activeCalls }) => activeCalls)).toEqual([500, 500]);

  write({
    killed: entry(ledgers.killed),
    changed: { ...entry(ledgers.changed), timeout: 61 },
    added: entry(ledgers.changed),
  });
  await expect.poll(() => output, polling).toContain('added added; changed changed');
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => failed.length, polling).toBe(500);
  // The new process of the changed server serves while the former one still has its calls.
  expect(textOf(await anyone.callTool('changed_pid'))).not.toBe(formerPid);
  expect(answered).toEqual([]);
  writeFileSync(released, '');
  await Promise.all(calls);

  expect(wrong).toEqual([]);
  expect(warnings).toEqual([]);
  expect([...ends.values()].every((count) => count === 1)).toBe(true);
  expect([ends.size, answered.length, failed.length]).toEqual([1000, 500, 500]);
  expect(answered.every((id) => id.startsWith('changed-'))).toBe(true);
  for (const [name, ledger] of Object.entries(ledgers)) {
    const written = linesOf(ledger);
    expect(new Set(written).size).toBe(500);
    expect(written).toHaveLength(500);
    expect(written.every((id) => id.startsWith(`${name}-`))).toBe(true);
  }
  expect(Number(textOf(await anyone.callTool('killed_pid')))).not.toBe(pid);
});
