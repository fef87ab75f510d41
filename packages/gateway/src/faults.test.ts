import { type CallToolResult, createServer, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import type { Client } from '@ccmcp/core/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { programOf } from '../../../test/support/program.ts';
import { clientOf, closeAll, part, pinned } from './fixtures/clients.ts';
import type { Fault } from './fixtures/hostile.ts';
import type { Remote, RemoteOptions } from './remote.ts';

const program = programOf(new URL('./fixtures/hostile.ts', import.meta.url));

afterEach(closeAll);

const own = createServer({ name: 'own', version: '1', tools: [tool('own', {}, () => 'own')] });
const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;
const namesOf = async (client: Client): Promise<string[]> => (await client.listTools().all()).map(({ name }) => name);
const patience = { timeout: 20_000, interval: 5 };

async function through(
  fault: Fault,
  options: Partial<RemoteOptions> = {},
  front = '2025-11-25',
): Promise<{ up: Remote; client: Client }> {
  const target = { command: process.execPath, args: [program, fault], graceMs: 100 };
  const up = part(target, { client: pinned('2025-11-25'), backoff: { firstMs: 60_000 }, ...options });
  const client = await clientOf(compose({ up, own }, { name: 'gateway', version: '1' }), front);
  return { up, client };
}

describe.each(['dies-at-start', 'dies-at-handshake'] as const)('an upstream that %s', (fault) => {
  it('is omitted from lists, and the status has the reason', async () => {
    const { up, client } = await through(fault);
    expect(await namesOf(client)).toEqual(['own']);
    await vi.waitFor(() => expect(up.status).toMatchObject({ state: 'down', tools: 0, stale: true }), patience);
    expect(up.status.lastError).toBeDefined();
    expect(textOf(await client.callTool('own'))).toBe('own');
  });

  it('is named, with the reason, in the error of a call that names something unknown', async () => {
    const { client } = await through(fault);
    const reason = /\(the lists of "up" are not known: \S.*\)$/s;
    await expect(client.callTool('echo')).rejects.toThrow(reason);
    await expect(client.getPrompt('echo')).rejects.toThrow(reason);
    await expect(client.readResource('memo://echo')).rejects.toThrow(reason);
    expect(textOf(await client.callTool('own'))).toBe('own');
  });
});

it('an upstream that exits at each list is omitted from lists, and retried later', async () => {
  const { up, client } = await through('dies-at-list');
  expect(await namesOf(client)).toEqual(['own']);
  await vi.waitFor(() => expect(up.status.state).toBe('down'), patience);
  expect(textOf(await client.callTool('own'))).toBe('own');
});

it('an upstream that exits at each call fails the call with an explanation', async () => {
  const { client } = await through('dies-at-call');
  expect(await namesOf(client)).toEqual(['echo', 'own']);
  await expect(client.callTool('echo', { text: 'a' })).rejects.toThrow(/^The upstream "up" was lost during/);
  expect(await namesOf(client)).toEqual(['echo', 'own']);
});

describe.each(['hangs-at-handshake', 'hangs-at-list'] as const)('an upstream that %s', (fault) => {
  it('delays only the first list, for a bounded time', async () => {
    const { client } = await through(fault, { listWaitMs: 20 });
    expect(await namesOf(client)).toEqual(['own']);
    expect(textOf(await client.callTool('own'))).toBe('own');
  });
});

it.each(['hangs-at-handshake', 'hangs-at-list'] as const)(
  'an upstream that %s does not delay the first call of another',
  async (fault) => {
    const target = { command: process.execPath, args: [program, fault], graceMs: 100 };
    const slow = part(target, { name: 'slow', client: pinned('2025-11-25'), listWaitMs: 60_000 });
    const quick = part(own, { name: 'quick', prefix: 'quick_' });
    const client = await clientOf(compose({ slow, quick }, { name: 'gateway', version: '1' }), '2025-11-25');
    expect(textOf(await client.callTool('quick_own'))).toBe('own');
  },
);

it('a call that the upstream never answers times out, and others are answered', async () => {
  // Long enough for the other calls on a busy machine, whose upstream was started before.
  const { up, client } = await through('hangs-at-call', { timeoutMs: 1500 });
  await namesOf(client);
  expect(textOf(await client.callTool('echo', { text: 'a' }))).toBe('a');
  const hanging = client.callTool('echo', { text: 'wait' });
  hanging.catch(() => {});
  expect(textOf(await client.callTool('echo', { text: 'b' }))).toBe('b');
  await expect(hanging).rejects.toThrow(/^The upstream "up" failed at "tools\/call echo"/);
  expect(up.status.activeCalls).toBe(0);
});

describe.each(['answers-twice', 'answers-others', 'floods', 'sends-garbage'] as const)(
  'an upstream that %s',
  (fault) => {
    it.each(['2025-11-25', '2026-07-28'])('gets each answer to the right call of a client of %s', async (front) => {
      const { up, client } = await through(fault, {}, front);
      await namesOf(client);
      const texts = Array.from({ length: fault === 'floods' ? 3 : 50 }, (_, each) => `text ${each}`);
      const results = await Promise.all(texts.map(async (text) => textOf(await client.callTool('echo', { text }))));
      expect(results).toEqual(texts);
      expect(up.status).toMatchObject({ state: 'up', restarts: 0, activeCalls: 0 });
    });
  },
);

it('a response after the cancellation of its call is dropped', async () => {
  const { up, client } = await through('answers-late');
  await namesOf(client);
  const abort = new AbortController();
  const cancelled = client.callTool('echo', { text: 'wait' }, { signal: abort.signal });
  await vi.waitFor(() => expect(up.status.activeCalls).toBe(1), patience);
  abort.abort(new Error('enough'));
  await expect(cancelled).rejects.toThrow('enough');
  expect(textOf(await client.callTool('echo', { text: 'next' }))).toBe('next');
  expect(up.status).toMatchObject({ state: 'up', restarts: 0, activeCalls: 0 });
});

it('tools with hostile names and schemas are shown under valid names, or omitted', async () => {
  const { client } = await through('hostile-names');
  const names = await namesOf(client);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['echo', 'own', '__proto__', 'constructor']));
  expect(textOf(await client.callTool('constructor', { text: 'a' }))).toBe('a');
  expect(textOf(await client.callTool('echo', { text: 'b' }))).toBe('b');
});

