import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryStore } from '../../../../stores/memory.ts';
import type { Store } from '../../../../stores/store.ts';
import { template } from '../../../../server/define/define.ts';
import { Session } from '../../../../server/session.ts';
import type { Authenticator } from '../../../../auth/server/authenticator.ts';
import { stopClock } from '../fixtures/clock.ts';
import { answerOf, handshake, post, sessionClient, textOf } from '../fixtures/client.ts';
import type { WireMessage } from '../fixtures/events.ts';
import { testServer } from '../fixtures/server.ts';
import { start } from '../fixtures/start.ts';
import { engineOf } from '../../../../server/server-handle.ts';
import { handshakeRevision } from '../../../../revisions/history.ts';
import { type LoadedSession, type SessionOptions, Sessions } from './sessions.ts';

/** Trusts the name in the request. */
const byName: Authenticator = {
  header: 'X-Name',
  authenticate: (request) => {
    const principal = request.header('x-name');
    return principal === undefined ? { status: 401, message: 'Who are you?' } : { principal };
  },
};

describe('session ids', () => {
  it("can't be guessed: all different, visible ASCII, 122 random bits (SS-03, S-H-13)", async () => {
    const { url } = await start();
    const ids = await Promise.all(Array.from({ length: 30 }, async () => (await handshake(url)).id));
    expect(new Set(ids).size).toBe(30);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    // No position of the random part is the same in all of them, as it would be with a counter or a clock.
    const random = ids.map((id) => id.replaceAll('-', '').replace(/^(.{12})4(.{3})./, '$1$2'));
    for (let at = 0; at < 30; at++) expect(new Set(random.map((id) => id[at])).size).toBeGreaterThan(1);
  });
});

describe('a session belongs to the caller who began it', () => {
  it('and is 404 for others, with every method (AU-25, AU-26, S-H-18)', async () => {
    const { url, gates } = await start({ auth: byName });
    const ann = await handshake(url, { headers: { 'X-Name': 'ann' } });
    const bob = sessionClient(url, ann.id, { headers: { 'X-Name': 'bob' } });
    expect(textOf(await ann.call('whoami'))).toBe('ann');
    const running = ann.sendCall('wait', { gate: 'g' }, { id: 'w' });
    await gates.reached('g');
    const tries = [
      await bob.send('ping'),
      await bob.get(),
      await bob.end(),
      await bob.notify('notifications/cancelled', { requestId: 'w' }),
      await bob.post({ jsonrpc: '2.0', id: 1, result: {} }),
      await bob.post([{ jsonrpc: '2.0', id: 1, method: 'ping' }]),
      await bob.get({ 'Last-Event-ID': 's00000000-1' }),
    ];
    expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 404));
    gates.open('g');
    expect(textOf(await answerOf(await running))).toBe('passed g');
  });

  it('who must authenticate every request (AU-27)', async () => {
    const { url } = await start({ auth: byName });
    const ann = await handshake(url, { headers: { 'X-Name': 'ann' } });
    const stranger = sessionClient(url, ann.id);
    for (const response of [await stranger.send('ping'), await stranger.get(), await stranger.end()]) {
      expect(response.status).toBe(401);
    }
  });
});

