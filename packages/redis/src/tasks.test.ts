import { createServer, tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { tasks } from '@ccmcp/core/tasks';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SendOptions, statelessClient } from '../../core/src/transports/http/server/fixtures/client.ts';
import { canStart, type OwnRedis, startRedis, stopAll } from './fixtures/redis.ts';
import { redisStore } from './index.ts';

const meta = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};
const form = { type: 'object', properties: { name: { type: 'string' } } } as const;
const endless = (): Promise<never> => new Promise(() => {});

interface Started {
  call(name: string): Promise<string>;
  request(method: string, taskId: string, params?: object): Promise<Record<string, unknown>>;
  until(taskId: string, status: string): Promise<Record<string, unknown>>;
  /** Lets it lose its store from one moment to the next. */
  lose(): Promise<void>;
}

/** An instance of a server; its handlers never end if configured so. */
async function startInstance({ url }: OwnRedis, { stuck = false, leaseMs = 600 } = {}): Promise<Started> {
  const server = createServer({
    name: 'jobs',
    version: '1',
    extensions: [tasks({ leaseMs })],
    tools: [
      tool('quick', { task: 'optional' }, () => 'done'),
      tool('again', { task: 'optional', runsAgain: true }, () => (stuck ? endless() : 'done')),
      tool('once', { task: 'optional' }, () => (stuck ? endless() : 'done')),
      tool(
        'ask',
        { task: 'optional' },
        async (_, { elicit }) => (await elicit({ message: 'Who?', schema: form })).content?.name,
      ),
    ],
  });
  const store = await redisStore({ url, prefix: 'jobs', timeoutMs: 1000 });
  const service = await serveHttp(server, { store });
  onTestFinished(async () => {
    await service.close({ graceMs: 0, lingerMs: 0 });
    await store.close();
  });
  const client = statelessClient(service.url);
  const request: Started['request'] = async (method, taskId, params = {}) => {
    const options: SendOptions = { meta, headers: { 'Mcp-Name': taskId } };
    const { result, error } = await client.request(method, { taskId, ...params }, options);
    if (result === undefined) throw new Error(JSON.stringify(error));
    return result;
  };
  return {
    request,
    async call(name) {
      const { result } = await client.call(name, {}, { meta });
      return result?.taskId as string;
    },
    until: (taskId, status) =>
      vi.waitFor(
        async () => {
          const task = await request('tasks/get', taskId);
          expect(task.status).toBe(status);
          return task;
        },
        { timeout: 8000, interval: 10 },
      ),
    lose: async () => {
      await store.close();
    },
  };
}

describe.skipIf(!canStart)('tasks in Redis', () => {
  afterAll(stopAll);

  it('take at most 12 commands from their creation to the result', async () => {
    const redis = await startRedis();
    // No lease is renewed while the test lasts.
    const one = await startInstance(redis, { leaseMs: 600_000 });
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    await one.until(await one.call('quick'), 'completed');
    const before = await commandsOf(client);
    const ids = [];
    for (let each = 0; each < 50; each++) ids.push(await one.call('quick'));
    for (const id of ids) await one.until(id, 'completed');
    const { commands, calls } = spent(before, await commandsOf(client));

    expect(calls / ids.length).toBeLessThanOrEqual(12);
    expect(commands).toBeGreaterThan(0);
  });

  it('are answered and cancelled on another instance', async () => {
    const redis = await startRedis();
    const [one, two] = [await startInstance(redis), await startInstance(redis)];
    const id = await one.call('ask');
    await two.until(id, 'input_required');
    await two.request('tasks/update', id, {
      inputResponses: { 'input-1': { action: 'accept', content: { name: 'Ann' } } },
    });
    expect(await two.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'Ann' }] } });
    const other = await one.call('ask');
    await two.until(other, 'input_required');
    await two.request('tasks/cancel', other);
    await one.until(other, 'cancelled');
  });

  it('are taken over by another instance, or fail, if their instance crashed', async () => {
    const redis = await startRedis();
    const [one, two] = [await startInstance(redis, { stuck: true }), await startInstance(redis)];
    const [again, once] = [await one.call('again'), await one.call('once')];
    await one.lose();
    expect(await two.until(again, 'completed')).toMatchObject({ result: { content: [{ text: 'done' }] } });
    expect(await two.until(once, 'failed')).toMatchObject({ error: { code: -32603 } });
  });

  it('leave nothing in Redis without an expiry', async () => {
    const redis = await startRedis();
    const one = await startInstance(redis);
    await one.until(await one.call('quick'), 'completed');
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const keys = await client.keys('*');
    const lives = await Promise.all(keys.map(async (key) => [key, await client.pttl(key)] as const));
    expect(keys.length).toBeGreaterThan(3);
    expect(lives.filter(([, ttl]) => ttl === -1)).toEqual([]);
  });
});

/** How often each command was called: by clients, those that scripts call not counted. */
async function commandsOf(client: Redis): Promise<Map<string, number>> {
  const text = await client.info('commandstats');
  return new Map(
    Array.from(text.matchAll(/^cmdstat_([\w|]+):calls=(\d+)/gm), ([, name = '', calls]) => [name, Number(calls)]),
  );
}

function spent(before: Map<string, number>, after: Map<string, number>): { commands: number; calls: number } {
  const more = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const commands = [...after.keys()].reduce((sum, name) => sum + more(name), 0);
  const calls = ['evalsha', 'eval', 'publish', 'subscribe'].reduce((sum, name) => sum + more(name), 0);
  return { commands, calls };
}
