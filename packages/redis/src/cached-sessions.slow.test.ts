import type { Store } from '@ccmcp/core/http';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { handshake, type TestSession, textOf } from '../../core/src/transports/http/server/fixtures/client.ts';
import { type Instance, startInstance, createDeliveryBarrier } from './fixtures/instance.ts';
import { canStart, type OwnRedis, startRedis, stopAll } from './fixtures/redis.ts';

interface Two {
  redis: OwnRedis;
  client: Redis;
  one: Instance;
  two: Instance;
}

async function startTwo(): Promise<Two> {
  const redis = await startRedis();
  const client = new Redis(redis.url);
  onTestFinished(() => client.disconnect());
  const { url } = redis;
  return { redis, client, one: await startInstance({ url }), two: await startInstance({ url }) };
}

/** Counts what an instance asks its store for. */
function countOperations(store: Store): () => number {
  const names = Object.keys(store).filter((name) => name !== 'status') as Exclude<keyof Store, 'status'>[];
  const spies = names.map((name) => vi.spyOn(store, name));
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

/** Calls at an instance until it knows the session. */
async function makeKnown(session: TestSession, { url }: Pick<Instance, 'url'>): Promise<void> {
  for (let each = 0; each < 4; each++) expect((await session.send('ping', {}, { url })).status).toBe(200);
}

/** The log messages of a call: on a stream of events, or none. */
async function logsOf(session: TestSession, { url }: Instance): Promise<boolean> {
  const response = await session.sendCall('say', { text: 'x' }, { url });
  await response.text();
  return response.headers.get('content-type') === 'text/event-stream';
}

describe.skipIf(!canStart)('a cached session', () => {
  // Cached records expire, so the clock is advanced by the test only.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());
  afterAll(stopAll);

  it.each(['echo', 'later'])('costs Redis nothing for a call of %s', async (tool) => {
    const { one, two } = await startTwo();
    const sessions = await Promise.all(Array.from({ length: 5 }, () => handshake(one.url)));
    for (const session of sessions) {
      for (const instance of [one, two]) {
        await makeKnown(session, instance);
        // The first call also takes its caller's part of the quota.
        await session.call(tool, { text: 'first' }, { url: instance.url });
      }
    }
    const counts = [one, two].map(({ store }) => countOperations(store));
    for (const [each, session] of sessions.entries()) {
      for (const { url } of [one, two]) {
        expect(textOf(await session.call(tool, { text: `text ${each}` }, { url }))).toBe(`text ${each}`);
      }
    }
    expect(counts.map((count) => count())).toEqual([0, 0]);
  });

  it('ends on all instances as soon as the message arrives: one hop after the answer to DELETE (MI-14)', async () => {
    const { one, two } = await startTwo();
    const arrived = await createDeliveryBarrier(one.store, two.store);
    for (let each = 0; each < 20; each++) {
      const session = await handshake(one.url);
      await makeKnown(session, two);
      expect((await session.end()).status).toBe(204);
      await arrived();
      expect((await session.send('ping', {}, { url: two.url })).status).toBe(404);
    }
  });

  it('changes on all instances as soon as the message arrives', async () => {
    const { one, two } = await startTwo();
    const arrived = await createDeliveryBarrier(one.store, two.store);
    const session = await handshake(one.url);
    await makeKnown(session, two);
    for (const [level, logs] of Array.from({ length: 10 }, () => [
      ['debug', true] as const,
      ['error', false] as const,
    ]).flat()) {
      await session.request('logging/setLevel', { level });
      // The instance that changed it sees the change immediately.
      expect(await logsOf(session, one)).toBe(logs);
      await arrived();
      expect(await logsOf(session, two)).toBe(logs);
    }
  });

  it('notifies of a resource that was subscribed to on another instance', async () => {
    const { one, two } = await startTwo();
    const arrived = await createDeliveryBarrier(one.store, two.store);
    const session = await handshake(one.url);
    await makeKnown(session, two);
    const events = await session.listen({}, { url: two.url });
    await events.next();
    await session.request('resources/subscribe', { uri: 'test://one' });
    await arrived();
    two.server.resources.updated('test://one');
    expect(await events.message()).toMatchObject({ params: { uri: 'test://one' } });
    await session.request('resources/unsubscribe', { uri: 'test://one' });
    await session.request('resources/subscribe', { uri: 'test://two' });
    await arrived();
    two.server.resources.updated('test://one');
    two.server.resources.updated('test://two');
    expect(await events.message()).toMatchObject({ params: { uri: 'test://two' } });
  });

  it('is read from Redis while its end could be missed', async () => {
    const { client, one, two } = await startTwo();
    const session = await handshake(one.url);
    await makeKnown(session, two);
    await client.call('CLIENT', 'KILL', 'TYPE', 'PUBSUB');
    expect((await session.end()).status).toBe(204);
    expect((await session.send('ping', {}, { url: two.url })).status).toBe(404);
  });

  it('stays alive in Redis while it is used from the cache only', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const idleMs = 60_000;
    const { url } = await startInstance({ url: redis.url }, { sessions: { idleMs } });
    const session = await handshake(url);
    const key = `{ccmcp}:r:session/${session.id}`;
    await makeKnown(session, { url });
    // It would expire soon, and is used after its cached record has expired.
    await client.pexpire(key, idleMs / 10);
    vi.advanceTimersByTime(idleMs / 2 + 1);
    expect((await session.send('ping')).status).toBe(200);
    expect(await client.pttl(key)).toBeGreaterThan(idleMs / 2);
    await client.del(key);
    vi.advanceTimersByTime(idleMs / 2 + 1);
    expect((await session.send('ping')).status).toBe(404);
  });

  it('ends if Redis was emptied, and so do its streams; clients start a new one', async () => {
    const { client, one, two } = await startTwo();
    const session = await handshake(one.url);
    for (const instance of [one, two]) await makeKnown(session, instance);
    const events = await session.listen({}, { url: two.url });
    await client.flushall();
    // At the latest when both have looked at Redis again.
    for (const { url } of [one, two]) {
      await expect.poll(async () => (await session.send('ping', {}, { url })).status, { timeout: 10_000 }).toBe(404);
    }
    await events.rest();
    const next = await handshake(one.url);
    expect((await next.send('ping', {}, { url: two.url })).status).toBe(200);
  });
});
