import { describe, expect, it, vi } from 'vitest';
import { template, tool } from '../../../../server/define/define.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import type { Store } from '../../../../stores/store.ts';
import { handshake, initializeRequest, post, sessionClient } from '../fixtures/client.ts';
import { stopTimeouts } from '../fixtures/clock.ts';
import { start } from '../fixtures/start.ts';
import { engineOf } from '../../../../server/server-handle.ts';

describe.each(['2025-03-26', '2025-06-18', '2025-11-25'])('the standalone stream of %s', (version) => {
  it('sends changes, updates of subscribed resources, and log messages (S-T-02, S-R-07)', async () => {
    const { url, server } = await start();
    const session = await handshake(url, { version });
    const events = await session.listen();
    await session.request('resources/subscribe', { uri: 'test://one' });
    server.prompts.remove('greet');
    server.tools.remove('big');
    server.resources.updated('test://one');
    server.resources.updated('test://two');
    server.log('info', 'working');
    server.log('debug', 'working hard');
    server.resources.remove('test://two');
    const received = [];
    for (let each = 0; each < 5; each++) received.push(await events.message());
    expect(received).toMatchObject([
      { method: 'notifications/message', params: { level: 'info', data: 'working' } },
      { method: 'notifications/prompts/list_changed' },
      { method: 'notifications/tools/list_changed' },
      { method: 'notifications/resources/updated', params: { uri: 'test://one' } },
      { method: 'notifications/resources/list_changed' },
    ]);
  });

  it('sends no responses, and nothing that belongs to a request (S-H-08, S-H-10, S-H-11)', async () => {
    const { url, server, gates } = await start();
    gates.open('g');
    const session = await handshake(url, { version });
    const events = await session.listen();
    await session.call('steps', { gate: 'g' }, { meta: { progressToken: 1 } });
    await session.call('say', { text: 'to the caller only' });
    server.tools.remove('big');
    expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it('is replaced by a second one, which gets all later messages (S-H-11)', async () => {
    const { url, server } = await start();
    const session = await handshake(url, { version });
    const first = await session.listen();
    server.tools.remove('big');
    expect(await first.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    const second = await session.listen();
    expect(await first.message()).toBeUndefined();
    server.prompts.remove('greet');
    expect(await second.message()).toMatchObject({ method: 'notifications/prompts/list_changed' });
  });

  it('ends with the session', async () => {
    const { url, server } = await start();
    const session = await handshake(url, { version });
    const events = await session.listen();
    await session.end();
    expect(await events.message()).toBeUndefined();
    expect(engineOf(server).feed.size).toBe(0);
  });
});

describe('the standalone stream', () => {
  it('starts with a resumable event id in 2025-11-25 only (S-H-07, trap 8.28)', async () => {
    const { url, server } = await start();
    const stream = await (await handshake(url)).listen();
    const id = expect.stringMatching(/^s[0-9a-f]{8}-1$/);
    expect(await stream.next()).toEqual({ id, retry: expect.any(Number), data: '' });
    const older = await (await handshake(url, { version: '2025-06-18' })).listen();
    server.tools.remove('big');
    expect(await older.next()).toEqual({
      id: expect.stringMatching(/^s[0-9a-f]{8}-1$/),
      data: expect.stringContaining('tools'),
    });
  });

  it('gets changes only after notifications/initialized (S-V-04)', async () => {
    const { url, server } = await start();
    const response = await post(url, initializeRequest());
    const session = sessionClient(url, response.headers.get('mcp-session-id') ?? '');
    const events = await session.listen();
    await events.next();
    server.tools.remove('big');
    await session.notify('notifications/initialized');
    await expect.poll(() => engineOf(server).feed.size).toBe(1);
    server.prompts.remove('greet');
    expect(await events.message()).toMatchObject({ method: 'notifications/prompts/list_changed' });
  });

  it('starts once no event can be missed', async () => {
    const store = memoryStore();
    const { subscribe } = store;
    const slow = vi.spyOn(store, 'subscribe').mockImplementation(async (topic, ...rest) => {
      if (topic.startsWith('stream/')) await new Promise((resolve) => setTimeout(resolve, 20));
      return subscribe(topic, ...rest);
    });
    const { url, server } = await start({ store });
    const events = await (await handshake(url, { version: '2025-06-18' })).listen();
    server.tools.remove('big');
    expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(slow).toHaveBeenCalled();
  });

  it('starts with log messages of the handshake, sent once', async () => {
    const store = memoryStore();
    const update = vi.spyOn(store, 'update');
    const { url, server } = await start({ store });
    server.use((call, next) => {
      if (call.method === 'initialize') {
        call.log('notice', 'welcome');
        call.log('debug', 'not at this level');
      }
      return next();
    });
    const session = await handshake(url);
    const events = await session.listen();
    expect(await events.message()).toMatchObject({ params: { level: 'notice', data: 'welcome' } });
    await expect.poll(() => update.mock.calls.some(([, changes]) => changes.early === '')).toBe(true);
    await events.cancel();
    const again = await session.listen();
    await again.next();
    server.log('notice', 'later');
    expect(await again.message()).toMatchObject({ params: { level: 'notice', data: 'later' } });
  });

  it('carries log messages from handling a notification', async () => {
    const { url, server } = await start();
    server.use((call, next) => {
      if (call.method === 'notifications/roots/list_changed') call.log('notice', 'new roots');
      return next();
    });
    const session = await handshake(url);
    const events = await session.listen();
    await session.notify('notifications/roots/list_changed');
    expect(await events.message()).toMatchObject({ params: { level: 'notice', data: 'new roots' } });
  });

  it('logs no log messages for a disconnected client, and each change once', async () => {
    const store = memoryStore();
    const append = vi.spyOn(store, 'append');
    const { url, server } = await start({ store });
    const session = await handshake(url);
    const events = await session.listen();
    const { id } = (await events.next()) ?? {};
    server.log('error', 'while it is there');
    expect(await events.message()).toMatchObject({ params: { data: 'while it is there' } });
    await events.cancel();
    const flood = async (): Promise<number> => {
      const before = append.mock.calls.length;
      for (let each = 0; each < 50; each++) server.log('error', `flood ${each}`);
      await new Promise((resolve) => setImmediate(resolve));
      return append.mock.calls.length - before;
    };
    await expect.poll(flood).toBe(0);
    const before = append.mock.calls.length;
    for (let each = 0; each < 50; each++) {
      server.tools.remove('big');
      server.tools.add(tool('big', {}, () => 'x'));
      server.resources.updated('test://one');
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(append.mock.calls.length - before).toBe(1);
    const again = await session.listen({ 'Last-Event-ID': id ?? '' });
    const received = [await again.message()];
    while (received.at(-1)?.method === 'notifications/message') received.push(await again.message());
    expect(received.at(-1)).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it('stops logging events for a disconnected client above the limit', async () => {
    const templates = [template('any://{+path}', { name: 'any' }, () => 'x')];
    const store = memoryStore();
    const { url, server } = await start({ store }, { templates });
    const session = await handshake(url);
    const add = Array.from({ length: 2000 }, (_, each) => `any://${each}`);
    await store.alter(`session/${session.id}`, { add, remove: [] });
    const events = await session.listen();
    await events.next();
    // Instances that share a store listen to each other.
    await expect.poll(() => engineOf(server).feed.size).toBe(2);
    await events.cancel();
    const tellAll = async (): Promise<number> => {
      for (const uri of add) server.resources.updated(uri);
      await new Promise((resolve) => setImmediate(resolve));
      return engineOf(server).feed.size;
    };
    await expect.poll(tellAll).toBe(1);
  });

  it('knows the subscriptions of its session, old and new', async () => {
    const { url, server } = await start();
    const session = await handshake(url);
    await session.request('resources/subscribe', { uri: 'test://one' });
    const events = await session.listen();
    await events.next();
    await session.request('resources/subscribe', { uri: 'test://two' });
    await session.request('resources/unsubscribe', { uri: 'test://one' });
    for (const uri of ['test://one', 'test://two']) server.resources.updated(uri);
    expect(await events.message()).toMatchObject({ params: { uri: 'test://two' } });
    await session.request('resources/unsubscribe', { uri: 'test://two' });
    await session.request('resources/subscribe', { uri: 'test://one' });
    for (const uri of ['test://two', 'test://one']) server.resources.updated(uri);
    expect(await events.message()).toMatchObject({ params: { uri: 'test://one' } });
  });

  it('reports everything as changed once events can be logged again (FT-21)', async () => {
    const store = memoryStore();
    let isAway = false;
    let attempts = 0;
    const away = async (): Promise<never> => {
      attempts += 1;
      throw new Error('away');
    };
    const flaky: Store = {
      ...store,
      append: (...given) => (isAway ? away() : store.append(...given)),
      members: (...given) => (isAway ? away() : store.members(...given)),
    };
    const { url, server } = await start({ store: flaky }, { logger: { level: 'emergency', write: () => {} } });
    const session = await handshake(url);
    await session.request('resources/subscribe', { uri: 'test://one' });
    const stream = await session.listen();
    await stream.next();
    const pass = stopTimeouts();
    isAway = true;
    server.resources.updated('test://one');
    await expect.poll(() => attempts).toBe(1);
    await pass(1000);
    expect(attempts).toBe(2);
    server.resources.updated('test://one');
    isAway = false;
    await pass(1000);
    const notified = [];
    while (notified.length < 4) notified.push(await stream.message());
    expect(notified.map((message) => message?.params?.uri ?? message?.method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'test://one',
    ]);
    server.tools.remove('big');
    expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it('rejects a client that does not accept event streams (HT-13)', async () => {
    const { url } = await start();
    const session = await handshake(url);
    for (const accept of ['application/json', 'text/html, */*;q=0', 'nonsense;;;=', '']) {
      expect((await session.get({ Accept: accept })).status).toBe(406);
    }
    for (const accept of ['text/event-stream', '*/*', 'text/*;q=0.1', 'TEXT/EVENT-STREAM']) {
      const response = await session.get({ Accept: accept });
      expect(response.status).toBe(200);
      await response.body?.cancel();
    }
  });

  it('is rejected above the limit of streams, until one is closed (HT-53)', async () => {
    const { url } = await start({ maxStreams: 2, callerShare: 100 });
    const sessions = await Promise.all([handshake(url), handshake(url), handshake(url)]);
    const [one, two, three] = sessions;
    const open = await one.listen();
    await two.listen();
    const rejected = await three.get();
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await three.request('ping')).toMatchObject({ result: {} });
    await open.cancel();
    const status = async (): Promise<number> => {
      const again = await three.get();
      if (again.status !== 200) await again.text();
      return again.status;
    };
    await expect.poll(status).toBe(200);
  });

  it('sends keep-alive comments while idle (HT-51)', async () => {
    const { url } = await start({ keepAliveMs: 20 });
    const events = await (await handshake(url)).listen();
    await events.next();
    expect(await events.nextLine()).toEqual({ comment: 'keep-alive' });
    expect(await events.nextLine()).toEqual({ comment: 'keep-alive' });
  });
});
