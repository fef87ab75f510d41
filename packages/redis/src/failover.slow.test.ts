import type { Store } from '@ccmcp/core/http';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { canStart, type OwnRedis, startRedis, stopAll } from './fixtures/redis.ts';
import { redisStore } from './store.ts';

const life = { ttlMs: 600_000, kind: 'test', limit: 100 };
const polling = { timeout: 60_000, interval: 200 };

function clientOf({ url }: OwnRedis): Redis {
  const client = new Redis(url);
  client.on('error', () => {});
  onTestFinished(() => client.disconnect());
  return client;
}

async function isReplicated(replica: Redis): Promise<void> {
  await expect.poll(() => replica.info('replication'), polling).toMatch(/master_link_status:up/);
}

/** Uses a store, stops its server, and checks that it continues with a replica that has the data. */
async function outlives(store: Store, { server, copy }: { server: OwnRedis; copy: Redis }): Promise<void> {
  const received: string[] = [];
  await store.subscribe(
    'topic',
    (message) => received.push(message),
    () => received.push('missed'),
  );
  await store.create('a', { b: 'c' }, life);
  await expect.poll(() => copy.exists('{ccmcp}:r:a'), polling).toBe(1);
  // In a cluster, messages are received from a random node.
  const listeners = await clientOf(server).client('LIST', 'TYPE', 'PUBSUB');
  const listensThere = String(listeners).includes('id=');
  await server.stop('SIGKILL');
  if (listensThere) await expect.poll(() => store.status?.().ready, polling).toBe(false);
  await expect.poll(() => copy.info('replication').catch(() => 'not yet'), polling).toMatch(/^role:master/m);
  const read = async (): Promise<unknown> => Promise.resolve(store.read('a', life)).catch(() => 'not yet');
  await expect.poll(read, polling).toEqual({ b: 'c' });
  await expect.poll(() => store.status?.(), polling).toMatchObject({ ready: true });
  expect(await store.update('a', { b: 'd' }, life)).toBe(true);
  expect(received.filter((each) => each !== 'missed')).toEqual([]);
  if (listensThere) expect(received).not.toEqual([]);
  await store.publish('topic', 'after');
  await expect.poll(() => received.at(-1), polling).toBe('after');
}

describe.skipIf(!canStart)('a store after a failover', () => {
  afterAll(stopAll);

  it('continues with the replica that Sentinel chooses', async () => {
    const primary = await startRedis();
    const replica = await startRedis(['--replicaof', `127.0.0.1 ${primary.port}`]);
    const copy = clientOf(replica);
    await isReplicated(copy);
    const sentinel = await startRedis([], undefined, [
      `sentinel monitor mine 127.0.0.1 ${primary.port} 1`,
      'sentinel down-after-milliseconds mine 1000',
      'sentinel failover-timeout mine 5000',
    ]);
    const asked = clientOf(sentinel);
    await expect.poll(() => asked.call('SENTINEL', 'REPLICAS', 'mine'), polling).toHaveLength(1);
    const store = await redisStore({ url: `redis+sentinel://127.0.0.1:${sentinel.port}/mine`, timeoutMs: 1000 });
    onTestFinished(() => store.close());
    await outlives(store, { server: primary, copy });
  });

  it('continues with the replica that a cluster chooses', async () => {
    const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'];
    const nodes = [await startRedis(settings), await startRedis(settings), await startRedis(settings)];
    const spare = await startRedis(settings);
    const clients = [...nodes, spare].map(clientOf) as [Redis, Redis, Redis, Redis];
    for (const [index, client] of clients.entries()) {
      const range = (third: number): number => Math.floor((16_384 * third) / 3);
      const slots = Array.from({ length: range(index + 1) - range(index) }, (_, slot) => range(index) + slot);
      if (index < 3) await client.cluster('ADDSLOTS', ...slots);
      if (index > 0) await client.cluster('MEET', '127.0.0.1', nodes[0]?.port ?? 0);
    }
    const known = async (client: Redis): Promise<string> => client.cluster('INFO');
    for (const client of clients) await expect.poll(() => known(client), polling).toMatch(/known_nodes:4/);
    const slot = await clients[0].cluster('KEYSLOT', '{ccmcp}');
    const owner = nodes[Math.min(2, Math.floor((slot * 3) / 16_384))] as OwnRedis;
    const id = await clientOf(owner).cluster('MYID');
    await expect.poll(() => clients[3].cluster('REPLICATE', id).catch(() => 'not yet'), polling).toBe('OK');
    await isReplicated(clients[3]);
    for (const client of clients) await expect.poll(() => known(client), polling).toMatch(/cluster_state:ok/);
    const url = `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
    const store = await redisStore({ url, timeoutMs: 1000 });
    onTestFinished(() => store.close());
    const copy = new Redis(spare.url, { readOnly: true });
    onTestFinished(() => copy.disconnect());
    await outlives(store, { server: owner, copy });
  });
});
