import { afterEach, describe, expect, it, vi } from 'vitest';
import { open } from '../transports/stdio/fixtures/open.ts';
import { createServer } from '../create-server.ts';
import { tool } from './define/define.ts';
import { untilInitialized } from './until-initialized.ts';

afterEach(() => {
  vi.useRealTimers();
});

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: { roots: {} }, clientInfo: { name: 'c', version: '1' } },
};
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'roots' } };
const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

/** A client on stdio whose call asks it something before `notifications/initialized`. */
async function askEarly() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const roots = tool('roots', {}, async (_, context) => `${(await context.roots()).length} roots`);
  const client = open(createServer({ name: 'asking', version: '1.0.0', tools: [roots] }));
  client.send(initialize, call, ping);
  await client.answer(2);
  return client;
}

describe('a client that has not said that it is ready', () => {
  it('is asked as soon as it has (S-V-04)', async () => {
    const client = await askEarly();
    expect(client.received.map(({ id }) => id)).toEqual([0, 2]);
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { id } = await client.message('roots/list');
    client.send({ jsonrpc: '2.0', id, result: { roots: [] } });
    expect(await client.answer(1)).toMatchObject({ result: { content: [{ text: '0 roots' }] } });
  });

  it('is asked after a timeout', async () => {
    const client = await askEarly();
    await vi.advanceTimersByTimeAsync(5 * 1000 - 1);
    expect(client.received.map(({ id }) => id)).toEqual([0, 2]);
    await vi.advanceTimersByTimeAsync(1);
    const { id } = await client.message('roots/list');
    client.send({ jsonrpc: '2.0', id, result: { roots: [] } });
    expect(await client.answer(1)).toMatchObject({ result: { isError: false } });
  });

  it('is not asked if its call is cancelled meanwhile', async () => {
    const client = await askEarly();
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' }, { ...ping, id: 3 });
    await client.answer(3);
    expect(client.received.map(({ id }) => id)).toEqual([0, 2, 3]);
  });
});

it('waiting leaves no listener or timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ways: ((go: () => void, ending: AbortController) => void)[] = [
    (go) => go(),
    (_, ending) => ending.abort(),
    () => vi.advanceTimersByTime(5 * 1000),
  ];
  for (const way of ways) {
    const ending = new AbortController();
    const waiting = new Set<() => void>();
    const done = untilInitialized((go) => {
      waiting.add(go);
      return () => waiting.delete(go);
    }, ending.signal);
    const [go] = waiting;
    way(go as () => void, ending);
    await done;
    expect([waiting.size, vi.getTimerCount()]).toEqual([0, 0]);
  }
});
