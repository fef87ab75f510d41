import { type CallToolResult, createServer, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import type { Client } from '@ccmcp/core/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { programOf } from '../../../test/support/program.ts';
import { clientOf, closeAll, part, pinned } from './fixtures/clients.ts';
import type { Fault } from './fixtures/hostile.ts';
import type { Remote } from './remote.ts';
import type { RemoteOptions } from './remote-options.ts';

const program = programOf(new URL('./fixtures/hostile.ts', import.meta.url));

afterEach(closeAll);

const own = createServer({ name: 'own', version: '1', tools: [tool('own', {}, () => 'own')] });
const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;
const namesOf = async (client: Client): Promise<string[]> => (await client.listTools().all()).map(({ name }) => name);
const polling = { timeout: 20_000, interval: 5 };

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
    await vi.waitFor(() => expect(up.status).toMatchObject({ state: 'down', tools: 0, stale: false }), polling);
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
  await vi.waitFor(() => expect(up.status.state).toBe('down'), polling);
  expect(textOf(await client.callTool('own'))).toBe('own');
});

it('an upstream that exits at each call fails the call with an explanation', async () => {
  const { client } = await through('dies-at-call');
  expect(await namesOf(client)).toEqual(['echo', 'own']);
  await expect(client.callTool('echo', { text: 'a' })).rejects.toThrow(/^The upstream "up" was lost during/);
  expect(await namesOf(client)).toEqual(['echo', 'own']);
});

it('an upstream that closes its stdout and keeps running is lost, and restarted', async () => {
  const { up, client } = await through('closes-stdout');
  expect(await namesOf(client)).toEqual(['echo', 'own']);
  const lost = /^The upstream "up" was lost during .* was stopped, since it closed its stdout/;
  await expect(client.callTool('echo', { text: 'close' })).rejects.toThrow(lost);
  expect(up.status.restarts).toBe(1);
  expect(textOf(await client.callTool('echo', { text: 'a' }))).toBe('a');
});

/** Questions with members of wrong types, and what is said of each. */
const malformed: readonly (readonly [problem: string, method: string, params: unknown])[] = [
  ['"params" must be an object', 'elicitation/create', undefined],
  ['"params.mode" must be "form" or "url"', 'elicitation/create', { mode: 1 }],
  ['"params.message" must be a string', 'elicitation/create', { message: 1, requestedSchema: {} }],
  ['"params.requestedSchema" must be an object', 'elicitation/create', { message: 'a', requestedSchema: [] }],
  ['"params.requestedSchema.properties.a" must be', 'elicitation/create', askFor({ properties: { a: 'string' } })],
  ['"params.requestedSchema.required[0]" must be', 'elicitation/create', askFor({ required: [1] })],
  ['"params.url" must be a URL', 'elicitation/create', { mode: 'url', message: 'a', url: 'no url' }],
  ['"params.messages" must be a list', 'sampling/createMessage', { messages: 'hello' }],
  ['"params.messages[0]" must be an object', 'sampling/createMessage', { messages: ['hello'] }],
  ['"params.messages[0].role" must be', 'sampling/createMessage', says({ role: 'system' })],
  ['"params.messages[0].content" must be an object', 'sampling/createMessage', says({ content: 'hello' })],
  ['"params.messages[0].content[0].text" must be', 'sampling/createMessage', says({ content: [{ type: 'text' }] })],
  ['"params.maxTokens" must be a number', 'sampling/createMessage', { ...says({}), maxTokens: '10' }],
  ['"params._meta" must be an object', 'roots/list', { _meta: 'x' }],
];

function askFor(requestedSchema: object): object {
  return { message: 'a', requestedSchema };
}

function says(message: object): object {
  return { messages: [{ role: 'user', content: { type: 'text', text: 'hello' }, ...message }] };
}

describe.each(['2025-11-25', '2026-07-28'])('an upstream that asks a client of %s a malformed question', (front) => {
  const able = (asked: unknown[]) => ({
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
    answer: (method: string) => {
      asked.push(method);
      return { action: 'accept' };
    },
  });

  it.each(malformed)('gets an error that says: %s', async (problem, method, params) => {
    const asked: unknown[] = [];
    const { up } = await through('asks-malformed', {}, front);
    const client = await clientOf(compose({ up }, { name: 'gateway', version: '1' }), front, able(asked));
    const answer = textOf(await client.callTool('echo', { text: JSON.stringify({ method, params }) }));
    expect(JSON.parse(answer)).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringContaining(`The question "${method}" of the upstream "up" is malformed: ${problem}`),
      },
    });
    expect(asked).toEqual([]);
    expect(up.status.activeCalls).toBe(0);
  });

  it.each(malformed)('in the stateless era fails the call with: %s', async (problem, method, params) => {
    const asked: unknown[] = [];
    const server = createServer({ name: 'asking', version: '1', tools: [tool('echo', {}, () => 'never')] });
    const inputRequests = { one: { method, ...(params !== undefined && { params }) } };
    server.use((operation, next) =>
      operation.method === 'tools/call' ? { resultType: 'input_required', inputRequests } : next(),
    );
    const up = part(server, { client: pinned('2026-07-28') });
    const client = await clientOf(compose({ up }, { name: 'gateway', version: '1' }), front, able(asked));
    await expect(client.callTool('echo')).rejects.toThrow(
      `The question "${method}" of the upstream "up" is malformed: ${problem}`,
    );
    expect(asked).toEqual([]);
    expect(up.status.activeCalls).toBe(0);
  });
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
  await vi.waitFor(() => expect(up.status.activeCalls).toBe(1), polling);
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
  await vi.waitFor(async () => expect(await namesOf(client)).toContain('new200'), polling);
});
