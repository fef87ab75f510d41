import type { Store } from '@ccmcp/core/http';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  handshake,
  initializeRequest,
  post,
  statelessClient,
  textOf,
} from '../../core/src/transports/http/server/fixtures/client.ts';
import { readEvents } from '../../core/src/transports/http/server/fixtures/events.ts';
import { startInstance } from './fixtures/instance.ts';
import { waitUntilReady, expectEventually, listen, recoveryTimeoutMs, statusOf, timeoutMs } from './fixtures/outage.ts';
import { canStart, startRedis, stopAll } from './fixtures/redis.ts';

async function isLost(store: Store): Promise<void> {
  await expect.poll(() => store.status?.().ready, recoveryTimeoutMs).toBe(false);
}

describe.skipIf(!canStart)('a server during a Redis outage', () => {
  afterAll(stopAll);

  it('serves cached sessions, answers 503 to all others, and never 404', async () => {
    const redis = await startRedis();
    const settings = { url: redis.url, timeoutMs };
    const [one, two] = [await startInstance(settings), await startInstance(settings)];
    const session = await handshake(one.url);
    for (let each = 0; each < 4; each++) expect(await statusOf(session, one.url)).toBe(200);
    const listening = readEvents(await listen(one.url));
    await listening.message();
    await redis.stop('SIGKILL');
    for (const { store } of [one, two]) await isLost(store);

    for (let each = 0; each < 5; each++) {
      expect(textOf(await session.call('later', { text: `${each}` }))).toBe(`${each}`);
      expect(textOf(await statelessClient(two.url).call('echo', { text: 'hi' }))).toBe('hi');
      await expectEventually(await session.send('ping', {}, { url: two.url }));
    }
    await expectEventually(await session.send('resources/subscribe', { uri: 'test://one' }));
    await expectEventually(await session.end());
    await expectEventually(await post(one.url, initializeRequest()));
    await expectEventually(await session.get({}, { url: two.url }));
    await expectEventually(await listen(one.url));

    // It restarts empty, so the session is lost; subscribers are notified of the gap.
    await startRedis([], redis.port);
    for (const { store } of [one, two]) await waitUntilReady(store);
    expect(await listening.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    for (const { url } of [one, two]) {
      await expect.poll(() => statusOf(session, url), recoveryTimeoutMs).toBe(404);
    }
    const next = await handshake(one.url);
    expect(await statusOf(next, two.url)).toBe(200);
    const received = [one, two].map(({ log }) => log.length);
    expect(Math.max(...received)).toBeLessThanOrEqual(4);
  });

  it('waits for a frozen Redis only until that is detected, and then continues its sessions', async () => {
    const redis = await startRedis();
    const settings = { url: redis.url, timeoutMs };
    const [one, two] = [await startInstance(settings), await startInstance(settings)];
    const session = await handshake(one.url);
    for (let each = 0; each < 4; each++) expect(await statusOf(session, one.url)).toBe(200);
    redis.process.kill('SIGSTOP');
    for (const { store } of [one, two]) await isLost(store);
    const began = performance.now();
    for (let each = 0; each < 20; each++) {
      expect(await statusOf(session, one.url)).toBe(200);
      await expectEventually(await session.send('ping', {}, { url: two.url }));
    }
    expect(performance.now() - began).toBeLessThan(10 * timeoutMs);
    redis.process.kill('SIGCONT');
    for (const { store } of [one, two]) await waitUntilReady(store);
    for (const { url } of [one, two]) expect(await statusOf(session, url)).toBe(200);
  });

  it('continues cached sessions and stateless calls while Redis is frozen, before that is detected', async () => {
    const redis = await startRedis();
    const { url, store, gates } = await startInstance({ url: redis.url, timeoutMs: 60_000 });
    const progress = { _meta: { progressToken: 1 } };
    const call = (name: string, args: object) => ({ name, arguments: args, ...progress });
    const begun = await handshake(url);
    const used = await handshake(url);
    expect(textOf(await used.call('echo', { text: 'x' }))).toBe('x');
    const logging = await handshake(url);
    expect((await logging.send('logging/setLevel', { level: 'debug' })).status).toBe(200);
    const watching = await handshake(url);
    expect((await watching.send('resources/subscribe', { uri: 'test://one' })).status).toBe(200);
    const stepping = await handshake(url);
    const batching = await handshake(url, { version: '2025-03-26' });
    const busy = await handshake(url);
    for (let each = 0; each < 4; each++) expect(await statusOf(busy, url)).toBe(200);

    redis.process.kill('SIGSTOP');
    onTestFinished(() => void redis.process.kill('SIGCONT'));
    const began = performance.now();
    const step = async (): Promise<string | undefined> => {
      const events = readEvents(await stepping.send('tools/call', call('steps', { gate: 'frozen' })));
      expect(await events.message()).toMatchObject({ method: 'notifications/progress', params: { progress: 1 } });
      gates.open('frozen');
      let message = await events.message();
      while (message !== undefined && !('result' in message)) message = await events.message();
      return message && textOf(message);
    };
    const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const said = async (): Promise<string> =>
      (await logging.send('tools/call', call('say', { text: 'a word' }))).text();
    const answers = await Promise.all([
      begun.call('later', { text: 'begun' }).then(textOf),
      used.call('later', { text: 'used' }).then(textOf),
      watching.call('later', { text: 'watching' }).then(textOf),
      busy.call('echo', { text: 'busy' }).then(textOf),
      statelessClient(url).call('later', { text: 'stateless' }).then(textOf),
      step(),
      batching.post(batch).then((response) => response.json()),
    ]);
    expect(answers).toEqual([
      'begun',
      'used',
      'watching',
      'busy',
      'stateless',
      'stepped',
      batch.map(({ id }) => ({ jsonrpc: '2.0', id, result: {} })),
    ]);
    expect(await said()).toMatch(/a word.*said/s);
    expect(store.status?.().ready).toBe(true);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it('reports the latency of Redis, and that only subscriptions are interrupted', async () => {
    const { url } = await startRedis();
    const { store } = await startInstance({ url, timeoutMs });
    expect(store.status?.()).toEqual({ ready: true, latencyMs: expect.any(Number) });
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    await client.call('CLIENT', 'KILL', 'TYPE', 'PUBSUB');
    await expect
      .poll(() => store.status?.(), { interval: 1, timeout: 5000 })
      .toMatchObject({ ready: false, reason: expect.stringMatching(/tells of changes was lost/) });
    await waitUntilReady(store);
  });

  it('times out commands of a user client without a timeout', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const { url, store } = await startInstance({ client, timeoutMs });
    redis.process.kill('SIGSTOP');
    await isLost(store);
    await expectEventually(await post(url, initializeRequest()));
    redis.process.kill('SIGCONT');
    await waitUntilReady(store);
    expect((await post(url, initializeRequest())).status).toBe(200);
  });
});
