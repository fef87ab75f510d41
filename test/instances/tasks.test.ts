import { afterEach, describe, expect, it } from 'vitest';
import { canStart, startRedis, stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { stopInstances } from './fixtures/instances.ts';
import { closeWhileWorking, killWhileWorking } from './fixtures/tasks/kills.ts';
import { startPair } from './fixtures/tasks/pair.ts';

afterEach(async () => {
  await stopInstances();
  await stopAll();
});

describe.skipIf(!canStart)('tasks on two instances of which one ends again and again', () => {
  it('are all there and come to an end, none runs twice that must not, and nothing is asked twice', async () => {
    const { url } = await startRedis();
    const { wrongs, campaign } = await killWhileWorking(await startPair(url), 4);
    expect(wrongs).toEqual([]);
    expect(campaign.tasks.length).toBeGreaterThan(8);
  }, 60_000);

  it('survive as well that it is closed in order, which counts for nothing', async () => {
    const { url } = await startRedis();
    const { wrongs, campaign } = await closeWhileWorking(await startPair(url), 4);
    expect(wrongs).toEqual([]);
    expect(campaign.tasks.length).toBeGreaterThan(8);
  }, 60_000);
});
