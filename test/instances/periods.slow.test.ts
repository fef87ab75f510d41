import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { sharedUrl, stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { startCluster, stopInstances } from './fixtures/instances.ts';

describe.skipIf(sharedUrl === undefined)('work that runs once per period', () => {
  afterEach(stopInstances);
  afterAll(stopAll);

  it('runs on one of all instances, and on another if that one is killed (MI-15)', async () => {
    const { instances } = await startCluster(sharedUrl as string, { periodMs: 300 });
    const done = (): string[] => instances.flatMap(({ said }) => said);
    await expect.poll(() => done().length).toBeGreaterThanOrEqual(4);
    const busiest = instances.toSorted((one, other) => other.said.length - one.said.length)[0];
    busiest?.child.kill('SIGKILL');
    await busiest?.exit;
    const before = done().length;
    await expect.poll(() => done().length).toBeGreaterThanOrEqual(before + 4);
    expect(new Set(done()).size).toBe(done().length);
  });
});
