import { afterEach, describe, expect, it } from 'vitest';
import { canStart, startRedis, stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { stopInstances } from './fixtures/instances.ts';
import { closeWhileWorking, killWhileWorking } from './fixtures/tasks/kills.ts';
import { startPair } from './fixtures/tasks/pair.ts';

afterEach(async () => {
  await stopInstances();
  await stopAll();
});

describe.skipIf(!canStart)('tasks on two instances', () => {
  it('survive a hundred kills: none is lost, none is stuck, none runs twice that must not', async () => {
    const { url } = await startRedis();
    const { wrongs, campaign } = await killWhileWorking(await startPair(url), 100);
    expect(wrongs).toEqual([]);
    const became = new Map<string, number>();
    for (const { last } of campaign.tasks) {
      became.set(last?.status ?? '', (became.get(last?.status ?? '') ?? 0) + 1);
    }
    // Each kind must have occurred, or the test proves nothing.
    for (const status of ['completed', 'failed', 'cancelled']) expect(became.get(status)).toBeGreaterThan(0);
  }, 600_000);

  it('survive sixty deployments in the same way', async () => {
    const { url } = await startRedis();
    expect((await closeWhileWorking(await startPair(url), 60)).wrongs).toEqual([]);
  }, 600_000);
});
