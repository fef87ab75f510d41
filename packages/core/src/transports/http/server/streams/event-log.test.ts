import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../../stores/memory.ts';
import type { Store, StoredEntry } from '../../../../stores/store.ts';
import { type EventKeeper, EventLog, eventsFrom, isStanding, type Kept, readEventId, streamId } from './event-log.ts';
import { deferred } from '../fixtures/gates.ts';
import { testServer } from '../fixtures/server.ts';

const life = { ttlMs: 60_000, kind: 'sessions', limit: 10 };

async function keeperOn(store: Store): Promise<EventKeeper> {
  await store.create('session/s', {}, life);
  return { server: testServer().server, store };
}

async function kept(store: Store): Promise<Kept[]> {
  const entries = (await store.after('session/s', 0)) as StoredEntry[];
  return entries.map(({ entry }) => JSON.parse(entry) as Kept);
}

describe('the events of a stream', () => {
  it('are kept in order, each under its stream', async () => {
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

  it('are fewer while the store does not keep up: none that may be lost, none twice (RX-09)', async () => {
    const store = memoryStore();
    const gate = deferred<void>();
    const slow: Store = { ...store, append: (...given) => gate.promise.then(() => store.append(...given)) };
    const log = new EventLog(await keeperOn(slow), 's', 'r00000001');
    for (let each = 0; each < 5000; each++) {
      log.add({ data: 'progress', weight: 'droppable' });
      log.add({ data: 'changed', weight: 'mergeable' });
    }
    expect(log.crowded).toBe(true);
    const needed = Array.from({ length: 10 }, (_, each) => `${each}`);
    for (const data of needed) log.add({ data, weight: 'needed' });
    log.add({ data: 'other', weight: 'mergeable' });
    gate.resolve();
    await log.settled();
    const all = await kept(store);
    expect(all.length).toBeLessThan(200);
    expect(all.slice(-11).map(({ data }) => data)).toEqual([...needed, 'other']);
    expect(log.crowded).toBe(false);
    log.add({ data: 'changed', weight: 'mergeable' });
    await log.settled();
    expect((await kept(store)).length).toBe(all.length + 1);
  });

  it('have ids that say where they belong', () => {
    const [standing, reply] = [streamId('standing'), streamId('reply')];
    expect([isStanding(standing), isStanding(reply)]).toEqual([true, false]);
    expect(readEventId('s', `${reply}-12`)).toEqual({ session: 's', stream: reply, position: 12 });
    for (const id of ['', reply, `${reply}-`, `${reply}--1`, `${reply}-1.5`, `x${reply}-1`, `${reply}-1 `]) {
      expect(readEventId('s', id)).toBeUndefined();
    }
  });
});
