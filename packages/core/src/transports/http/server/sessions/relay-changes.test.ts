import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Change, Listener } from '../../../../server/change-feed.ts';
import type { Server } from '../../../../server/server.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import type { Store } from '../../../../stores/store.ts';
import { lossyStore } from '../fixtures/lossy-store.ts';
import { testServer } from '../fixtures/server.ts';
import { relayChanges, type RelayOptions } from './relay-changes.ts';
import { engineOf } from '../../../../server/server-handle.ts';

interface Instance {
  server: Server;
  received: Change[];
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
  const received: Change[] = [];
  const listener: Listener = { matches: () => true, onChange: (change) => void received.push(change) };
  engineOf(server).feed.join(listener);
  const stop = await relayChanges(engineOf(server).feed, store, given);
  return { server, received, stop };
}

/** Stops timers. Returns the function that advances them. */
function stopTimers(): (milliseconds: number) => Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => vi.advanceTimersByTimeAsync(milliseconds);
}

describe('changes on one instance', () => {
  it('reach the others once, in order, and are not echoed (MI-03, MI-07)', async () => {
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
      expect(two.received).toHaveLength(each + 1);
    }
    one.server.tools.remove('big');
    await new Promise((resolve) => setImmediate(resolve));
    expect(three.received).toHaveLength(101);
    for (const { received } of instances) expect(received).toEqual([...changes, { kind: 'tools' }]);
  });

  it('that could not be published are retried as a change of everything', async () => {
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
    expect([tried, reported.length, two.received]).toEqual([4, 2, []]);
    isAway = false;
    await pass(1000);
    expect(two.received).toEqual([{ kind: 'tools' }, { kind: 'resources' }]);
    await pass(5000);
    expect([tried, two.received.length, one.received.length]).toEqual([5, 2, 2]);
    isAway = true;
    one.server.resources.updated('test://three');
    await pass(0);
    one.stop();
    await pass(5000);
    expect(tried).toBe(6);
  });

  it('are published once if several handlers of a server share the store', async () => {
    const store = memoryStore();
    const one = await instance(store);
    const two = await instance(store);
    const again = await relayChanges(engineOf(one.server).feed, store, options);
    one.server.tools.remove('big');
    await expect.poll(() => two.received).toEqual([{ kind: 'tools' }]);
    expect(one.received).toEqual([{ kind: 'tools' }]);
    again();
    one.server.prompts.remove('greet');
    await expect.poll(() => two.received).toHaveLength(2);
    expect(one.received).toHaveLength(2);
  });

  it('do not loop if instances share two stores', async () => {
    const stores = [memoryStore(), memoryStore()] as const;
    const [one, two] = await Promise.all([instance(stores[0]), instance(stores[0])]);
    await relayChanges(engineOf(one.server).feed, stores[1], options);
    await relayChanges(engineOf(two.server).feed, stores[1], options);
    one.server.tools.remove('big');
    await expect.poll(() => two.received.length).toBeGreaterThanOrEqual(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(one.received).toHaveLength(1);
    expect(two.received).toHaveLength(2);
  });

  it('are not published after the relay was stopped', async () => {
    const store = memoryStore();
    const [one, two] = await Promise.all([instance(store), instance(store)]);
    one.stop();
    expect(engineOf(one.server).feed.size).toBe(1);
    one.server.tools.remove('big');
    two.server.prompts.remove('greet');
    await new Promise((resolve) => setImmediate(resolve));
    expect([one.received, two.received]).toEqual([[{ kind: 'tools' }], [{ kind: 'prompts' }]]);
  });

  it('that could not be published are reported', async () => {
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

  it('are relayed once a failed subscription succeeds, after a change of everything', async () => {
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
    const received: Change[] = [];
    feed.join({ matches: () => true, onChange: (change) => void received.push(change) });
    const report = (error: unknown): void => void errors.push(error);
    const stop = await relayChanges(feed, flaky, { report, lists: () => ['tools'] });
    await pass(1000);
    expect([errors, received]).toEqual([[new Error('Not yet')], []]);
    fails = false;
    const other = await instance(store);
    await pass(1000);
    expect(received).toEqual([{ kind: 'tools' }]);
    server.tools.remove('big');
    await pass(0);
    expect(other.received).toEqual([{ kind: 'tools' }]);
    other.server.prompts.remove('greet');
    await pass(0);
    expect(received).toEqual([{ kind: 'tools' }, { kind: 'tools' }, { kind: 'prompts' }]);
    stop();
    expect(feed.size).toBe(1);
  });

  it('are not subscribed to if the relay was stopped before', async () => {
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
  it('are reported as changes of all lists and subscriptions', async () => {
    const { store, cut, mend } = lossyStore();
    const [one, two] = [await instance(store), await instance(store)];
    const watching: Change[] = [];
    engineOf(two.server).feed.join({
      matches: ({ kind }) => kind === 'tools',
      onChange: (change) => void watching.push(change),
      subscribedUris: () => ['test://a', 'test://b'],
    });
    cut();
    one.server.tools.remove('big');
    await new Promise((resolve) => setImmediate(resolve));
    expect(two.received).toEqual([]);
    mend();
    expect(two.received).toEqual([{ kind: 'tools' }, { kind: 'resources' }]);
    expect(watching).toEqual([
      { kind: 'tools' },
      { kind: 'resource', uri: 'test://a' },
      { kind: 'resource', uri: 'test://b' },
    ]);
  });
});
