import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Change, Listener } from '../../../../server/change-feed.ts';
import type { Server } from '../../../../server/server.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import type { Store } from '../../../../stores/store.ts';
import { lossy } from '../fixtures/lossy-store.ts';
import { testServer } from '../fixtures/server.ts';
import { relayChanges, type RelayOptions } from './relay-changes.ts';
import { engineOf } from '../../../../server/server-handle.ts';

interface Instance {
  server: Server;
  heard: Change[];
  stop(): void;
}

const options: RelayOptions = {
  report(error) {
    throw error;
  },
  lists: () => ['tools', 'resources'],
};

async function instance(store: Store, given: RelayOptions = options): Promise<Instance> {
  const { server } = testServer();
  const heard: Change[] = [];
  const listener: Listener = { hears: () => true, tell: (change) => void heard.push(change) };
  engineOf(server).feed.join(listener);
  const stop = await relayChanges(engineOf(server).feed, store, given);
  return { server, heard, stop };
}

/** Lets timers wait until the function given back lets time pass. */
function stopTimers(): (milliseconds: number) => Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => vi.advanceTimersByTimeAsync(milliseconds);
}

describe('changes on one instance', () => {
  it('reach the others once, in order, and do not come back (MI-03, MI-07)', async () => {
    const store = memoryStore();
    const instances = await Promise.all([instance(store), instance(store), instance(store)]);
    const [one, two, three] = instances;
    const changes: Change[] = [];
    for (let each = 0; each < 100; each++) {
      const { server } = instances[each % 3] as Instance;
      const uri = `test://${each}`;
      server.resources.updated(uri);
      changes.push({ kind: 'resource', uri });
      await new Promise((resolve) => setImmediate(resolve));
      expect(two.heard).toHaveLength(each + 1);
    }
    one.server.tools.remove('big');
    await new Promise((resolve) => setImmediate(resolve));
    expect(three.heard).toHaveLength(101);
    for (const { heard } of instances) expect(heard).toEqual([...changes, { kind: 'tools' }]);
  });

  it('that could not be told are made up for: the others look again once the store works', async () => {
    const pass = stopTimers();
    const shared = memoryStore();
    let isAway = false;
    let tried = 0;
    const publish: Store['publish'] = (...given) => {
      tried += 1;
      if (isAway) throw new Error('away');
      return shared.publish(...given);
    };
    const reported: unknown[] = [];
    const report = (error: unknown): void => void reported.push(error);
    const [one, two] = [await instance({ ...shared, publish }, { ...options, report }), await instance(shared)];
    isAway = true;
    one.server.resources.updated('test://one');
    one.server.resources.updated('test://two');
    await pass(2500);
    expect([tried, reported.length, two.heard]).toEqual([4, 2, []]);
    isAway = false;
    await pass(1000);
    expect(two.heard).toEqual([{ kind: 'tools' }, { kind: 'resources' }]);
    await pass(5000);
    expect([tried, two.heard.length, one.heard.length]).toEqual([5, 2, 2]);
    isAway = true;
    one.server.resources.updated('test://three');
    await pass(0);
    one.stop();
    await pass(5000);
    expect(tried).toBe(6);
  });

  it('are told once though several handlers of a server share the store', async () => {
    const store = memoryStore();
    const one = await instance(store);
    const two = await instance(store);
    const again = await relayChanges(engineOf(one.server).feed, store, options);
    one.server.tools.remove('big');
    await expect.poll(() => two.heard).toEqual([{ kind: 'tools' }]);
    expect(one.heard).toEqual([{ kind: 'tools' }]);
    again();
    one.server.prompts.remove('greet');
    await expect.poll(() => two.heard).toHaveLength(2);
    expect(one.heard).toHaveLength(2);
  });

  it('go round in no circle where instances share two stores', async () => {
    const stores = [memoryStore(), memoryStore()] as const;
    const [one, two] = await Promise.all([instance(stores[0]), instance(stores[0])]);
    await relayChanges(engineOf(one.server).feed, stores[1], options);
    await relayChanges(engineOf(two.server).feed, stores[1], options);
    one.server.tools.remove('big');
    await expect.poll(() => two.heard.length).toBeGreaterThanOrEqual(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(one.heard).toHaveLength(1);
    expect(two.heard).toHaveLength(2);
  });

  it('are not told any more after the relay was stopped, and nothing is left behind', async () => {
    const store = memoryStore();
    const [one, two] = await Promise.all([instance(store), instance(store)]);
    one.stop();
    expect(engineOf(one.server).feed.size).toBe(1);
    one.server.tools.remove('big');
    two.server.prompts.remove('greet');
    await new Promise((resolve) => setImmediate(resolve));
    expect([one.heard, two.heard]).toEqual([[{ kind: 'tools' }], [{ kind: 'prompts' }]]);
  });

  it('that could not be told are reported, and the instance lives on', async () => {
    const store = memoryStore();
    const failing: Store = { ...store, publish: () => Promise.reject(new Error('The store is away')) };
    const errors: unknown[] = [];
    const { server } = testServer();
    const stop = await relayChanges(engineOf(server).feed, failing, {
      ...options,
      report: (error) => void errors.push(error),
    });
    server.tools.remove('big');
    await expect.poll(() => errors).toMatchObject([{ message: 'The store is away' }]);
    stop();
  });

  it('are relayed as soon as a store can be listened to that could not be before, and all look again then', async () => {
    const pass = stopTimers();
    const store = memoryStore();
    let fails = true;
    const flaky: Store = {
      ...store,
      subscribe: (topic, listener) => (fails ? Promise.reject(new Error('Not yet')) : store.subscribe(topic, listener)),
    };
    const errors: unknown[] = [];
    const { server } = testServer();
    const { feed } = engineOf(server);
    const heard: Change[] = [];
    feed.join({ hears: () => true, tell: (change) => void heard.push(change) });
    const report = (error: unknown): void => void errors.push(error);
    const stop = await relayChanges(feed, flaky, { report, lists: () => ['tools'] });
    await pass(1000);
    expect([errors, heard]).toEqual([[new Error('Not yet')], []]);
    fails = false;
    const other = await instance(store);
    await pass(1000);
    expect(heard).toEqual([{ kind: 'tools' }]);
    server.tools.remove('big');
    await pass(0);
    expect(other.heard).toEqual([{ kind: 'tools' }]);
    other.server.prompts.remove('greet');
    await pass(0);
    expect(heard).toEqual([{ kind: 'tools' }, { kind: 'tools' }, { kind: 'prompts' }]);
    stop();
    expect(feed.size).toBe(1);
  });

  it('are not listened to any more where the relay was stopped before it could be', async () => {
    const pass = stopTimers();
    const { server } = testServer();
    let attempts = 0;
    const away: Store = {
      ...memoryStore(),
      subscribe: () => {
        attempts += 1;
        return Promise.reject(new Error('Not yet'));
      },
    };
    const stop = await relayChanges(engineOf(server).feed, away, { ...options, report: () => {} });
    stop();
    await pass(5000);
    expect(attempts).toBe(1);
  });
});

describe('changes that may have been missed', () => {
  it('are told to all as if they had happened: lists that there are, and what each one watches', async () => {
    const { store, cut, mend } = lossy();
    const [one, two] = [await instance(store), await instance(store)];
    const watching: Change[] = [];
    engineOf(two.server).feed.join({
      hears: ({ kind }) => kind === 'tools',
      tell: (change) => void watching.push(change),
      watched: () => ['test://a', 'test://b'],
    });
    cut();
    one.server.tools.remove('big');
    await new Promise((resolve) => setImmediate(resolve));
    expect(two.heard).toEqual([]);
    mend();
    expect(two.heard).toEqual([{ kind: 'tools' }, { kind: 'resources' }]);
    expect(watching).toEqual([
      { kind: 'tools' },
      { kind: 'resource', uri: 'test://a' },
      { kind: 'resource', uri: 'test://b' },
    ]);
  });
});
