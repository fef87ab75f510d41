import { afterAll, describe, expect, it } from 'vitest';
import {
  handshake,
  initializeRequest,
  post,
  statelessClient,
  textOf,
} from '../../core/src/transports/http/server/fixtures/client.ts';
import { readEvents } from '../../core/src/transports/http/server/fixtures/events.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { startInstance } from './fixtures/instance.ts';
import { waitUntilReady, expectEventually, listen, recoveryTimeoutMs, statusOf, timeoutMs } from './fixtures/outage.ts';
import { canStart, startRedis, stopAll } from './fixtures/redis.ts';
import { redisStore } from './store.ts';

describe.skipIf(!canStart)('a server that starts during a Redis outage', () => {
  afterAll(stopAll);

  it('starts, reports that it is not ready and why, and serves what needs no store (MI-06)', async () => {
    const port = await freePort();
    const { url, store, log } = await startInstance({ url: `redis://127.0.0.1:${port}` });
    const reason = `Nothing listens at 127.0.0.1:${port}: start Redis there, or correct the URL`;
    expect(store.status?.()).toEqual({ ready: false, reason });
    expect(log).toMatchObject([{ level: 'error', data: `The shared store is unavailable: ${reason}` }]);
    expect(textOf(await statelessClient(url).call('later', { text: 'hi' }))).toBe('hi');
    await expectEventually(await post(url, initializeRequest()));
    await expectEventually(await listen(url));
    await expect(store.read('a', { ttlMs: 1000, kind: 'test', limit: 1 })).rejects.toThrow(reason);
  });

  it('needs no restart: sessions begin and changes reach other instances after the outage', async () => {
    const port = await freePort();
    const settings = { url: `redis://127.0.0.1:${port}`, timeoutMs };
    const [one, two] = [await startInstance(settings), await startInstance(settings)];
    await startRedis([], port);
    for (const { store } of [one, two]) await waitUntilReady(store);
    const session = await handshake(one.url);
    expect(await statusOf(session, two.url)).toBe(200);
    const events = readEvents(await listen(two.url));
    await events.message();
    // The first may be the gap notification of late subscribers.
    one.server.tools.remove('big');
    expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    one.server.tools.remove('echo');
    expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await expect
      .poll(() => one.log.at(-1), recoveryTimeoutMs)
      .toMatchObject({ data: 'The shared store is available again' });
  });

  it('does not start with invalid settings, or with mustConnect', async () => {
    const { port } = await startRedis(['--requirepass', 'right']);
    await expect(redisStore({ url: `redis://:wrong@127.0.0.1:${port}` })).rejects.toThrow(/rejects the user/);
    const url = `redis://127.0.0.1:${await freePort()}`;
    await expect(redisStore({ url, mustConnect: true })).rejects.toThrow(/^Nothing listens at/);
  });

  it('explains that Redis is unusable after the outage, and recovers', async () => {
    const port = await freePort();
    const { store } = await startInstance({ url: `redis://127.0.0.1:${port}`, timeoutMs });
    const locked = await startRedis(['--requirepass', 'secret'], port);
    await expect.poll(() => store.status?.().reason, recoveryTimeoutMs).toMatch(/wants a password/);
    await locked.stop('SIGKILL');
    await startRedis([], port);
    await waitUntilReady(store);
  });
});
