import { describe, expect, it, vi } from 'vitest';
import type { Notification } from '../../jsonrpc/message.ts';
import { tool } from '../../index.ts';
import { MetaKey } from '../../protocol/meta.ts';
import type { Auth, Peer } from '../../server/peer.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createGate, Instance } from './fixtures/instance.ts';
import { mortalStore } from './fixtures/mortal-store.ts';
import { type DetailedTask, tasksId } from './protocol.ts';

/*
 * The suite names a scenario `tasks-status-notifications` and always leaves it out. These tests check what it was meant to:
 * that a listener is acknowledged, sent the state of the task, and notified of every change, in the shape of `tasks/get`.
 */

interface Listener {
  received: Notification[];
  /** The tasks as they were sent. */
  tasks(): DetailedTask[];
  end(): void;
  answer: unknown;
}

function listen({ server, store }: Instance, notifications: object, auth?: Auth): Listener {
  const received: Notification[] = [];
  const peer: Peer = {
    running: new Map(),
    store,
    ...(auth && { auth }),
    send: (message) => void received.push(structuredClone(message)),
  };
  const capabilities = { extensions: { [tasksId]: {} } };
  const _meta = { [MetaKey.protocolVersion]: '2026-07-28', [MetaKey.clientCapabilities]: capabilities };
  const params = { notifications, _meta };
  const answer = server.handle({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params }, peer);
  return {
    received,
    answer,
    tasks: () =>
      received.filter(({ method }) => method === 'notifications/tasks').map(({ params: tasks }) => tasks as never),
    end() {
      for (const call of peer.running.values()) call.close();
    },
  };
}

const form = { type: 'object', properties: { name: { type: 'string' } } } as const;

describe('listening to tasks', () => {
  it('sends the state right after the acknowledgement, and every change (TX-18)', async () => {
    const go = createGate();
    const work = tool('work', { task: 'optional' }, async (_, { progress, elicit }) => {
      await go.passed;
      progress(1, 2);
      await elicit({ message: 'Sure?', schema: form });
      return 'done';
    });
    const one = new Instance({ tools: [work] });
    const id = await one.begin('work');
    const listener = listen(one, { taskIds: [id] });
    await vi.waitFor(() => expect(listener.tasks()).toHaveLength(1));
    go.open();
    await vi.waitFor(() => expect(listener.tasks().at(-1)?.status).toBe('input_required'));
    const asked = await one.get(id);
    await one.answer(id, { 'input-1': { action: 'decline' } });
    await vi.waitFor(() => expect(listener.tasks().at(-1)?.status).toBe('completed'));
    const finished = await one.get(id);
    listener.end();
    await listener.answer;

    const tag = { _meta: { [MetaKey.subscriptionId]: 'sub' } };
    const { resultType: _, ...withoutType } = finished as DetailedTask & { resultType: string };
    expect(listener.received[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [id] }, ...tag },
    });
    expect(listener.tasks()[0]).toMatchObject({ taskId: id, status: 'working', ...tag });
    expect(listener.tasks().find(({ status }) => status === 'input_required')).toMatchObject({
      inputRequests: asked.inputRequests,
    });
    expect(listener.tasks().at(-1)).toEqual({ ...withoutType, ...tag });
    expect(new Set(listener.received.slice(1).map(({ method }) => method))).toEqual(new Set(['notifications/tasks']));
  });

  it('silently drops unknown and foreign tasks (TX-18, TX-09)', async () => {
    const one = new Instance({ tools: [tool('work', { task: 'optional' }, () => 'done')] });
    const auth = { principal: 'ann' };
    const [own, other] = [
      await one.begin('work', {}, { auth }),
      await one.begin('work', {}, { auth: { principal: 'bob' } }),
    ];
    const listener = listen(one, { taskIds: [other, 'x', own, own] }, auth);
    await vi.waitFor(() => expect(listener.tasks().length).toBeGreaterThan(0));
    listener.end();
    const nobody = listen(one, { taskIds: [other] }, auth);
    await vi.waitFor(() => expect(nobody.received).toHaveLength(1));
    nobody.end();

    expect(listener.received[0]?.params).toMatchObject({ notifications: { taskIds: [own] } });
    expect(new Set(listener.tasks().map(({ taskId }) => taskId))).toEqual(new Set([own]));
    expect(nobody.received[0]?.params?.notifications).toEqual({});
  });

  it('sends changes by other instances, also after a gap, and never an older state after a newer one', async () => {
    const shared = memoryStore();
    const [ways, steps] = [[mortalStore(shared), mortalStore(shared)], createGate()];
    const work = tool('work', { task: 'optional' }, async (_, { progress }) => {
      progress(1, 3);
      await steps.passed;
      return 'done';
    });
    const [one, two] = ways.map(({ store }) => new Instance({ store, tools: [work] })) as [Instance, Instance];
    const id = await one.begin('work');
    const listener = listen(two, { taskIds: [id] });
    await vi.waitFor(() => expect(listener.tasks().at(-1)?.statusMessage).toBe('1 of 3'));
    ways[1]?.disconnect();
    steps.open();
    await one.until(id, 'completed');
    expect(listener.tasks().at(-1)?.status).toBe('working');
    ways[1]?.reconnect();
    await vi.waitFor(() => expect(listener.tasks().at(-1)?.status).toBe('completed'));
    listener.end();

    const times = listener.tasks().map(({ lastUpdatedAt }) => Date.parse(lastUpdatedAt));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('coalesces rapid changes', async () => {
    const work = tool('work', { task: 'optional' }, (_, { progress }) => {
      for (let step = 1; step <= 1000; step++) progress(step, 1000);
      return 'done';
    });
    const one = new Instance({ tools: [work] });
    const id = await one.begin('work');
    const listener = listen(one, { taskIds: [id] });
    await vi.waitFor(() => expect(listener.tasks().at(-1)?.status).toBe('completed'));
    expect(listener.tasks().length).toBeLessThan(5);
    listener.end();
  });

  it('requires a list of ids within the limit', async () => {
    const one = new Instance({ tools: [tool('work', { task: 'optional' }, () => 'done')] });
    for (const taskIds of ['x', [1], Array.from({ length: 101 }, String)]) {
      const { answer } = listen(one, { taskIds });
      expect(await answer).toMatchObject({ error: { code: -32602 } });
    }
  });

  it('leaves no listeners behind', async () => {
    const one = new Instance({ tools: [tool('work', { task: 'optional' }, () => new Promise(() => {}))] });
    const id = await one.begin('work');
    const listener = listen(one, { taskIds: [id] });
    await vi.waitFor(() => expect(listener.tasks()).toHaveLength(1));
    listener.end();
    await listener.answer;
    await one.cancel(id);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(listener.tasks()).toHaveLength(1);
  });
});
