import { describe, expect, it, vi } from 'vitest';
import { type Context, tool, type ToolValue } from '../../index.ts';
import type { ToolOptions } from '../../server/define/define.ts';
import { engineOf } from '../../server/server-handle.ts';
import { memoryStore } from '../../stores/memory.ts';
import { storeOperations } from '../../stores/operations.ts';
import type { Store } from '../../stores/store.ts';
import { createGate, Instance, type InstanceOptions } from './fixtures/instance.ts';
import { mortalStore, type MortalStore } from './fixtures/mortal-store.ts';

const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const yes = (name: string): object => ({ action: 'accept', content: { name } });

type Handler = (context: Context, instance: number) => ToolValue | void | Promise<ToolValue | void>;

interface Several {
  all: Instance[];
  stores: MortalStore[];
}

/** Instances of one server that share a store; the handler learns which of them runs it. */
function several(handler: Handler, options: ToolOptions<never, never> = {}, more: InstanceOptions = {}): Several {
  const shared = memoryStore();
  const stores = [0, 1, 2, 3].map(() => mortalStore(shared));
  const all = stores.map(({ store }, instance) => {
    const work = tool('work', { task: 'optional', ...options }, (_, context) => handler(context, instance));
    return new Instance({ store, tools: [work], tasks: { leaseMs: 500 }, ...more });
  });
  return { all, stores };
}

const endless = (): Promise<never> => new Promise(() => {});

