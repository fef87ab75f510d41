import { describe, expect, it } from 'vitest';
import { httpWire } from '../../../../../test/support/http-wire.ts';
import { McpClient } from '../../../../../test/support/mcp-client.ts';
import { createServer } from '../../create-server.ts';
import { tool } from '../../server/define/define.ts';
import type { Server } from '../../server/server.ts';
import { memoryStore } from '../../stores/memory.ts';
import { Instance } from '../tasks/fixtures/instance.ts';
import { tasks } from '../tasks/tasks.ts';
import { resultBudget } from './result-budget.ts';

const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `Row ${id}` }));
const ann = { auth: { principal: 'ann', scopes: ['read'] } };

function serverOf(): Server {
  return createServer({
    name: 'x',
    version: '1',
    extensions: [tasks({ leaseMs: 60_000 })],
    tools: [
      tool('big', { scopes: ['read'] }, () => JSON.stringify(rows)),
      tool('work', { task: 'optional' }, () => JSON.stringify(rows)),
      tool('open', {}, () => JSON.stringify(rows)),
    ],
  }).use(resultBudget({ tokens: 500 }));
}

function cursorOf(result: Record<string, unknown>): string {
  return /cursor "([^"]+)"/.exec(JSON.stringify(result).replaceAll('\\"', '"'))?.[1] ?? '';
}

describe('a cursor', () => {
  it('is served by any instance, to its caller with the scopes of the call', async () => {
    const store = memoryStore();
    const [one, other] = [0, 1].map(() => new Instance({ made: serverOf(), store })) as [Instance, Instance];
    const cursor = cursorOf(await one.call('big', {}, ann));
    const own = await other.call('read_more', { cursor }, ann);
    expect(own).toMatchObject({ isError: false });
    const rejected = await other.call('read_more', { cursor: 'never' }, ann);
    for (const auth of [{ principal: 'bob', scopes: ['read'] }, { principal: 'ann', scopes: [] }, undefined]) {
      expect(await other.call('read_more', { cursor }, auth && { auth })).toEqual(rejected);
    }
  });

  it('leads on from the result of a task', async () => {
    const one = new Instance({ made: serverOf() });
    const task = await one.until(await one.begin('work', {}, ann), 'completed', ann);
    const { result } = task as unknown as { result: Record<string, unknown> };
    expect(JSON.stringify(result)).toContain('of 500; read the rest with read_more');
    const page = await one.call('read_more', { cursor: cursorOf(result) }, ann);
    expect(JSON.stringify(page)).toContain('Showing rows');
  });

  it('that the store has no room for is not given', async () => {
    const failing = Object.assign(Object.create(memoryStore()), { create: () => 'full' });
    const one = new Instance({ made: serverOf(), store: failing });
    expect(JSON.stringify(await one.call('open'))).toContain('the rest could not be kept now: ask for less at a time');
  });
});

it.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])('is served over HTTP in %s', async (version) => {
  const client = new McpClient(httpWire(serverOf()), { version });
  await client.initialize();
  const cursor = cursorOf(await client.request('tools/call', { name: 'open', arguments: {} }));
  const page = await client.request('tools/call', { name: 'read_more', arguments: { cursor } });
  expect(page.content.at(-1).text).toMatch(/^Showing rows \d+–\d+ of 500; /);
});
