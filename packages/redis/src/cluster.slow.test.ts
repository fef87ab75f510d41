import { storeContract } from '@ccmcp/core/testing';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { canStart, type OwnRedis, startRedis, stopAll } from './fixtures/redis.ts';
import { redisStore } from './store.ts';

const slots = 16_384;

/** Three nodes that know each other, with a third of all slots each. */
async function startCluster(): Promise<OwnRedis[]> {
  const nodes: OwnRedis[] = [];
  for (let each = 0; each < 3; each++) nodes.push(await startRedis(['--cluster-enabled', 'yes']));
  const clients = nodes.map(({ url }) => new Redis(url));
  for (const [index, client] of clients.entries()) {
    const [from, to] = [index, index + 1].map((third) => Math.floor((slots * third) / 3)) as [number, number];
    await client.cluster('ADDSLOTS', ...Array.from({ length: to - from }, (_, slot) => from + slot));
    if (index > 0) await client.cluster('MEET', '127.0.0.1', nodes[0]?.port ?? 0);
  }
  const states = async (): Promise<boolean[]> =>
    Promise.all(
      clients.map(async (client) => {
        const info = await client.cluster('INFO');
        return /cluster_state:ok/.test(info) && /cluster_known_nodes:3/.test(info);
      }),
    );
  await expect.poll(states).toEqual([true, true, true]);
  for (const client of clients) client.disconnect();
  return nodes;
}

describe.skipIf(!canStart)('a store in a Redis cluster', () => {
  afterAll(stopAll);

  it('fulfils the contract, whichever node has its slot', async () => {
    const nodes = await startCluster();
    const url = `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
    const failed: string[] = [];
    // Each case has its own prefix, and so its own slot.
    for (const [index, { name, run }] of storeContract.entries()) {
      const problem = await run(() => redisStore({ url, prefix: `case ${index}` })).catch(
        (error: Error) => error.message,
      );
      if (problem !== undefined) failed.push(`${name}: ${problem}`);
    }
    expect(failed).toEqual([]);
  });
});