describe('several instances', () => {
  it('can all read, answer and cancel a task that runs on one of them (TX-07, TX-14, TX-15)', async () => {
    const { all } = several(async ({ elicit, signal }) => {
      const { content } = await elicit({ message: 'Who?', schema: form });
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
      return content?.name;
    });
    const [one, two, three] = all as [Instance, Instance, Instance];
    const id = await one.begin('work');
    await two.until(id, 'input_required');
    await three.answer(id, { 'input-1': yes('Ann') });
    expect((await two.get(id)).status).toBe('working');
    await two.cancel(id);
    expect(await three.until(id, 'cancelled')).not.toHaveProperty('result');
  });

  it('take over tasks of a dead instance although the store lost the registrations', async () => {
    const ran: number[] = [];
    const { all, stores } = several(
      (_, instance) => {
        ran.push(instance);
        return endless();
      },
      { runsAgain: true },
    );
    const [one, two] = all as [Instance, Instance];
    await one.begin('work');
    await vi.waitFor(() => expect(ran).toEqual([0]));
    const { store } = two;
    const workers = 'tasks/x/workers';
    await store.remove(workers);
    await vi.waitFor(async () => expect((await store.members(workers)).size).toBeGreaterThan(0), { timeout: 5000 });
    stores[0]?.die();
    await vi.waitFor(() => expect(ran).toHaveLength(2), { timeout: 5000 });
  });

  it('do not take over a task whose store was emptied just before its creation', async () => {
    const ran: number[] = [];
    const { all } = several(
      (_, instance) => {
        ran.push(instance);
        return endless();
      },
      {},
      { tasks: { leaseMs: 60_000 } },
    );
    const [one, two] = all as [Instance, Instance];
    await one.begin('work');
    const { store } = two;
    const [worker] = await store.members('tasks/x/workers');
    for (const kind of ['alive', 'by']) await store.remove(`tasks/x/${kind}/${worker}`);
    await store.remove('tasks/x/workers');
    const id = await one.begin('work');
    await two.get(id);
    await vi.waitFor(() => expect(ran).toEqual([0, 0]));
    await one.get(id);
    expect((await two.get(id)).status).toBe('working');
  });

  it('resume a task of a dead instance with the answers it got', async () => {
    const ran: number[] = [];
    const { all, stores } = several(
      async ({ elicit }, instance) => {
        ran.push(instance);
        const first = await elicit({ message: 'First?', schema: form });
        const second = await elicit({ message: 'Second?', schema: form });
        return `${first.content?.name} ${second.content?.name}`;
      },
      { runsAgain: true },
    );
    const [one, two, three] = all as [Instance, Instance, Instance];
    const id = await one.begin('work');
    await two.until(id, 'input_required');
    await two.answer(id, { 'input-1': yes('Ann') });
    await vi.waitFor(async () => expect((await two.get(id)).inputRequests).toHaveProperty('input-2'));
    stores[0]?.die();
    await vi.waitFor(() => expect(ran).toHaveLength(2), { timeout: 5000 });
    const { inputRequests } = await two.get(id);
    await three.answer(id, { 'input-2': yes('Bob') });

    expect(Object.keys(inputRequests ?? {})).toEqual(['input-2']);
    expect(await two.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'Ann Bob' }] } });
    expect(ran[0]).toBe(0);
    expect(ran[1]).not.toBe(0);
  });

  it('keep a task visible to its owner only after a takeover (TX-10)', async () => {
    const { all, stores } = several(
      async ({ elicit, auth }) =>
        `${(await elicit({ message: 'Who?', schema: form })).content?.name} ${auth?.principal}`,
      { runsAgain: true },
    );
    const [one, two, three] = all as [Instance, Instance, Instance];
    const ann = { auth: { principal: 'ann', scopes: [] } };
    const id = await one.begin('work', {}, ann);
    await two.until(id, 'input_required', ann);
    stores[0]?.die();
    await two.answer(id, { 'input-1': yes('Ann') }, ann);

    const owned = await vi.waitFor(() => three.until(id, 'completed', ann), { timeout: 5000 });
    expect(owned).toMatchObject({ taskId: id, result: { content: [{ text: 'Ann ann' }] } });
    await expect(three.get(id, { auth: { principal: 'bob', scopes: [] } })).rejects.toMatchObject({ code: -32602 });
    await expect(three.get(id)).rejects.toMatchObject({ code: -32602 });
  });

  it.each([
    ['read-only', { annotations: { readOnlyHint: true } }, 'completed'],
    ['idempotent', { annotations: { idempotentHint: true } }, 'completed'],
    ['neither', {}, 'failed'],
    ['idempotent, and says that it does not', { annotations: { idempotentHint: true }, runsAgain: false }, 'failed'],
  ] as const)('do that for a tool that is %s: %s', async (_, options, status) => {
    const { all, stores } = several((__, instance) => (instance === 0 ? endless() : 'done'), options);
    const [one, two] = all as [Instance, Instance];
    const id = await one.begin('work');
    stores[0]?.die();
    const task = await two.until(id, status);
    if (status === 'completed') expect(task.result).toMatchObject({ content: [{ text: 'done' }] });
    else expect(task.error).toMatchObject({ code: -32603, message: expect.stringContaining('interrupted') });
  });

  it('take over a task that nobody polls', async () => {
    const ran: number[] = [];
    const { all, stores } = several(
      (_, instance) => {
        ran.push(instance);
        return instance === 0 ? endless() : 'done';
      },
      { runsAgain: true },
    );
    await (all[0] as Instance).begin('work');
    await vi.waitFor(() => expect(ran).toEqual([0]));
    stores[0]?.die();
    await vi.waitFor(() => expect(ran).toHaveLength(2), { timeout: 5000 });
  });

  it('fail a task that kills each instance that runs it', async () => {
    const ran: number[] = [];
    const { all, stores } = several(
      (_, instance) => {
        ran.push(instance);
        stores[instance]?.die();
        return endless();
      },
      { runsAgain: true },
    );
    const id = await (all[0] as Instance).begin('work');
    await vi.waitFor(() => expect(ran).toHaveLength(3), { timeout: 10_000 });
    const left = all.find((_, instance) => !ran.includes(instance)) as Instance;
    const { error } = await left.until(id, 'failed');

    expect(error).toMatchObject({ code: -32603, message: expect.stringMatching(/interrupted.*started 3 times/) });
    expect(ran).toHaveLength(3);
  });

  it('take over a task at once that a closing instance releases', async () => {
    const { all } = several(
      (_, instance) => (instance === 0 ? endless() : 'done'),
      { runsAgain: true },
      { tasks: { leaseMs: 60_000 } },
    );
    const [one, two] = all as [Instance, Instance];
    const id = await one.begin('work');
    await vi.waitFor(async () => expect((await two.get(id)).status).toBe('working'));
    await one.close();
    expect(await two.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'done' }] } });
  });

  it('fail a task at once that may not run again when its instance closes', async () => {
    const signals: AbortSignal[] = [];
    const { all } = several(
      ({ signal }) => {
        signals.push(signal);
        return endless();
      },
      {},
      { tasks: { leaseMs: 60_000 } },
    );
    const [one, two] = all as [Instance, Instance];
    const id = await one.begin('work');
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    await one.close();
    expect(await two.get(id)).toMatchObject({ status: 'failed', error: { code: -32603 } });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('drop writes of the former worker after a takeover', async () => {
    const slow = createGate();
    const signals: AbortSignal[] = [];
    const { all, stores } = several(
      async ({ signal }, instance) => {
        if (instance !== 0) return 'the second';
        signals.push(signal);
        await slow.passed;
        return 'the first';
      },
      { runsAgain: true },
    );
    const [one, two] = all as [Instance, Instance];
    const id = await one.begin('work');
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    stores[0]?.die();
    await two.until(id, 'completed');
    slow.open();
    expect((await two.get(id)).result).toMatchObject({ content: [{ text: 'the second' }] });
  });

  it('apply answers that arrived during a gap in events', async () => {
    const { all, stores } = several(
      async ({ elicit }) => (await elicit({ message: 'Who?', schema: form })).content?.name,
    );
    const [one, two] = all as [Instance, Instance];
    const id = await one.begin('work');
    await two.until(id, 'input_required');
    stores[0]?.disconnect();
    await two.answer(id, { 'input-1': yes('Ann') });
    expect((await two.get(id)).status).toBe('working');
    stores[0]?.reconnect();
    expect(await two.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'Ann' }] } });
  });

  it('apply a cancellation that arrived during a gap in events', async () => {
    const { all, stores } = several(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    const [one, two] = all as [Instance, Instance];
    const id = await one.begin('work');
    stores[0]?.disconnect();
    await two.cancel(id);
    stores[0]?.reconnect();
    expect((await two.until(id, 'cancelled')).taskId).toBe(id);
  });

  it('cancel a task of a dead instance', async () => {
    const { all, stores } = several(() => endless(), { runsAgain: true });
    const [one, two] = all as [Instance, Instance];
    const id = await one.begin('work');
    stores[0]?.die();
    await two.cancel(id);
    expect((await two.until(id, 'cancelled')).taskId).toBe(id);
  });
});