describe('the state of a session', () => {
  it('is not overwritten by concurrent requests', async () => {
    const { url, server } = await start();
    const session = await handshake(url);
    const standalone = await session.listen();
    await Promise.all([
      session.request('resources/subscribe', { uri: 'test://one' }),
      session.request('resources/subscribe', { uri: 'test://two' }),
      session.request('logging/setLevel', { level: 'error' }),
    ]);
    await standalone.next();
    server.resources.updated('test://one');
    server.resources.updated('test://two');
    server.log('warning', 'too little');
    server.log('error', 'enough');
    expect(await standalone.message()).toMatchObject({ params: { level: 'error', data: 'enough' } });
    expect(await standalone.message()).toMatchObject({ params: { uri: 'test://one' } });
    expect(await standalone.message()).toMatchObject({ params: { uri: 'test://two' } });
    await session.request('resources/unsubscribe', { uri: 'test://one' });
    server.resources.updated('test://one');
    server.resources.updated('test://two');
    expect(await standalone.message()).toMatchObject({ params: { uri: 'test://two' } });
  });

  it('is bounded in number and length of subscriptions (RX-02)', async () => {
    const store = memoryStore();
    const { url } = await start({ store }, { templates: [template('any://{+path}', { name: 'any' }, () => 'x')] });
    const session = await handshake(url);
    const subscribe = (uri: string): Promise<WireMessage> => session.request('resources/subscribe', { uri });
    expect(await subscribe(`any://${'x'.repeat(9000)}`)).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/too long/) },
    });
    const add = Array.from({ length: 9999 }, (_, each) => `any://${each}`);
    await store.alter(`session/${session.id}`, { add, remove: [] });
    expect(await subscribe('any://the-last')).toMatchObject({ result: {} });
    expect(await subscribe('any://one-more')).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/10000/) },
    });
    expect(await subscribe('any://the-last')).toMatchObject({ result: {} });
  });

  it('is bounded in the total length of URIs, also over all sessions (RX-02)', async () => {
    const store = memoryStore({ maxMemberLength: 1_100_000 });
    const { url } = await start({ store }, { templates: [template('any://{+path}', { name: 'any' }, () => 'x')] });
    const [one, two] = await Promise.all([handshake(url, { version: '2025-03-26' }), handshake(url)]);
    const uri = (n: number): string => `any://${n}`.padEnd(8192, 'x');
    const subscribe = (n: number): object => ({
      jsonrpc: '2.0',
      id: n,
      method: 'resources/subscribe',
      params: { uri: uri(n) },
    });
    const many = Array.from({ length: 100 }, (_, n) => subscribe(n));
    expect(await (await one.post(many)).json()).toMatchObject(many.map(() => ({ result: {} })));
    const rejected = { error: { code: -32602, message: expect.stringMatching(/1048576 characters together/) } };
    const more = Array.from({ length: 30 }, (_, n) => subscribe(n + 100));
    const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' };
    const [first, ...others] = (await (await one.post([...more, ping])).json()) as WireMessage[];
    expect(first).toMatchObject(rejected);
    expect(others.at(-1)).toMatchObject({ id: 'p', result: {} });
    expect(await two.request('resources/subscribe', { uri: uri(1) })).toMatchObject({ result: {} });
    for (let n = 100; n < 128; n += 1) await one.request('resources/subscribe', { uri: uri(n) });
    expect(await one.request('resources/subscribe', { uri: 'any://x' })).toMatchObject(rejected);
    for (let n = 2; n < 6; n += 1) await two.request('resources/subscribe', { uri: uri(n) });
    expect(await two.request('resources/subscribe', { uri: uri(9) })).toMatchObject(rejected);
    await one.end();
    expect(await two.request('resources/subscribe', { uri: uri(9) })).toMatchObject({ result: {} });
  });

  it('is updated without reading all of it', async () => {
    const store = memoryStore();
    const { url } = await start({ store });
    const session = await handshake(url);
    const members = vi.spyOn(store, 'members');
    await session.request('resources/subscribe', { uri: 'test://one' });
    await session.request('resources/unsubscribe', { uri: 'test://one' });
    await session.request('logging/setLevel', { level: 'error' });
    expect(members).not.toHaveBeenCalled();
  });

  it('is not restored by a request that was running when the session ended', async () => {
    const store = memoryStore();
    const sessions = new Sessions(engineOf(testServer().server), store, {});
    const session = new Session();
    session.revision = handshakeRevision('2025-11-25');
    const id = await sessions.create(session, 'ann');
    const loaded = await sessions.load(id, 'ann');
    if (loaded === undefined) throw new Error('The session is not there');
    await sessions.end(id);
    loaded.session.subscriptions.add('test://one');
    await sessions.save(id, loaded);
    expect(await sessions.find(id, 'ann')).toBeUndefined();
    expect(await sessions.find(id, undefined)).toBeUndefined();
    await store.close();
  });

  it('rejects questions after its end, and is released by the last holder', async () => {
    const store = memoryStore();
    const sessions = new Sessions(engineOf(testServer().server), store, {});
    const session = new Session();
    session.revision = handshakeRevision('2025-11-25');
    const id = await sessions.create(session, undefined);
    const [one, two] = await Promise.all([sessions.acquire(id), sessions.acquire(id)]);
    expect([one.live === two.live, sessions.liveCount]).toEqual([true, 1]);
    const asked = one.live.pending.ask('roots/list', undefined, () => {});
    await Promise.all([sessions.end(id), expect(asked).rejects.toThrow('The session was ended')]);
    one.release();
    one.release();
    expect(sessions.liveCount).toBe(1);
    two.release();
    expect(sessions.liveCount).toBe(0);
    await store.close();
  });

  it('is the same however it is read', async () => {
    const store = memoryStore();
    const sessions = new Sessions(engineOf(testServer().server), store, {});
    const session = new Session();
    session.revision = handshakeRevision('2025-06-18');
    session.capabilities = { elicitation: {}, roots: { listChanged: true } };
    session.clientInfo = { name: 'client', version: '1' };
    session.logLevel = 'notice';
    session.initialized = true;
    const id = await sessions.create(session, undefined);
    const loaded = await sessions.load(id, undefined);
    if (loaded !== undefined) session.subscriptions = loaded.session.subscriptions;
    expect(loaded?.session).toEqual(session);
    session.subscriptions = new Session().subscriptions;
    const found = await sessions.find(id, undefined);
    expect(found).toEqual(session);
    expect(await sessions.find(id, undefined)).toBe(found);
    loaded?.session.subscriptions.add('test://one');
    loaded?.session.subscriptions.add('__proto__');
    if (loaded !== undefined) await sessions.save(id, loaded);
    expect([...(await sessions.subscribedUris(id))]).toEqual(['test://one', '__proto__']);
    await store.close();
  });
});