it('tools with members of wrong types are shown without those, since clients reject a list for one of them', async () => {
  const { client } = await through('hostile-names');
  const tools = await client.listTools().all();
  expect(tools.find(({ name }) => name === 'wrong-members')).toEqual({
    name: 'wrong-members',
    inputSchema: { type: 'object' },
  });
  const properties = { text: { type: 'string' } };
  expect(tools.find(({ name }) => name === 'no-type')?.inputSchema).toEqual({ type: 'object', properties });
  for (const { description } of tools) expect(description ?? '').toBeTypeOf('string');
});

it.each(['result', 'error'])('a malformed %s fails its call at once', async (text) => {
  const { client } = await through('answers-malformed');
  await namesOf(client);
  await expect(client.callTool('echo', { text })).rejects.toThrow("The server's answer is malformed: {");
  expect(textOf(await client.callTool('echo', { text: 'next' }))).toBe('next');
});

it('tools that change constantly are served throughout, and the last list is shown', async () => {
  const { client } = await through('changes-tools');
  await namesOf(client);
  for (let each = 0; each < 20; each++) {
    expect(textOf(await client.callTool('echo', { text: `${each}` }))).toBe(`${each}`);
    expect(await namesOf(client)).toEqual(expect.arrayContaining(['echo', 'own']));
  }
  await vi.waitFor(async () => expect(await namesOf(client)).toContain('new200'), patience);
});