describe('an instance with a slow takeover', () => {
  it('takes over each task once, and another instance continues if it dies too', async () => {
    const shared = memoryStore();
    const begun: number[] = [];
    const stores = [0, 1, 2].map(() => mortalStore(slowStore(shared)));
    const all = stores.map(({ store }, instance) => {
      const work = tool('work', { task: 'optional', runsAgain: true }, async () => {
        begun.push(instance);
        return instance === 2 ? 'done' : await endless();
      });
      return new Instance({ store, tools: [work], tasks: { leaseMs: 500 } });
    });
    const [one, two, three] = all as [Instance, Instance, Instance];
    const id = await one.begin('work');
    await three.close();
    stores[0]?.die();
    await vi.waitFor(
      async () => {
        // Reading a task triggers its takeover; others are taken over by the sweep.
        await two.get(id);
        expect(begun).toContain(1);
      },
      { timeout: 5000, interval: 5 },
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(begun).toEqual([0, 1]);

    stores[1]?.die();
    engineOf(three.server).open(three.store, true);
    expect(await three.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'done' }] } });
    expect(begun).toEqual([0, 1, 2]);
  });
});

/** A slow store, as under load by others. */
function slowStore(shared: Store): Store {
  const slowly = (name: (typeof storeOperations)[number]): unknown => {
    const operation = shared[name] as (...given: unknown[]) => unknown;
    return async (...given: unknown[]) => {
      await new Promise((resolve) => setTimeout(resolve, 8));
      return await operation.apply(shared, given);
    };
  };
  return { ...shared, ...Object.fromEntries(storeOperations.map((name) => [name, slowly(name)])) };
}
