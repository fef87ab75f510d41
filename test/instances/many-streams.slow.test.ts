import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { handshake, statelessClient } from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { type EventReader, readEvents } from '../../packages/core/src/transports/http/server/fixtures/events.ts';
import { canStart, startRedis, stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { startCluster, stopInstances } from './fixtures/instances.ts';
import { startWatcher } from './fixtures/watcher.ts';

/** A fifth of the size of large services, so that two cores can run clients, servers and Redis. */
const listeners = 200;
const sessions = 8;
const changes = 1000;
const watchedInSessions = 50;
const uris = Array.from({ length: changes }, (_, each) => `test://${each}`);

/** The next resources that a stream reports. */
async function receive(events: EventReader, count: number): Promise<unknown[]> {
  const received = [];
  while (received.length < count) received.push((await events.message())?.params?.uri);
  return received;
}

describe.skipIf(!canStart)('many streams', () => {
  afterEach(async () => {
    await stopInstances();
    await stopAll();
  });

  it('on four instances each get each of many changes once, in order (MI-07)', async () => {
    const { url: redisUrl } = await startRedis();
    const { instances, url } = await startCluster(redisUrl, { count: 4, resources: changes });
    const wanted = { notifications: { resourceSubscriptions: uris } };
    const listens = await Promise.all(
      Array.from({ length: listeners }, async () => {
        const events = readEvents(await statelessClient(url).send('subscriptions/listen', wanted));
        onTestFinished(() => events.cancel().catch(() => {}));
        await events.message();
        return events;
      }),
    );
    const standings = await Promise.all(
      Array.from({ length: sessions }, async () => {
        const session = await handshake(url);
        for (const uri of uris.slice(0, watchedInSessions)) await session.request('resources/subscribe', { uri });
        const events = await session.listen();
        onTestFinished(() => events.cancel().catch(() => {}));
        await events.next();
        return events;
      }),
    );
    const changing = instances[0]?.call('change', { first: 0, count: changes });
    const [received, inSessions] = await Promise.all([
      Promise.all(listens.map((events) => receive(events, changes))),
      Promise.all(standings.map((events) => receive(events, watchedInSessions))),
    ]);
    await changing;
    expect(received.filter((each) => each.join() !== uris.join())).toEqual([]);
    expect(inSessions.filter((each) => each.join() !== uris.slice(0, watchedInSessions).join())).toEqual([]);
    // Nothing follows but the next change.
    await instances[1]?.call('change', { first: 7, count: 1 });
    expect(new Set((await Promise.all(listens.map((events) => receive(events, 1)))).flat())).toEqual(
      new Set(['test://7']),
    );
  });

  it('that lose their instance reconnect to the others, at different times (MI-13)', async () => {
    const { url: redisUrl } = await startRedis();
    const { url, instance, proxy } = await startCluster(redisUrl, { count: 2 });
    const watchers = await Promise.all(Array.from({ length: 300 }, () => startWatcher(url, ['test://1'])));
    onTestFinished(async () => {
      await Promise.all(watchers.map((each) => each.stop()));
    });
    const lost = proxy.passed.filter(({ verb, instance }) => verb === 'GET' && instance === 'a').length;
    expect(lost).toBeGreaterThan(100);
    instance('a').child.kill('SIGKILL');
    await expect.poll(() => watchers.filter(({ opened }) => opened() === 2).length).toBe(lost);
    expect(watchers.filter(({ opened }) => opened() === 1)).toHaveLength(watchers.length - lost);
    // Each client was told to wait one to two seconds.
    const pauses = watchers.map(({ retryMs }) => retryMs());
    expect([Math.min(...pauses) < 1200, Math.max(...pauses) > 1800]).toEqual([true, true]);
    expect(new Set(pauses).size).toBeGreaterThan(200);
    await instance('b').call('change', { first: 1, count: 1 });
    await expect
      .poll(() => watchers.every(({ received }) => received.some(({ what }) => what === 'test://1')))
      .toBe(true);
    expect(watchers.flatMap((each) => each.doubled())).toEqual([]);
  });
});
