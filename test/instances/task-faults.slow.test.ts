import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { canStart, command, startRedis, stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { stopInstances } from './fixtures/instances.ts';
import { Campaign } from './fixtures/tasks/campaign.ts';
import { TaskClient } from './fixtures/tasks/client.ts';
import { type Pair, startPair } from './fixtures/tasks/pair.ts';

afterEach(async () => {
  await stopInstances();
  await stopAll();
});

/** Starts some tasks of each kind on both instances. */
async function beginSome(campaign: Campaign, { instances }: Pair, ms: number): Promise<void> {
  const tools = ['once', 'again', 'ask'];
  await Promise.all(instances.flatMap(({ url }) => tools.map((tool) => campaign.begin(tool, url, { ms }))));
}

/** Waits until the instances are reconnected to Redis: until then they reject new tasks. */
async function backAgain(urls: readonly string[]): Promise<void> {
  const statuses = (): Promise<number[]> =>
    Promise.all(urls.map(async (url) => (await fetch(new URL('/readyz', url))).status));
  await expect.poll(statuses).toEqual(urls.map(() => 200));
}

describe.skipIf(!canStart)('tasks, when their Redis', () => {
  it('is frozen for longer than a lease, continue afterwards, and none is lost', async () => {
    const redis = await startRedis();
    const pair = await startPair(redis.url, { leaseMs: 1000 });
    const campaign = new Campaign(() => pair.urls());
    await beginSome(campaign, pair, 1500);
    redis.process.kill('SIGSTOP');
    await wait(3000);
    redis.process.kill('SIGCONT');
    await backAgain(pair.urls());
    await beginSome(campaign, pair, 50);
    await campaign.settled();
    expect(await campaign.wrongs(pair.ledger)).toEqual([]);
  }, 120_000);

  it('restarts with its data, continue, and none is lost', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ccmcp-kept-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    const settings = ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', folder];
    const redis = await startRedis(settings);
    const pair = await startPair(redis.url, { leaseMs: 1000 });
    const campaign = new Campaign(() => pair.urls());
    await beginSome(campaign, pair, 1500);
    await redis.stop('SIGKILL');
    await wait(2000);
    await startRedis(settings, redis.port);
    await backAgain(pair.urls());
    await beginSome(campaign, pair, 50);
    await campaign.settled();
    expect(await campaign.wrongs(pair.ledger)).toEqual([]);
  }, 120_000);

  it('is emptied, are unknown, and new ones can be created', async () => {
    const redis = await startRedis();
    const pair = await startPair(redis.url);
    const client = new TaskClient(() => pair.urls());
    const [{ url: one } = { url: '' }, { url: two } = { url: '' }] = pair.instances;
    const { result } = await client.call('again', { key: 'lost', ms: 60_000 }, one);
    const never = await client.get(`A${result?.taskId.slice(1)}`, two);
    await command(redis, 'FLUSHALL');
    for (const url of [one, two]) expect((await client.get(result?.taskId ?? '', url)).text).toBe(never.text);
    const campaign = new Campaign(() => pair.urls());
    await beginSome(campaign, pair, 50);
    await campaign.settled();
    expect(await campaign.wrongs(pair.ledger)).toEqual([]);
  }, 120_000);

  it('rejects writes, reject new ones; existing ones are not lost', async () => {
    const redis = await startRedis(['--maxmemory-policy', 'noeviction']);
    const pair = await startPair(redis.url);
    const campaign = new Campaign(() => pair.urls());
    await beginSome(campaign, pair, 1000);
    await command(redis, 'CONFIG', 'SET', 'maxmemory', '100kb');
    const client = new TaskClient(() => pair.urls());
    const { error } = await client.call('once', { key: 'refused', ms: 10 }, pair.urls()[0] ?? '');
    expect(error).toMatchObject({ code: -32603 });
    await command(redis, 'CONFIG', 'SET', 'maxmemory', '0');
    await beginSome(campaign, pair, 50);
    await campaign.settled();
    expect(await campaign.wrongs(pair.ledger)).toEqual([]);
  }, 120_000);
});

describe.skipIf(!canStart)('tasks of instances', () => {
  it('whose clocks differ by a minute are taken over, reported alike, and none is lost', async () => {
    const { url } = await startRedis();
    const pair = await startPair(url);
    await pair.replace(1, { aheadMs: 60_000 });
    const campaign = new Campaign(() => pair.urls());
    await beginSome(campaign, pair, 400);
    await pair.replace(0, { aheadMs: -60_000 });
    await beginSome(campaign, pair, 400);
    await pair.replace(1);
    await campaign.settled();
    expect(await campaign.wrongs(pair.ledger)).toEqual([]);
  }, 120_000);

  it('are to a stranger byte for byte like unknown tasks', async () => {
    const { url } = await startRedis();
    const pair = await startPair(url);
    const [ann, bob] = ['ann', 'bob'].map((name) => new TaskClient(() => pair.urls(), name));
    const [{ url: one } = { url: '' }, { url: two } = { url: '' }] = pair.instances;
    const taskId = (await ann?.call('again', { key: 'mine', ms: 10 }, one))?.result?.taskId ?? '';
    for (const each of [one, two]) {
      const foreign = await bob?.get(taskId, each);
      expect(foreign?.text).toBe((await bob?.get(`A${taskId.slice(1)}`, each))?.text);
      expect(foreign?.text).toBe((await bob?.get('nothing like an id', each))?.text);
    }
  });
});
