import type { Store } from '@ccmcp/core/http';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  handshake,
  initializeRequest,
  post,
  statelessClient,
  type TestSession,
  textOf,
} from '../../core/src/transports/http/server/fixtures/client.ts';
import { readEvents } from '../../core/src/transports/http/server/fixtures/events.ts';
import { startInstance } from './fixtures/instance.ts';
import { canStart, freePort, startRedis, stopAll } from './fixtures/redis.ts';
import { redisStore } from './store.ts';

const timeoutMs = 1000;
const patience = { timeout: 15_000 };

async function becomesReady(store: Store): Promise<void> {
  await expect.poll(() => store.status?.(), patience).toMatchObject({ ready: true });
}

async function isLost(store: Store): Promise<void> {
  await expect.poll(() => store.status?.().ready, patience).toBe(false);
}

/** Expects an answer that tells a client to come back, and says nothing of where Redis is. */
async function expectLater(response: Response): Promise<void> {
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({
    jsonrpc: '2.0',
    error: { code: -32603, message: "Server busy: what its instances share can't be reached now; try again later" },
  });
}

function listen(url: string): Promise<Response> {
  return statelessClient(url).send('subscriptions/listen', { notifications: { toolsListChanged: true } });
}

async function statusOf(session: TestSession, url: string): Promise<number> {
  const response = await session.send('ping', {}, { url });
  await response.text();
  return response.status;
}

describe.skipIf(!canStart)('a server whose Redis is away at the start', () => {
  afterAll(stopAll);

  it('starts, says that it is not ready and why, and serves what needs nothing of it (MI-06)', async () => {
    const port = await freePort();
    const { url, store, log } = await startInstance({ url: `redis://127.0.0.1:${port}` });
    const reason = `Nobody listens at 127.0.0.1:${port}: start Redis there, or correct the URL`;
    expect(store.status?.()).toEqual({ ready: false, reason });
    expect(log).toMatchObject([
      { level: 'error', data: `What instances of the server share can't be used now: ${reason}` },
    ]);
    expect(textOf(await statelessClient(url).call('later', { text: 'hi' }))).toBe('hi');
    await expectLater(await post(url, initializeRequest()));
    await expectLater(await listen(url));
    await expect(store.read('a', { ttlMs: 1000, kind: 'test', limit: 1 })).rejects.toThrow(reason);
  });

  it('needs no restart when it is there: sessions begin, and changes reach the other instances', async () => {
    const port = await freePort();
    const settings = { url: `redis://127.0.0.1:${port}`, timeoutMs };
    const [one, two] = [await startInstance(settings), await startInstance(settings)];
    await startRedis([], port);
    for (const { store } of [one, two]) await becomesReady(store);
    const session = await handshake(one.url);
    expect(await statusOf(session, two.url)).toBe(200);
    const events = readEvents(await listen(two.url));
    await events.message();
    // The first may be what all are told who begin to listen late.
    one.server.tools.remove('big');
    expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    one.server.tools.remove('echo');
    expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await expect
      .poll(() => one.log.at(-1), patience)
      .toMatchObject({ data: 'What instances of the server share can be used again' });
  });

  it('does not start with settings that can never work, or where it was told not to', async () => {
    const { port } = await startRedis(['--requirepass', 'right']);
    await expect(redisStore({ url: `redis://:wrong@127.0.0.1:${port}` })).rejects.toThrow(/refuses the user/);
    const url = `redis://127.0.0.1:${await freePort()}`;
    await expect(redisStore({ url, mustConnect: true })).rejects.toThrow(/^Nobody listens at/);
  });

  it('says why where what comes is of no use, and goes on when it is', async () => {
    const port = await freePort();
    const { store } = await startInstance({ url: `redis://127.0.0.1:${port}`, timeoutMs });
    const locked = await startRedis(['--requirepass', 'secret'], port);
    await expect.poll(() => store.status?.().reason, patience).toMatch(/wants a password/);
    await locked.stop('SIGKILL');
    await startRedis([], port);
    await becomesReady(store);
  });
});

describe.skipIf(!canStart)('a server whose Redis goes away', () => {
  afterAll(stopAll);

  it('serves the sessions that it knows, says 503 to all others, and never 404', async () => {
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
      await expectLater(await session.send('ping', {}, { url: two.url }));
    }
    await expectLater(await session.send('resources/subscribe', { uri: 'test://one' }));
    await expectLater(await session.end());
    await expectLater(await post(one.url, initializeRequest()));
    await expectLater(await session.get({}, { url: two.url }));
    await expectLater(await listen(one.url));

    // It comes back with nothing in it, so the session is gone; who listens is told to look again.
    await startRedis([], redis.port);
    for (const { store } of [one, two]) await becomesReady(store);
    expect(await listening.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    for (const { url } of [one, two]) {
      await expect.poll(() => statusOf(session, url), patience).toBe(404);
    }
    const next = await handshake(one.url);
    expect(await statusOf(next, two.url)).toBe(200);
    const told = [one, two].map(({ log }) => log.length);
    expect(Math.max(...told)).toBeLessThanOrEqual(4);
  });

  it('lets nobody wait for one that is frozen, once that is known, and goes on with its sessions after that', async () => {
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
      await expectLater(await session.send('ping', {}, { url: two.url }));
    }
    expect(performance.now() - began).toBeLessThan(10 * timeoutMs);
    redis.process.kill('SIGCONT');
    for (const { store } of [one, two]) await becomesReady(store);
    for (const { url } of [one, two]) expect(await statusOf(session, url)).toBe(200);
  });

  it('says how long Redis took to answer, and that only listening is interrupted', async () => {
    const { url } = await startRedis();
    const { store } = await startInstance({ url, timeoutMs });
    expect(store.status?.()).toEqual({ ready: true, latencyMs: expect.any(Number) });
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    await client.call('CLIENT', 'KILL', 'TYPE', 'PUBSUB');
    await expect
      .poll(() => store.status?.(), { interval: 1, timeout: 5000 })
      .toMatchObject({ ready: false, reason: expect.stringMatching(/tells of changes was lost/) });
    await becomesReady(store);
  });

  it('gives up a client of the user that has no time limit', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const { url, store } = await startInstance({ client, timeoutMs });
    redis.process.kill('SIGSTOP');
    await isLost(store);
    await expectLater(await post(url, initializeRequest()));
    redis.process.kill('SIGCONT');
    await becomesReady(store);
    expect((await post(url, initializeRequest())).status).toBe(200);
  });
});
