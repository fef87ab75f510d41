import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { canStart, type OwnRedis, startRedis, stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { type Cluster, startCluster, stopInstances } from './fixtures/instances.ts';
import { type Load, patienceMs, startLoad } from './fixtures/load.ts';

/** Clients of each kind; the first kind needs no store. */
const each = 4;

interface UnderLoad extends Cluster {
  load: Load;
  /** The file in which instances record the calls that they served. */
  ledger: string;
  redis: OwnRedis;
  /** Restarts Redis with its data. */
  redisAgain(): Promise<OwnRedis>;
}

/** Three instances with their own Redis, and clients that call continuously. */
async function underLoad({ remembers = false } = {}): Promise<UnderLoad> {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-instances-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const ledger = join(folder, 'ledger');
  writeFileSync(ledger, '');
  const settings = remembers ? ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', folder] : [];
  const redis = await startRedis(settings);
  const cluster = await startCluster(redis.url, { ledger });
  const load = startLoad(cluster.url, { stateless: each, sessions: each, streams: each });
  await load.more(200);
  return { ...cluster, load, ledger, redis, redisAgain: () => startRedis(settings, redis.port) };
}

/** Distinct errors of calls; those of stateless clients separately. */
function reasons({ tally }: Load): { stateless: string[]; sessions: string[] } {
  const found = { stateless: new Set<string>(), sessions: new Set<string>() };
  for (const [call, why] of tally.failures) {
    found[Number.parseInt(call, 10) < each ? 'stateless' : 'sessions'].add(why);
  }
  return { stateless: [...found.stateless], sessions: [...found.sessions] };
}

/** Waits until calls stop failing, also those that wait for a stream of a lost instance. */
async function untilSteady({ tally }: Load): Promise<void> {
  let failed = -1;
  while (failed !== tally.failures.size) {
    failed = tally.failures.size;
    await wait(patienceMs + 1000);
  }
}

/** Continues for a while in which no call may fail, and stops. */
async function endWell(load: Load): Promise<void> {
  await untilSteady(load);
  const failed = load.tally.failures.size;
  await load.more(300);
  expect([...load.tally.failures].slice(failed)).toEqual([]);
  await load.stop();
}

/** Load during which Redis is restarted, until it ends without errors. */
async function acrossARestart(options?: { remembers: boolean }): Promise<Pick<UnderLoad, 'load' | 'ledger'>> {
  const { load, ledger, redis, redisAgain } = await underLoad(options);
  await redis.stop();
  await load.more(50);
  await redisAgain();
  await endWell(load);
  return { load, ledger };
}

/** Invariants that hold under every fault. */
const sound = { answeredTwice: 0, ranTwice: 0, silent: 0, doubledEvents: 0, lostEvents: 0 };

describe.skipIf(!canStart)('three instances under load', () => {
  afterEach(async () => {
    await stopInstances();
    await stopAll();
  });

  it('lose only the calls that ran on a killed instance (MI-02)', async () => {
    const { load, ledger, proxy, instance } = await underLoad();
    instance('b').child.kill('SIGKILL');
    await endWell(load);
    const report = load.tally.report(ledger);
    expect(report).toMatchObject(sound);
    const sentThere = new Set(proxy.passed.filter((passed) => passed.instance === 'b').map(({ id }) => id));
    expect([...load.tally.failures.keys()].filter((call) => !sentThere.has(call))).toEqual([]);
    // Each client has one call in flight.
    expect(report.failed).toBeLessThanOrEqual(3 * each);
  });

  it('are replaced one by one without a failing call (MI-04)', async () => {
    const { load, ledger, proxy, instances, start } = await underLoad();
    for (const old of instances.slice(0, 3)) {
      proxy.add(await start(`${old.name}2`));
      await load.more(50);
      // The balancer is not notified: it detects rejected connections.
      old.child.kill('SIGTERM');
      expect(await old.exit).toBe(0);
      proxy.drop(old.name);
      await load.more(50);
    }
    await load.stop();
    expect([...load.tally.failures]).toEqual([]);
    expect(load.tally.report(ledger)).toMatchObject({ ...sound, failed: 0, answersLost: [] });
    expect(new Set(proxy.passed.slice(-50).map(({ instance }) => instance))).toEqual(new Set(['a2', 'b2', 'c2']));
  });

  it('continue after Redis was frozen for five seconds, which sessionless clients do not notice', async () => {
    const { load, ledger, redis } = await underLoad();
    redis.process.kill('SIGSTOP');
    await wait(5000);
    redis.process.kill('SIGCONT');
    await endWell(load);
    expect(reasons(load).stateless).toEqual([]);
    expect(load.tally.report(ledger)).toMatchObject({ ...sound, answersLost: [] });
  });

  it('continue their sessions after Redis restarts', async () => {
    const { load, ledger } = await acrossARestart({ remembers: true });
    const { stateless, sessions } = reasons(load);
    expect(stateless).toEqual([]);
    expect(sessions).not.toContain('Status 404');
    expect(load.tally.report(ledger)).toMatchObject({ ...sound, answersLost: [] });
  });

  it('begin new sessions after Redis restarts empty', async () => {
    const { load, ledger } = await acrossARestart();
    const { stateless, sessions } = reasons(load);
    expect(stateless).toEqual([]);
    expect(sessions).toContain('Status 404');
    expect(load.tally.report(ledger)).toMatchObject({ ...sound, answersLost: [] });
  });
});
