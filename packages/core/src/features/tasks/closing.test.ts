import { describe, expect, it, vi } from 'vitest';
import { tool } from '../../index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { storeOperations } from '../../stores/operations.ts';
import type { Store } from '../../stores/store.ts';
import { createGate, Instance, stopClock } from './fixtures/instance.ts';

const endless = (): Promise<never> => new Promise(() => {});
const polling = { interval: 10 };

type Operation = (typeof storeOperations)[number];

/** Has one operation of a store wait, before it is done. `reached` is resolved when that is so. */
function hold(store: Store, name: Operation): { reached: Promise<void>; goOn(): void } {
  const [arriving, going] = [createGate(), createGate()];
  const operation = store[name] as (...given: unknown[]) => unknown;
  const held = async (...given: unknown[]): Promise<unknown> => {
    arriving.open();
    await going.passed;
    return await operation.apply(store, given);
  };
  Object.assign(store, { [name]: held });
  return { reached: arriving.passed, goOn: going.open };
}

interface Several {
  /** Begins another instance. */
  join(): Instance;
  /** Which instances began the handler, in this order. */
  begun: number[];
}

/** Instances that share a store, each with its own connection; handlers of the first two never end. */
function several({ runsAgain = true, leaseMs = 60_000 } = {}): Several {
  stopClock();
  const shared = memoryStore();
  const begun: number[] = [];
  let joined = 0;
  return {
    begun,
    join() {
      const instance = joined;
      joined += 1;
      const work = tool('work', { task: 'optional', runsAgain }, async () => {
        begun.push(instance);
        return instance < 2 ? await endless() : 'done';
      });
      const other = tool('other', { task: 'optional' }, () => 'done');
      return new Instance({ store: { ...shared }, tools: [work, other], tasks: { leaseMs } });
    },
  };
}

describe('an instance that shuts down', () => {
  it('releases a task that it was taking over, and another instance runs it without a poll', async () => {
    const { join, begun } = several({ leaseMs: 200 });
    const [one, two] = [join(), join()];
    await one.begin('work');
    await vi.waitFor(() => expect(begun).toEqual([0]), polling);
    const taking = hold(two.store, 'updateIf');
    await one.close();
    await taking.reached;
    const closing = two.close();
    await Promise.resolve();
    taking.goOn();
    await closing;
    join();
    await vi.waitFor(() => expect(begun.at(-1)).toBe(2), polling);
  });

  it('releases a task that it was creating, and another instance runs it without a poll', async () => {
    const { join, begun } = several({ leaseMs: 200 });
    const one = join();
    const making = hold(one.store, 'create');
    const called = one.begin('work');
    await making.reached;
    const closing = one.close();
    await Promise.resolve();
    making.goOn();
    await Promise.all([called, closing]);
    join();
    const three = join();
    await vi.waitFor(() => expect(begun).not.toEqual([]), polling);
    expect(begun).not.toContain(0);
    expect((await three.get(await called)).status).toBe('working');
  });

  it('creates no more tasks', async () => {
    const { join, begun } = several();
    const one = join();
    await one.close();
    const { error } = (await one.send('tools/call', { name: 'work' })) as { error?: object };
    expect(error).toMatchObject({ code: -32603, data: { retryAfterMs: expect.any(Number), limit: 'server' } });
    expect(begun).toEqual([]);
    expect((await one.store.members('tasks/x/all')).size).toBe(0);
  });

  it('does not start the handler of a released task', async () => {
    const { join, begun } = several({ runsAgain: false });
    const [one, two] = [join(), join()];
    const id = await one.begin('work');
    await one.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect((await two.get(id)).status).toBe('failed');
    expect(begun).toEqual([]);
  });

  it.each([true, false])('leaves a task cancelled whose cancellation was requested: %s', async (runsAgain) => {
    const { join, begun } = several({ runsAgain });
    const one = join();
    const id = await one.begin('work');
    await vi.waitFor(() => expect(begun).toEqual([0]), polling);
    await one.cancel(id);
    await one.close();
    expect((await join().get(id)).status).toBe('cancelled');
  });

  it('leaves a task to other instances even if the list of released tasks can not be written', async () => {
    const { join, begun } = several({ leaseMs: 200 });
    const [one, two] = [join(), join()];
    await two.close();
    await one.begin('work');
    await vi.waitFor(() => expect(begun).toEqual([0]), polling);
    const { alter } = one.store;
    one.store.alter = async (key, change) => {
      if (key.endsWith('/nobody') && change.add.length > 0) throw new Error('The store is away');
      return await alter(key, change);
    };
    await one.close();
    join();
    await vi.waitFor(() => expect(begun.at(-1)).toBe(2), polling);
  });
});

describe('a released task', () => {
  it('is taken over when it is read, even if it is missing in the list', async () => {
    const { join, begun } = several();
    const one = join();
    const id = await one.begin('work');
    await vi.waitFor(() => expect(begun).toEqual([0]), polling);
    await one.close();
    await one.store.remove('tasks/x/by/nobody');
    join();
    expect((await join().until(id, 'completed')).result).toMatchObject({ content: [{ text: 'done' }] });
  });
});

describe('an instance whose heartbeat was late', () => {
  it('does not start the handler of a task that another instance has finished', async () => {
    const { join, begun } = several({ runsAgain: false, leaseMs: 200 });
    const [one, two] = [join(), join()];
    const { create } = one.store;
    const [made, thawing] = [createGate(), createGate()];
    let id = '';
    let thaw: (() => void)[] = [];
    one.store.create = async (key, fields, life) => {
      one.store.create = create;
      const full = await create(key, fields, life);
      id = key.split('/').at(-1) as string;
      thaw = storeOperations.map((name) => hold(one.store, name).goOn);
      made.open();
      await thawing.passed;
      return full;
    };
    const called = one.begin('work');
    await made.passed;
    await two.until(id, 'failed');
    for (const goOn of [...thaw, thawing.open]) goOn();
    expect(await called).toBe(id);
    // Earlier work is done by then.
    await one.until(await one.begin('other'), 'completed');
    expect(begun).toEqual([]);
  });
});
