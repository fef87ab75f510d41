import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Store } from '@ccmcp/core/http';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { canStart, startRedis, stopAll } from './fixtures/redis.ts';
import { redisStore, type RedisStoreOptions } from './store.ts';

const life = { ttlMs: 60_000, kind: 'test', limit: 100 };

async function open(options: RedisStoreOptions): Promise<Store> {
  const store = await redisStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** A proxy to Redis that can die silently: connections stay open and transport nothing. */
async function mortalWay(port: number): Promise<{ url: string; die(): void }> {
  const ways: { isDead: boolean; ends: Socket[] }[] = [];
  const server = createServer((socket) => {
    const redis = connect(port, '127.0.0.1');
    const way = { isDead: false, ends: [socket, redis] };
    ways.push(way);
    for (const [from, to] of [
      [socket, redis],
      [redis, socket],
    ] as const) {
      from.on('error', () => {}).on('close', () => to.destroy());
      from.on('data', (data) => way.isDead || to.write(data));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const { ends } of ways) for (const end of ends) end.destroy();
    server.close();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as { port: number }).port}`,
    die() {
      for (const way of ways) way.isDead = true;
    },
  };
}

describe.skipIf(!canStart)('a store whose Redis does not respond', () => {
  afterAll(stopAll);

  it('reconnects after its connection died silently', async () => {
    const { port } = await startRedis();
    const { url, die } = await mortalWay(port);
    const store = await open({ url, timeoutMs: 2000 });
    await store.create('a', {}, life);
    die();
    await expect(store.read('a', life)).rejects.toThrow(/did not answer within 2000 ms/);
    const read = async (): Promise<unknown> => Promise.resolve(store.read('a', life)).catch(() => 'not yet');
    await expect.poll(read).toEqual({});
  });

  it('reports that Redis is frozen, and recovers', async () => {
    const redis = await startRedis();
    const store = await open({ url: redis.url, timeoutMs: 2000 });
    await store.create('a', {}, life);
    redis.process.kill('SIGSTOP');
    await expect(store.read('a', life)).rejects.toThrow(/did not answer within 2000 ms/);
    redis.process.kill('SIGCONT');
    await expect.poll(async () => Promise.resolve(store.read('a', life)).catch(() => 'not yet')).toEqual({});
  });
});
