import { createServer } from '@ccmcp/core';
import { type Fields, serveHttp, type Store } from '@ccmcp/core/http';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { canStart, startRedis, stopAll } from './fixtures/redis.ts';
import { redisStore } from './store.ts';

const count = 2000;
const life = { ttlMs: 30 * 60_000, kind: 'sessions', limit: 10_000 };

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} },
    clientInfo: { name: 'claude-ai', title: 'A client with a title', version: '0.1.0' },
  },
};

/** The stored fields of a session that a client has begun. */
async function fieldsOfSession(store: Store): Promise<Fields> {
  const service = await serveHttp(createServer({ name: 'test', version: '1' }), { store, port: 0 });
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const response = await fetch(service.url, { method: 'POST', headers, body: JSON.stringify(initialize) });
  await response.text();
  const fields = await store.read(`session/${response.headers.get('mcp-session-id')}`, life);
  await service.close({ graceMs: 0 });
  return fields ?? {};
}

describe.skipIf(!canStart)('an idle session in Redis', () => {
  afterAll(stopAll);

  it.each(['one caller', 'as many callers'])('takes at most 1 KB, of %s', async (whose) => {
    const { url } = await startRedis();
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    const store = await redisStore({ url });
    onTestFinished(() => store.close());
    const fields = await fieldsOfSession(store);
    expect(fields).toMatchObject({ version: '2025-06-18', clientInfo: JSON.stringify(initialize.params.clientInfo) });
    const memory = async (): Promise<number> => Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))?.[1]);
    const before = await memory();
    for (let each = 0; each < count; each++) {
      const owner = whose === 'one caller' ? 'caller' : `user-${each}@example.org`;
      await store.create(`session/${crypto.randomUUID()}`, fields, { ...life, owner });
    }
    expect(await client.zcard('{ccmcp}:e:sessions')).toBe(count + 1);
    expect(((await memory()) - before) / count).toBeLessThanOrEqual(1024);
  });
});