describe('stored sessions', () => {
  interface Kept {
    store: Store;
    sessions: Sessions;
    id: string;
  }

  async function kept(options: SessionOptions = {}, principal?: string): Promise<Kept> {
    const store = memoryStore();
    const sessions = new Sessions(engineOf(testServer().server), store, options);
    const session = new Session();
    session.revision = handshakeRevision('2025-11-25');
    const id = await sessions.create(session, principal);
    onTestFinished(() => store.close());
    return { store, sessions, id };
  }

  it('live for half an hour by default, at most 10,000', async () => {
    const store = memoryStore();
    const create = vi.spyOn(store, 'create');
    const { server } = testServer();
    const session = new Session();
    const fields = { version: '', capabilities: '{}' };
    await new Sessions(engineOf(server), store, {}).create(session, undefined);
    expect(create).toHaveBeenLastCalledWith(expect.any(String), fields, {
      ttlMs: 1_800_000,
      kind: 'sessions',
      limit: 10_000,
    });
    expect(Object.keys(create.mock.lastCall?.[1] ?? {})).toEqual(['version', 'capabilities']);
    const id = await new Sessions(engineOf(server), store, { idleMs: 9, max: 3 }).create(session, 'anna');
    const key = `session/${id}`;
    const life = { ttlMs: 9, kind: 'sessions', limit: 3 };
    expect(create).toHaveBeenLastCalledWith(key, { ...fields, principal: 'anna' }, life);
    await store.close();
  });

  it('are cached while they are used', async () => {
    const { sessions, id } = await kept();
    const found = await sessions.find(id, undefined);
    const now = vi.spyOn(performance, 'now');
    expect(sessions.find(id, undefined)).toBe(found);
    expect(now).toHaveBeenCalledTimes(1);
    now.mockRestore();
    expect(sessions.find(id, 'somebody else')).toBeUndefined();
    expect(sessions.find(id, undefined)).toBe(found);
  });

  it('are read again if another instance changed them, and removed if one ended them', async () => {
    const { store, sessions, id } = await kept();
    const elsewhere = new Sessions(engineOf(testServer().server), store, {});
    expect(await sessions.find(id, undefined)).toMatchObject({ logLevel: undefined });
    const loaded = (await elsewhere.load(id, undefined)) as LoadedSession;
    loaded.session.logLevel = 'error';
    await elsewhere.save(id, loaded);
    expect(await sessions.find(id, undefined)).toMatchObject({ logLevel: 'error' });
    await elsewhere.end(id);
    expect(await sessions.find(id, undefined)).toBeUndefined();
  });

  it.each(['what clients say of themselves', 'what waits to be sent'])(
    'are decoded each time if %s is long',
    async (what) => {
      const { sessions } = await kept();
      const session = new Session();
      session.revision = handshakeRevision('2025-11-25');
      const long = 'n'.repeat(3000);
      if (what === 'what waits to be sent') session.early = [{ jsonrpc: '2.0', method: long }];
      else session.clientInfo = { name: long, version: '1' };
      const id = await sessions.create(session, undefined);
      const found = await sessions.find(id, undefined);
      expect(found).toBeDefined();
      expect(await sessions.find(id, undefined)).not.toBe(found);
    },
  );

  it('are not written without a change', async () => {
    const { store, sessions, id } = await kept();
    const writes = [vi.spyOn(store, 'update'), vi.spyOn(store, 'alter'), vi.spyOn(store, 'publish')];
    const loaded = (await sessions.load(id, undefined)) as LoadedSession;
    await sessions.save(id, loaded);
    for (const write of writes) expect(write).not.toHaveBeenCalled();
  });

  it('are written and published once after a change', async () => {
    const { store, sessions, id } = await kept();
    await store.alter(`session/${id}`, { add: ['test://one', 'test://two'], remove: [] });
    const update = vi.spyOn(store, 'update');
    const alter = vi.spyOn(store, 'alter');
    const publish = vi.spyOn(store, 'publish');
    const loaded = (await sessions.load(id, undefined)) as LoadedSession;
    loaded.session.subscriptions.delete('test://one');
    loaded.session.subscriptions.add('test://three');
    await sessions.save(id, loaded);
    expect(update).not.toHaveBeenCalled();
    const changes = { add: ['test://three'], remove: ['test://one'] };
    expect(alter).toHaveBeenCalledWith(`session/${id}`, { ...changes, max: { count: 10_000, length: 1024 * 1024 } });
    const event = JSON.stringify({ kind: 'watches', ...changes });
    expect(publish.mock.calls).toEqual([[`session/${id}`, event]]);
    const again = (await sessions.load(id, undefined)) as LoadedSession;
    again.session.logLevel = 'error';
    await sessions.save(id, again);
    expect(update).toHaveBeenCalledWith(`session/${id}`, { logLevel: 'error' }, expect.anything());
    expect([alter.mock.calls.length, publish.mock.calls.length]).toEqual([1, 2]);
  });

  it('are not looked up by an invalid id', async () => {
    const { store, sessions, id } = await kept();
    const read = vi.spyOn(store, 'read');
    for (const wrong of [`x${id}`, `${id}x`, id.toUpperCase(), id.replaceAll('-', ''), '', '..']) {
      expect(await sessions.find(wrong, undefined)).toBeUndefined();
    }
    expect(read).not.toHaveBeenCalled();
    expect(await sessions.find(id, undefined)).toBeDefined();
  });

  it('are extended while the session is active', async () => {
    const { store, sessions, id } = await kept({ idleMs: 300 });
    const other = await sessions.create(new Session(), undefined);
    const pass = stopClock();
    const read = vi.spyOn(store, 'read');
    const [one, two] = await Promise.all([sessions.acquire(id), sessions.acquire(other)]);
    const life = { ttlMs: 300, kind: 'sessions', limit: 10_000, busyMs: 200 };
    expect(read.mock.calls).toEqual([
      [`session/${id}`, life],
      [`session/${other}`, life],
    ]);
    one.release();
    await pass(100);
    expect(read.mock.calls.slice(2)).toEqual([[`session/${other}`, life]]);
    two.release();
  });

  it('are extended every half minute with a long lifetime', async () => {
    const { store, sessions, id } = await kept();
    const read = vi.spyOn(store, 'read');
    const { release } = await sessions.acquire(id);
    expect(read.mock.lastCall?.[1]).toMatchObject({ busyMs: 60_000 });
    release();
  });

  it('can be held again after a failure of the store', async () => {
    const { store, sessions, id } = await kept();
    vi.spyOn(store, 'subscribe').mockImplementationOnce(() => {
      throw new Error('The store is away');
    });
    await expect(sessions.acquire(id)).rejects.toThrow('The store is away');
    expect(sessions.liveCount).toBe(0);
    const { live, release } = await sessions.acquire(id);
    const received: unknown[] = [];
    live.onEvent((event) => void received.push(event));
    await sessions.publish(id, { kind: 'changed' });
    release();
    await Promise.resolve();
    await sessions.publish(id, { kind: 'changed' });
    expect(received).toEqual([{ kind: 'changed' }]);
  });
});

