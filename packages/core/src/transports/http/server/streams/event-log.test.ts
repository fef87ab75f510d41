import { describe, expect, it, vi } from 'vitest';
import { engineOf } from '../../../../server/server-handle.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import type { Store, StoredEntry } from '../../../../stores/store.ts';
import {
  deliver,
  type EventLogOwner,
  EventLog,
  eventsFrom,
  isStandalone,
  type StreamEvent,
  readEventId,
  streamId,
} from './event-log.ts';
import { deferred } from '../fixtures/gates.ts';
import { testServer } from '../fixtures/server.ts';
import { Stream } from './streams.ts';

const life = { ttlMs: 60_000, kind: 'sessions', limit: 10 };

async function keeperOn(store: Store): Promise<EventLogOwner> {
  await store.create('session/s', {}, life);
  return { server: testServer().server, store };
}

async function kept(store: Store): Promise<StreamEvent[]> {
  const entries = (await store.after('session/s', 0)) as StoredEntry[];
  return entries.map(({ entry }) => JSON.parse(entry) as StreamEvent);
}

/** An open stream, and the text written to it. */
function written(unsent = 0): { stream: Stream; texts: string[] } {
  const texts: string[] = [];
  const write = (text: string): void => void texts.push(text);
  const sink = { write, end: () => {}, cut: () => {}, unsent, full: false, onDrain: () => {} };
  return { stream: new Stream(sink, () => {}), texts };
}

