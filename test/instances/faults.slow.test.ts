import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { canStart, startRedis, stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { type Cluster, startCluster, stopInstances } from './fixtures/instances.ts';
import { type Load, startLoad } from './fixtures/load.ts';

/** Three instances with a Redis of their own, and clients that call all the time. */
async function underLoad(
  settings: string[] = [],
): Promise<Cluster & { load: Load; ledger: string; redis: Awaited<ReturnType<typeof startRedis>>; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-instances-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ledger = join(folder, 'ledger');
  writeFileSync(ledger, '');
  const redis = await startRedis(settings.length > 0 ? [...settings, '--dir', folder] : []);
  const cluster = await startCluster(redis.url, { ledger });
  const load = startLoad(cluster.url);
  await load.more(200);
  return { ...cluster, load, ledger, redis, folder };
}

/** What must hold whatever happened. */
const sound = { answeredTwice: 0, ranTwice: 0, silent: 0, doubledEvents: 0, lostEvents: 0 };

describe.skipIf(!canStart)('three instances under load', () => {
  afterEach(async () => {
    await stopInstances();
    await stopAll();
  });

  it('lose nothing but what ran on one that is killed (MI-02)', async () => {
    const { load, ledger, proxy, instance } = await underLoad();
    instance('b').child.kill('SIGKILL');
    await load.more(300);
    await load.stop();
    const report = load.tally.report(ledger);
    console.log(report, [...load.tally.failures]);
    expect(report).toMatchObject(sound);
    const ranThere = new Set(proxy.passed.filter((passed) => passed.instance === 'b').map(({ id }) => id));
    expect([...load.tally.failures.keys()].filter((call) => !ranThere.has(call))).toEqual([]);
    expect(report.failed).toBeLessThanOrEqual(12);
  });

  it('are replaced one by one without a call that fails (MI-04)', async () => {
    const { load, ledger, proxy, instances, start } = await underLoad();
    for (const old of [...instances]) {
      proxy.add(await start(`${old.name}2`));
      await load.more(50);
      // The balancer is not told: it finds out when it is refused.
      old.child.kill('SIGTERM');
      expect(await old.exit).toBe(0);
      proxy.drop(old.name);
      await load.more(50);
    }
    await load.stop();
    const report = load.tally.report(ledger);
    console.log(report, [...load.tally.failures]);
    expect(report).toMatchObject({ ...sound, failed: 0, answersLost: [] });
    expect(new Set(proxy.passed.slice(-50).map(({ instance }) => instance))).toEqual(new Set(['a2', 'b2', 'c2']));
  });

  it('go on after Redis was frozen for five seconds', async () => {
    const { load, ledger, redis } = await underLoad();
    redis.process.kill('SIGSTOP');
    await wait(5000);
    redis.process.kill('SIGCONT');
    await load.more(300);
    const failed = load.tally.failures.size;
    await load.more(300);
    await load.stop();
    const report = load.tally.report(ledger);
    console.log(report, [...load.tally.failures], failed);
    expect(report).toMatchObject({ ...sound, answersLost: [] });
  });

  it.each([
    ['and remembers', ['--appendonly', 'yes', '--appendfsync', 'always']],
    ['and is empty', []],
  ])('go on after Redis is started again, %s', async (_, settings) => {
    const { load, ledger, redis, folder } = await underLoad(settings);
    await redis.stop();
    await load.more(50);
    const again = await startRedis(settings.length > 0 ? [...settings, '--dir', folder] : [], redis.port);
    await load.more(300);
    const failed = load.tally.failures.size;
    await load.more(300);
    await load.stop();
    await again.stop();
    const report = load.tally.report(ledger);
    console.log(report, [...load.tally.failures], failed);
    expect(report).toMatchObject({ ...sound, answersLost: [] });
  });
});
