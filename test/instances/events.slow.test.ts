import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { canStart, type OwnRedis, startRedis, stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { type Cluster, type Instance, startCluster, stopInstances } from './fixtures/instances.ts';
import { startWatcher, type Watcher } from './fixtures/watcher.ts';

const total = 40;
const watchers = 3;
const uris = Array.from({ length: total }, (_, each) => `test://${each}`);

interface Watched extends Cluster {
  redis: OwnRedis;
  watchers: Watcher[];
  /** Changes resources one after another on the given instances, 25 ms apart. */
  change(from: number, to: number, on: readonly Instance[]): Promise<void>;
  /** Waits until each watcher has received everything. */
  allReceived(): Promise<void>;
}

/** Three instances, and sessions that subscribe to all resources, each with its stream on one of them. */
async function watch(settings: readonly string[] = []): Promise<Watched> {
  const redis = await startRedis(settings);
  const cluster = await startCluster(redis.url, { resources: total });
  const started: Watcher[] = [];
  while (started.length < watchers) started.push(await startWatcher(cluster.url, uris));
  onTestFinished(async () => {
    await Promise.all(started.map((each) => each.stop()));
  });
  const missing = (): string[][] =>
    started.map(({ received }) => uris.filter((uri) => !received.some(({ what }) => what === uri)));
  return {
    ...cluster,
    redis,
    watchers: started,
    async change(from, to, on) {
      for (let each = from; each < to; each++) {
        await on[each % on.length]?.call('change', { first: each, count: 1 });
        await wait(25);
      }
    },
    async allReceived() {
      await expect.poll(missing).toEqual(started.map(() => []));
    },
  };
}

/** How often each watcher was notified of each resource. */
function times({ watchers }: Watched): number[][] {
  return watchers.map(({ received }) => uris.map((uri) => received.filter(({ what }) => what === uri).length));
}

const once = Array.from({ length: watchers }, () => uris.map(() => 1));
const none = Array.from({ length: watchers }, () => []);

describe.skipIf(!canStart)('subscribers of resources on three instances', () => {
  afterEach(async () => {
    await stopInstances();
    await stopAll();
  });

  it('get each change once, without faults', async () => {
    const all = await watch();
    await all.change(0, total, all.instances);
    await all.allReceived();
    expect(times(all)).toEqual(once);
  });

  it('get each change exactly once if an instance is killed (MI-02, FT-21)', async () => {
    const all = await watch();
    const { instances, instance } = all;
    await all.change(0, 10, instances);
    instance('b').child.kill('SIGKILL');
    await all.change(10, total, [instance('a'), instance('c')]);
    await all.allReceived();
    expect(all.watchers.map((each) => each.doubled())).toEqual(none);
    expect(all.watchers.some(({ opened }) => opened() > 1)).toBe(true);
    // Watchers on other instances were not interrupted.
    const untroubled = all.watchers.map(({ opened }) => opened() === 1);
    expect(times(all).filter((_, each) => untroubled[each])).toEqual(untroubled.filter(Boolean).map(() => once[0]));
  });

  it('get each change exactly once if all instances are replaced one by one (MI-04, FT-21)', async () => {
    const all = await watch();
    const { proxy, start } = all;
    let next = 0;
    for (const old of all.instances.slice(0, 3)) {
      const fresh = await start(`${old.name}2`);
      proxy.add(fresh);
      old.child.kill('SIGTERM');
      await all.change(next, (next += 10), [fresh]);
      expect(await old.exit).toBe(0);
      proxy.drop(old.name);
    }
    await all.change(next, total, all.instances.slice(3));
    await all.allReceived();
    expect(all.watchers.map((each) => each.doubled())).toEqual(none);
    expect(all.watchers.every(({ opened }) => opened() > 1)).toBe(true);
  });

  it('get each change exactly once if Redis is frozen for five seconds', async () => {
    const all = await watch();
    await all.change(0, 10, all.instances);
    all.redis.process.kill('SIGSTOP');
    await all.change(10, 20, all.instances);
    await wait(5000);
    all.redis.process.kill('SIGCONT');
    await all.change(20, total, all.instances);
    await all.allReceived();
    expect(all.watchers.map((each) => each.doubled())).toEqual(none);
  });

  it('get each change exactly once if Redis restarts (FT-21)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ccmcp-instances-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    const settings = ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', folder];
    const all = await watch(settings);
    await all.change(0, 10, all.instances);
    await all.redis.stop();
    await all.change(10, 20, all.instances);
    await startRedis(settings, all.redis.port);
    await all.change(20, total, all.instances);
    await all.allReceived();
    expect(all.watchers.map((each) => each.doubled())).toEqual(none);
  });

  it('continue on other instances while one hangs, and get nothing stale from it later (MI-05)', async () => {
    const all = await watch();
    const { proxy, instances, instance } = all;
    await all.change(0, 10, instances);
    await expect
      .poll(() =>
        times(all)
          .flat()
          .filter((count) => count === 1),
      )
      .toHaveLength(10 * watchers);
    instance('b').child.kill('SIGSTOP');
    // The health check detects that the instance does not respond.
    proxy.drop('b', { cut: true });
    const living = [instance('a'), instance('c')];
    await expect
      .poll(() => all.watchers.every(({ received, opened }) => opened() === 1 || received.length > 12))
      .toBe(true);
    await all.change(10, 25, living);
    instance('b').child.kill('SIGCONT');
    await all.change(25, total, living);
    await all.allReceived();
    expect(all.watchers.map((each) => each.doubled())).toEqual(none);
    expect(all.watchers.some(({ opened }) => opened() > 1)).toBe(true);
    // Changes after they reconnected, and after the instance recovered, arrived once.
    const later = times(all).map((counts) => counts.slice(10));
    expect(later.flat().filter((count) => count !== 1)).toEqual([]);
  });
});