describe('the event log', () => {
  it('logs events in order, per stream', async () => {
    const store = memoryStore();
    const keeper = await keeperOn(store);
    const [one, two] = [new EventLog(keeper, 's', 'r00000001'), new EventLog(keeper, 's', 's00000002')];
    expect(one.any).toBe(false);
    one.add({ retry: 1000 });
    one.add({ data: 'a', weight: 'droppable' });
    two.add({ data: 'b', weight: 'mergeable' });
    one.add({ data: 'c', last: true });
    await Promise.all([one.settled(), two.settled()]);
    expect(one.any).toBe(true);
    const ofOne = (await eventsFrom(keeper, { session: 's', stream: 'r00000001', position: 1 })) ?? [];
    expect(ofOne.map((event) => event.kept)).toEqual([
      { stream: 'r00000001', retry: 1000 },
      { stream: 'r00000001', data: 'a', weight: 'droppable' },
      { stream: 'r00000001', data: 'c', last: true },
    ]);
  });

  it('drops droppable events and merges equal ones under backpressure (RX-09)', async () => {
    const store = memoryStore();
    const gate = deferred<void>();
    const slow: Store = { ...store, append: (...given) => gate.promise.then(() => store.append(...given)) };
    const log = new EventLog(await keeperOn(slow), 's', 'r00000001');
    for (let each = 0; each < 5000; each++) {
      log.add({ data: 'progress', weight: 'droppable' });
      log.add({ data: 'changed', weight: 'mergeable' });
    }
    expect(log.backpressured).toBe(true);
    const needed = Array.from({ length: 10 }, (_, each) => `${each}`);
    for (const data of needed) log.add({ data, weight: 'needed' });
    log.add({ data: 'other', weight: 'mergeable' });
    gate.resolve();
    await log.settled();
    const all = await kept(store);
    expect(all.length).toBeLessThan(200);
    expect(all.slice(-11).map(({ data }) => data)).toEqual([...needed, 'other']);
    expect(log.backpressured).toBe(false);
    log.add({ data: 'changed', weight: 'mergeable' });
    await log.settled();
    expect((await kept(store)).length).toBe(all.length + 1);
  });

  it('logs all needed events under backpressure, even equal ones', async () => {
    const store = memoryStore();
    const gate = deferred<void>();
    const slow: Store = { ...store, append: (...given) => gate.promise.then(() => store.append(...given)) };
    const log = new EventLog(await keeperOn(slow), 's', 'r00000001');
    for (let each = 0; each < 150; each++) log.add({ data: 'same', weight: 'needed' });
    expect(log.backpressured).toBe(true);
    gate.resolve();
    await log.settled();
    expect(await kept(store)).toHaveLength(150);
  });

  it('logs an event again after an equal one was logged', async () => {
    const store = memoryStore();
    let gate = Promise.resolve();
    const slow: Store = { ...store, append: (...given) => gate.then(() => store.append(...given)) };
    const log = new EventLog(await keeperOn(slow), 's', 'r00000001');
    log.add({ data: 'changed', weight: 'mergeable' });
    await log.settled();
    const opened = deferred<void>();
    gate = opened.promise;
    for (let each = 0; each < 150; each++) log.add({ data: `${each}`, weight: 'needed' });
    log.add({ data: 'changed', weight: 'mergeable' });
    log.add({ data: 'changed', weight: 'mergeable' });
    opened.resolve();
    await log.settled();
    expect((await kept(store)).filter(({ data }) => data === 'changed')).toHaveLength(2);
  });

  it('queues up to 100 events, then drops droppable ones', async () => {
    const store = memoryStore();
    const gate = deferred<void>();
    const slow: Store = { ...store, append: (...given) => gate.promise.then(() => store.append(...given)) };
    const log = new EventLog(await keeperOn(slow), 's', 'r00000001');
    // The first one is with the store already.
    for (let each = 0; each <= 100; each++) log.add({ data: `${each}`, weight: 'droppable' });
    expect(log.backpressured).toBe(false);
    log.add({ data: 'one more', weight: 'droppable' });
    expect(log.backpressured).toBe(true);
    log.add({ data: 'too many', weight: 'droppable' });
    gate.resolve();
    await log.settled();
    expect((await kept(store)).at(-1)).toMatchObject({ data: 'one more' });
  });

  it('keeps up to 1000 events and 4 Mi characters', async () => {
    const store = memoryStore();
    const append = vi.spyOn(store, 'append');
    const log = new EventLog(await keeperOn(store), 's', 'r00000001');
    log.add({ data: 'x', weight: 'needed' });
    await log.settled();
    const entry = JSON.stringify({ data: 'x', weight: 'needed', stream: 'r00000001' });
    expect(append).toHaveBeenCalledWith('session/s', entry, { maxEntries: 1000, maxLength: 4 * 1024 * 1024 });
  });

  it('delivers events while the store is slow, and logs them in order afterwards', async () => {
    const store = memoryStore();
    const gate = deferred<void>();
    const slow: Store = { ...store, append: (...given) => gate.promise.then(() => store.append(...given)) };
    const log = new EventLog(await keeperOn(slow), 's', 'r00000001');
    const { stream, texts } = written();
    for (const data of ['a', 'b', 'c']) log.add({ data, weight: 'needed' }, stream);
    await expect.poll(() => texts).toEqual(['a', 'b', 'c'].map((data) => `data: ${data}\n\n`));
    stream.end();
    log.add({ data: 'd', weight: 'needed' }, stream);
    gate.resolve();
    await log.settled();
    expect((await kept(store)).map(({ data }) => data)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('delivers events without an id if the store fails', async () => {
    const store = memoryStore();
    const publish = vi.spyOn(store, 'publish');
    const { server, log: reported } = testServer();
    const failing: Store = { ...store, append: () => Promise.reject(new Error('The store is away')) };
    const log = new EventLog({ store: failing, server: engineOf(server) }, 's', 'r00000001');
    const to = written();
    log.add({ retry: 1000 }, to.stream);
    log.add({ data: 'x', weight: 'needed' }, to.stream);
    await log.settled();
    expect(to.texts).toEqual(['data: x\n\n']);
    expect(publish).not.toHaveBeenCalled();
    expect(reported).toMatchObject([
      { data: 'An event could not be logged', error: { message: 'The store is away' } },
      { data: 'An event could not be logged' },
    ]);
  });

  it('delivers needed events to a slow reader, and ends the stream with the last one', () => {
    const to = written(1024 * 1024);
    deliver(to.stream, { stream: 'r00000001', data: 'result' }, 4);
    expect([to.texts, to.stream.open]).toEqual([['id: r00000001-4\ndata: result\n\n'], true]);
    deliver(to.stream, { stream: 'r00000001', retry: 25 }, 5);
    deliver(to.stream, { stream: 'r00000001', last: true }, 6);
    expect([to.texts.slice(1), to.stream.open]).toEqual([['id: r00000001-5\nretry: 25\ndata: \n\n'], false]);
  });

  it('encodes the stream in event ids', () => {
    const [standalone, reply] = [streamId('standalone'), streamId('reply')];
    expect([isStandalone(standalone), isStandalone(reply)]).toEqual([true, false]);
    expect(readEventId('s', `${reply}-12`)).toEqual({ session: 's', stream: reply, position: 12 });
    for (const id of ['', reply, `${reply}-`, `${reply}--1`, `${reply}-1.5`, `x${reply}-1`, `${reply}-1 `]) {
      expect(readEventId('s', id)).toBeUndefined();
    }
  });
});
