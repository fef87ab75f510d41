import { engineOf } from '../../../../server/server-handle.ts';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../../stores/memory.ts';
import { handshake, type TestSession } from '../fixtures/client.ts';
import { readEvents } from '../fixtures/events.ts';
import { type StartedServer, start } from '../fixtures/start.ts';

interface Broken extends StartedServer {
  session: TestSession;
  /** The id of the last event that the client saw. */
  lastId: string;
}

/** A client lost the connection on which a call was being answered, after its first progress. */
async function broken(options: { version?: string } = {}, serving: Parameters<typeof start>[0] = {}): Promise<Broken> {
  const started = await start(serving);
  const session = await handshake(started.url, options);
  const response = await session.sendCall('steps', { gate: 'g' }, { id: 'x', meta: { progressToken: 'p' } });
  const events = readEvents(response);
  for (;;) {
    const event = await events.next();
    if (event?.data === '') continue;
    await events.cancel();
    return { ...started, session, lastId: event?.id ?? '' };
  }
}

const afterOne = [{ params: { progress: 2 } }, { params: { progress: 3 } }, { id: 'x', result: {} }];

describe('a broken stream', () => {
  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'is taken up while the work goes on: nothing is missing, nothing comes twice (%s, S-H-12)',
    async (version) => {
      const { session, lastId, gates } = await broken({ version });
      const again = await session.listen({ 'Last-Event-ID': lastId });
      gates.open('g');
      expect(await again.rest()).toMatchObject(afterOne);
    },
  );

  it('can be resumed after the request is done', async () => {
    const { session, lastId, gates } = await broken();
    gates.open('g');
    const again = await session.listen({ 'Last-Event-ID': lastId });
    expect(await again.rest()).toMatchObject(afterOne);
  });

  it('can be resumed from its beginning with the first id', async () => {
    const { session, lastId, gates } = await broken();
    gates.open('g');
    const again = await session.listen({ 'Last-Event-ID': `${lastId.split('-')[0]}-1` });
    expect(await again.rest()).toMatchObject([{ params: { progress: 1 } }, ...afterOne]);
  });

  it('can be resumed repeatedly', async () => {
    const { session, lastId, gates } = await broken();
    gates.open('g');
    const received = [];
    for (let id = lastId; ; ) {
      const events = await session.listen({ 'Last-Event-ID': id });
      const event = await events.next();
      await events.cancel();
      if (event === undefined) break;
      received.push(JSON.parse(event.data ?? ''));
      id = event.id ?? '';
    }
    expect(received).toMatchObject(afterOne);
  });

  it('is served on the latest connection; the previous one ends', async () => {
    const { session, lastId, gates } = await broken();
    const first = await session.listen({ 'Last-Event-ID': lastId });
    const second = await session.listen({ 'Last-Event-ID': lastId });
    expect(await first.rest()).toEqual([]);
    gates.open('g');
    expect(await second.rest()).toMatchObject(afterOne);
  });

  it('can be resumed although its first connection still seems open', async () => {
    const { url, gates } = await start();
    const session = await handshake(url);
    const response = await session.sendCall('steps', { gate: 'g' }, { id: 'x', meta: { progressToken: 'p' } });
    const first = readEvents(response);
    const prime = await first.next();
    const second = await session.listen({ 'Last-Event-ID': prime?.id ?? '' });
    const received = await first.rest();
    gates.open('g');
    expect(received).toMatchObject([{ params: { progress: 1 } }]);
    expect(await second.rest()).toMatchObject([{ params: { progress: 1 } }, ...afterOne]);
  });

  it('ends when the request is cancelled or the session ends', async () => {
    const { session, lastId, gates } = await broken();
    const again = await session.listen({ 'Last-Event-ID': lastId });
    await session.notify('notifications/cancelled', { requestId: 'x' });
    await gates.aborted('g');
    expect(await again.rest()).toEqual([]);

    const other = await broken();
    const resumed = await other.session.listen({ 'Last-Event-ID': other.lastId });
    await other.session.end();
    expect(await resumed.rest()).toEqual([]);
  });

  it('can not be resumed from another session or with a forged id (MI-12, S-H-12)', async () => {
    const { session, lastId, url } = await broken();
    const other = await handshake(url);
    for (let each = 0; each < 3; each++) {
      await readEvents(await other.sendCall('say', { text: 'x' })).rest();
    }
    expect((await other.get({ 'Last-Event-ID': lastId })).status).toBe(400);
    const [stream] = lastId.split('-');
    for (const id of [
      '',
      '-',
      'x',
      '1',
      `${stream}-0`,
      `${stream}-99`,
      `${stream}--1`,
      `${stream}-1e3`,
      `s${stream}-1`,
    ]) {
      expect({ id, status: (await session.get({ 'Last-Event-ID': id })).status }).toEqual({ id, status: 400 });
    }
  });

  it('is rejected if later events were evicted', async () => {
    const store = memoryStore({ maxLogLength: 1000 });
    const { session, lastId, url } = await broken({}, { store });
    const greedy = await handshake(url);
    await readEvents(await greedy.sendCall('say', { text: 'x'.repeat(2000) })).rest();
    const response = await session.get({ 'Last-Event-ID': lastId });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(/again/) } });
  });
});

describe('the standalone stream after its connection broke', () => {
  it('replays missed events, then sends new ones', async () => {
    const { url, server } = await start();
    const session = await handshake(url);
    const first = await session.listen();
    const prime = await first.next();
    server.tools.remove('big');
    const seen = await first.next();
    await first.cancel();
    await expect.poll(() => openStreams(server)).toBe(1);
    server.prompts.remove('greet');
    await Promise.resolve();
    const again = await session.listen({ 'Last-Event-ID': seen?.id ?? '' });
    expect(await again.message()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    server.resources.remove('test://two');
    expect(await again.message()).toMatchObject({ method: 'notifications/resources/list_changed' });
    const fromStart = await session.listen({ 'Last-Event-ID': prime?.id ?? '' });
    expect(await fromStart.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(await fromStart.message()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    expect(await fromStart.message()).toMatchObject({ method: 'notifications/resources/list_changed' });
    expect(await again.message()).toBeUndefined();
    server.tools.remove('echo');
    expect(await fromStart.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(openStreams(server)).toBe(1);
  });

  it('starts anew without Last-Event-ID', async () => {
    const { url, server } = await start();
    const session = await handshake(url);
    const first = await session.listen();
    server.tools.remove('big');
    await first.message();
    await first.cancel();
    server.prompts.remove('greet');
    const second = await session.listen();
    await second.next();
    server.resources.remove('test://two');
    expect(await second.message()).toMatchObject({ method: 'notifications/resources/list_changed' });
  });

  it('is released if it can not be resumed, or the session ends', async () => {
    const { url, server } = await start();
    const older = await handshake(url, { version: '2025-06-18' });
    const events = await older.listen();
    await expect.poll(() => openStreams(server)).toBe(1);
    await events.cancel();
    await expect.poll(() => openStreams(server)).toBe(0);
    const session = await handshake(url);
    const primed = await session.listen();
    await primed.next();
    await primed.cancel();
    await session.end();
    expect(openStreams(server)).toBe(0);
  });
});

/** Subscribers to changes: here only standalone streams, connected or waiting for their client. */
function openStreams(server: StartedServer['server']): number {
  return engineOf(server).feed.size;
}
