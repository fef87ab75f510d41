import { describe, expect, it } from 'vitest';
import { handshake, type TestSession } from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { readEvents } from '../../packages/core/src/transports/http/server/fixtures/events.ts';
import { type LossyStore, lossyStore } from '../../packages/core/src/transports/http/server/fixtures/lossy-store.ts';
import { engineOf } from '../../packages/core/src/server/server-handle.ts';
import { type StartedServer, start } from '../../packages/core/src/transports/http/server/fixtures/start.ts';

interface Pair extends LossyStore {
  one: StartedServer;
  two: StartedServer;
  session: TestSession;
  there: { url: string };
}

/** Two instances with a store that can disconnect, and a session that was started on the first. */
async function pair(): Promise<Pair> {
  const line = lossyStore();
  const { store } = line;
  const [one, two] = await Promise.all([start({ store, sse: true }), start({ store })]);
  return { ...line, one, two, session: await handshake(one.url), there: { url: two.url } };
}

describe('an instance that missed messages of the others', () => {
  it('reports lists and subscribed resources as changed', async () => {
    const { two, session, there, cut, mend } = await pair();
    await session.request('resources/subscribe', { uri: 'test://one' });
    const standalone = await session.listen();
    await standalone.next();
    cut();
    await session.request('resources/subscribe', { uri: 'test://two' }, there);
    two.server.tools.remove('big');
    two.server.resources.updated('test://one');
    await new Promise((resolve) => setImmediate(resolve));
    mend();
    const received = [];
    while (received.length < 5) received.push(await standalone.message());
    expect(received.map((message) => [message?.method, message?.params?.uri].filter(Boolean).join(' '))).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'notifications/resources/updated test://one',
      'notifications/resources/updated test://two',
    ]);
    two.server.resources.updated('test://two');
    expect(await standalone.message()).toMatchObject({ params: { uri: 'test://two' } });
  });

  it('ends requests and streams of a session that ended meanwhile', async () => {
    const { session, there, cut, mend } = await pair();
    const standalone = await session.listen();
    await standalone.next();
    cut();
    await session.end(there);
    mend();
    expect((await standalone.rest()).filter(({ method }) => !method?.endsWith('list_changed'))).toEqual([]);
  });

  it('stops logging events for a client that resumed elsewhere', async () => {
    const { one, two, session, there, cut, mend } = await pair();
    const standalone = await session.listen();
    const prime = await standalone.next();
    await standalone.cancel();
    cut();
    const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' }, there);
    mend();
    // The remaining entry notifies the other instance.
    await expect.poll(() => engineOf(one.server).feed.size).toBe(1);
    expect(engineOf(two.server).feed.size).toBe(2);
    await again.cancel();
  });

  it('replays missed events of streams, once and in order', async () => {
    const { one, store, session, there, cut, mend } = await pair();
    const steps = { gate: 'g' };
    const reply = readEvents(await session.sendCall('steps', steps, { id: 'x', meta: { progressToken: 'p' } }));
    const prime = await reply.next();
    await reply.next();
    await reply.cancel();
    const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' }, there);
    expect(await again.message()).toMatchObject({ params: { progress: 1 } });
    cut();
    one.gates.open('g');
    // No notification for the last event, but it is in the log.
    await expect.poll(async () => (await store.after(`session/${session.id}`, 0))?.at(-1)?.entry).toContain('"last"');
    mend();
    expect(await again.rest()).toMatchObject([{ params: { progress: 2 } }, { params: { progress: 3 } }, { id: 'x' }]);
  });

  it('disconnects HTTP+SSE clients, whose messages may be lost', async () => {
    const { one, cut, mend } = await pair();
    const events = readEvents(
      await fetch(one.url.replace('/mcp', '/sse'), { headers: { Accept: 'text/event-stream' } }),
    );
    await events.next();
    cut();
    mend();
    expect(await events.next()).toBeUndefined();
  });
});
