import { describe, expect, it, vi } from 'vitest';
import { tool } from '../../index.ts';
import { engineOf } from '../../server/server-handle.ts';
import { memoryStore } from '../../stores/memory.ts';
import type { Store } from '../../stores/store.ts';
import { Instance, stopClock } from './fixtures/instance.ts';
import { mortalStore, type MortalStore } from './fixtures/mortal-store.ts';

const endless = (): Promise<never> => new Promise(() => {});
const polling = { interval: 10 };
const life = { ttlMs: 60_000, kind: 'task', limit: 9 };

/** Lets a store execute operations and then fail, as after a timeout. */
function loseAnswers(store: Store, name: 'create' | 'updateIf'): { done: unknown[][]; answerAgain(): void } {
  const done: unknown[][] = [];
  const operation = store[name] as (...given: unknown[]) => unknown;
  const unanswered = async (...given: unknown[]): Promise<never> => {
    await operation.apply(store, given);
    done.push(given);
    throw new Error('The store did not answer in time');
  };
  Object.assign(store, { [name]: unanswered });
  return { done, answerAgain: () => void Object.assign(store, { [name]: operation }) };
}

interface Several {
  shared: Store;
  all: Instance[];
  stores: MortalStore[];
  /** Which instances began the handler, in this order. */
  begun: number[];
}

/** Instances of one server; only handlers of the last one end. */
function several(count: number): Several {
  stopClock();
  const shared = memoryStore();
  const begun: number[] = [];
  const stores = Array.from({ length: count }, () => mortalStore(shared));
  const all = stores.map(({ store }, instance) => {
    const work = tool('work', { task: 'optional', runsAgain: true }, async () => {
      begun.push(instance);
      return instance === count - 1 ? 'done' : await endless();
    });
    return new Instance({ store, tools: [work], tasks: { leaseMs: 200 } });
  });
  return { shared, all, stores, begun };
}

describe('a store whose answers get lost', () => {
  it('removes a task that was created although its caller got an error', async () => {
    const { shared, all, begun } = several(2);
    const [one] = all as [Instance];
    const { done } = loseAnswers(one.store, 'create');
    expect(await one.call('work')).not.toHaveProperty('taskId');
    const [[key]] = done as [[string]];
    await vi.waitFor(async () => expect(await shared.read(key, life)).toBeUndefined(), polling);
    expect((await shared.members('tasks/x/all')).size).toBe(0);
    expect(begun).toEqual([]);
  });

  it('runs a task whose takeover was not confirmed', async () => {
    const { all, stores, begun } = several(2);
    const [one, two] = all as [Instance, Instance];
    const id = await one.begin('work');
    await vi.waitFor(() => expect(begun).toEqual([0]), polling);
    const { done, answerAgain } = loseAnswers(two.store, 'updateIf');
    stores[0]?.die();
    await vi.waitFor(() => expect(done).not.toEqual([]), polling);
    answerAgain();
    expect(await two.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'done' }] } });
    expect(begun).toEqual([0, 1]);
  });

  it('lets others find a task that a closing instance could not release', async () => {
    const { all, begun } = several(2);
    const [one] = all as [Instance];
    await one.begin('work');
    await vi.waitFor(() => expect(begun).toEqual([0]), polling);
    one.store.updateIf = async () => await Promise.reject(new Error('The store did not answer in time'));
    await one.close();
    await vi.waitFor(() => expect(begun).toEqual([0, 1]), polling);
  });
});

describe('graceful shutdown of an instance', () => {
  it('counts as no attempt, however often it happens', async () => {
    const shared = memoryStore();
    const begun: number[] = [];
    const all = [0, 1].map((instance) => {
      const work = tool('work', { task: 'optional', runsAgain: true }, async () => {
        begun.push(instance);
        return begun.length > 2 * 3 ? 'done' : await endless();
      });
      return new Instance({ store: shared, tools: [work] });
    });
    const [one] = all as [Instance];
    const id = await one.begin('work');
    const closers = all.map(({ close }) => close);
    for (let times = 1; times <= 2 * 3; times += 1) {
      await vi.waitFor(() => expect(begun).toHaveLength(times), polling);
      const worker = begun.at(-1) as 0 | 1;
      await closers[worker]?.();
      closers[worker] = engineOf((all[worker] as Instance).server).open(shared, true);
    }
    expect(await one.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'done' }] } });
    for (const close of closers) await close();
  });
});