describe('idle sessions', () => {
  it('expire, active ones do not', async () => {
    const { url, gates, server } = await start({ sessions: { idleMs: 700 }, keepAliveMs: 60_000 });
    const pass = stopClock();
    const [idle, streaming, running] = await Promise.all([handshake(url), handshake(url), handshake(url)]);
    const standalone = await streaming.listen();
    await standalone.next();
    const waiting = running.sendCall('wait', { gate: 'g' });
    await gates.reached('g');
    await pass(1000);
    expect((await idle.send('ping')).status).toBe(404);
    server.prompts.remove('greet');
    expect(await standalone.message()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    expect((await streaming.send('ping')).status).toBe(200);
    gates.open('g');
    expect(textOf(await answerOf(await waiting))).toBe('passed g');
    expect((await running.send('ping')).status).toBe(200);
  });

  it('are evicted above the limit: the least recently used first, those with a stream last (SS-06)', async () => {
    const { url } = await start({ sessions: { max: 4 }, callerShare: 100 });
    const streaming = await handshake(url);
    const standalone = await streaming.listen();
    await standalone.next();
    const used = await handshake(url);
    const idle = await handshake(url);
    for (let each = 0; each < 2; each++) {
      await used.request('ping');
      await handshake(url);
    }
    expect((await idle.send('ping')).status).toBe(404);
    expect((await used.send('ping')).status).toBe(200);
    for (let each = 0; each < 10; each++) await handshake(url);
    expect((await used.send('ping')).status).toBe(404);
    expect((await streaming.send('ping')).status).toBe(200);
    await standalone.cancel();
  });

  it('end their streams if the store lost them', async () => {
    const store = memoryStore();
    const { url } = await start({ store, sessions: { idleMs: 300 } });
    const pass = stopClock();
    const session = await handshake(url);
    const standalone = await session.listen();
    await standalone.next();
    await store.remove(`session/${session.id}`);
    await pass(300);
    expect(await standalone.next()).toBeUndefined();
  });

  it('do not affect a request without a session', async () => {
    const { url } = await start({ sessions: { max: 1 } });
    const first = await handshake(url);
    await handshake(url);
    expect((await first.send('ping')).status).toBe(404);
    expect((await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200);
  });
});
