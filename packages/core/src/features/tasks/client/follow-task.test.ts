import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Client } from '../../../client/client.ts';
import { ConnectionError, ResultError } from '../../../client/errors.ts';
import { silent } from '../../../client/fixtures/scripted.ts';
import { ProtocolError } from '../../../jsonrpc/errors.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { MetaKey } from '../../../protocol/meta.ts';
import { tasksId } from '../protocol.ts';
import { completed, keeperOf, result, scriptedTask, sentOf, working } from './fixtures/scripted-task.ts';
import { TaskCancelledError, TaskGoneError } from './task-errors.ts';
import { tasksOf } from './tasks-of.ts';

const asking = {
  ...working,
  status: 'input_required',
  inputRequests: { name: question('Your name?') },
};

function question(message: string): object {
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } },
  };
}

/** What Node warns of while a test runs. */
function warningsOfNode(): string[] {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  return warnings;
}

describe('callTool that returns a task', () => {
  it('resolves with the final result, as without a task (TC-01, TC-06)', async () => {
    const { client, sent } = await scriptedTask([working, completed]);
    await expect(client.callTool('render')).resolves.toEqual({ ...result, isError: false });
    expect(sentOf(sent, 'tasks/get')).toHaveLength(2);
  });

  it.each([
    ['calls', (client: Client) => client.callTool('render')],
    ['tasks of which more is seen', async (client: Client) => (await tasksOf(client).start('render')).result()],
  ])('waits for many %s at once without a listener leak warning', async (_, render) => {
    const warnings = warningsOfNode();
    const { client } = await scriptedTask([...Array.from({ length: 24 }, () => working), completed]);
    await Promise.all(Array.from({ length: 12 }, () => render(client)));
    expect(warnings).toEqual([]);
  });

  it('aborts many with one signal without a listener leak warning', async () => {
    const warnings = warningsOfNode();
    const { client, sent } = await scriptedTask([working]);
    const cancellation = new AbortController();
    const calls = Array.from({ length: 12 }, () => client.callTool('render', {}, { signal: cancellation.signal }));
    const ended = Promise.allSettled(calls);
    await vi.waitFor(() => expect(sentOf(sent, 'tasks/get').length).toBeGreaterThan(12));
    cancellation.abort(new Error('enough'));
    expect(await ended).toEqual(calls.map(() => ({ status: 'rejected', reason: new Error('enough') })));
    expect(warnings).toEqual([]);
  });

  it('answers many questions at once without a listener leak warning', async () => {
    const warnings = warningsOfNode();
    const many = Array.from({ length: 12 }, (_, number) => [`q-${number}`, question('And now?')]);
    const { client } = await scriptedTask([{ ...asking, inputRequests: Object.fromEntries(many) }, completed], {
      elicit: () => ({ action: 'decline' }),
    });
    await client.callTool('render');
    expect(warnings).toEqual([]);
  });

  it('returns a plain result unchanged (TC-01)', async () => {
    const plain = { resultType: 'complete', ...result };
    const { client, sent } = await scriptedTask([], {
      more: ({ method }) => (method === 'tools/call' ? plain : undefined),
    });
    await expect(client.callTool('render')).resolves.toMatchObject(result);
    expect(sentOf(sent, 'tasks/get')).toEqual([]);
  });

  it('declares the extension on every call and every request about a task (TC-01)', async () => {
    const { client, sent } = await scriptedTask([asking, completed], { elicit: () => ({ action: 'decline' }) });
    await client.callTool('render');
    const requests = ['tools/call', 'tasks/get', 'tasks/update'].flatMap((method) => sentOf(sent, method));
    expect(requests.length).toBeGreaterThanOrEqual(4);
    for (const { params } of requests) {
      const meta = isObject(params?._meta) ? params._meta : {};
      expect(meta[MetaKey.clientCapabilities]).toMatchObject({ extensions: { [tasksId]: {} } });
    }
  });

  it('rejects a task as the answer to any other method (TC-01)', async () => {
    const { client } = await scriptedTask([], {
      more: ({ method }) => (method === 'resources/read' ? { resultType: 'task', ...working } : undefined),
    });
    await expect(client.readResource('a://b')).rejects.toThrow(/may not answer "resources\/read"/);
  });

  it('polls at the interval of the server, which may change (TC-02)', async () => {
    vi.useFakeTimers();
    try {
      const slow = { ...working, pollIntervalMs: 5000 };
      const { client, sent } = await scriptedTask([slow, slow, { ...working, pollIntervalMs: 400 }]);
      void client.callTool('render').catch(() => {});
      await vi.advanceTimersByTimeAsync(150);
      expect(sentOf(sent, 'tasks/get')).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(4800);
      expect(sentOf(sent, 'tasks/get')).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(10_000);
      const before = sentOf(sent, 'tasks/get').length;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(sentOf(sent, 'tasks/get').length - before).toBeGreaterThan(15);
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports each status message once as progress', async () => {
    const { client } = await scriptedTask([
      { ...working, statusMessage: 'a' },
      { ...working, statusMessage: 'a' },
      { ...working, statusMessage: 'b' },
      completed,
    ]);
    const received: unknown[] = [];
    await client.callTool('render', {}, { onProgress: (progress) => received.push(progress) });
    expect(received).toEqual([
      { progress: 1, message: 'a' },
      { progress: 2, message: 'b' },
    ]);
  });

  it('asks and answers each question once, however often it is repeated (TC-03)', async () => {
    let think = (): void => {};
    const thought = new Promise<void>((resolve) => {
      think = resolve;
    });
    const both = { ...asking, inputRequests: { ...asking.inputRequests, age: question('Your age?') } };
    const { client, sent, waitForSent } = await scriptedTask([asking, both, both, both, both], {
      elicit: async ({ message }) => {
        if (message === 'Your name?') await thought;
        return { action: 'accept', content: { message } };
      },
      more: ({ method }) =>
        method === 'tasks/get' && sentOf(sent, 'tasks/update').length === 2
          ? { resultType: 'complete', ...completed }
          : undefined,
    });
    const called = client.callTool('render');
    await waitForSent((message) => 'method' in message && message.method === 'tasks/update');
    think();
    await called;
    expect(sentOf(sent, 'tasks/update').map(({ params }) => params)).toMatchObject([
      { taskId: 't-1', inputResponses: { age: { action: 'accept', content: { message: 'Your age?' } } } },
      { taskId: 't-1', inputResponses: { name: { action: 'accept', content: { message: 'Your name?' } } } },
    ]);
  });

  it('cancels a question that the server withdrew', async () => {
    let isWithdrawn = false;
    const { client, sent } = await scriptedTask([asking, working, completed], {
      elicit: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            isWithdrawn = true;
            reject(signal.reason as Error);
          });
        }),
    });
    await expect(client.callTool('render')).resolves.toMatchObject(result);
    expect(isWithdrawn).toBe(true);
    expect(sentOf(sent, 'tasks/update')).toEqual([]);
  });

  it('cancels the task when a question can not be answered', async () => {
    const { client, waitForSent } = await scriptedTask([asking], {
      elicit: () => {
        throw new Error('nobody is here');
      },
    });
    await expect(client.callTool('render')).rejects.toThrow('nobody is here');
    await waitForSent((message) => 'method' in message && message.method === 'tasks/cancel');
  });

  it("throws the server's error for a rejected answer, and cancels the task", async () => {
    const { client, waitForSent } = await scriptedTask([asking], {
      elicit: () => ({ action: 'accept', content: { name: 'Ann' } }),
      more: ({ method }) =>
        method === 'tasks/update' ? { error: { code: -32602, message: 'An answer may have 3 characters' } } : undefined,
    });
    await expect(client.callTool('render')).rejects.toThrow('An answer may have 3 characters');
    await waitForSent((message) => 'method' in message && message.method === 'tasks/cancel');
  });

  it('throws TaskGoneError when the task expires while an answer is sent (TC-06)', async () => {
    let isGone = false;
    const { client } = await scriptedTask([asking], {
      elicit: () => {
        isGone = true;
        return { action: 'accept', content: { name: 'Ann' } };
      },
      more: ({ method }) =>
        isGone && method.startsWith('tasks/') ? { error: { code: -32602, message: 'Unknown task' } } : undefined,
    });
    await expect(client.callTool('render')).rejects.toMatchObject({ name: 'TaskGoneError', problem: 'unknown' });
  });

  it('cancels the task when the caller aborts, never with notifications/cancelled (TC-04)', async () => {
    const { client, sent, waitForSent } = await scriptedTask([working], {
      more: ({ method }) => (method === 'tasks/get' ? silent : undefined),
    });
    const cancellation = new AbortController();
    const called = client.callTool('render', {}, { signal: cancellation.signal });
    await waitForSent((message) => 'method' in message && message.method === 'tasks/get');
    cancellation.abort(new Error('enough'));
    await expect(called).rejects.toThrow('enough');
    await expect(
      waitForSent((message) => 'method' in message && message.method === 'tasks/cancel'),
    ).resolves.toMatchObject({
      params: { taskId: 't-1' },
    });
    expect(sentOf(sent, 'notifications/cancelled')).toEqual([]);
  });

  it('leaves the task running when the client is closed, to be resumed later', async () => {
    const keeper = keeperOf();
    const { client, sent, waitForSent } = await scriptedTask([working], { keeper });
    const called = client.callTool('render');
    await waitForSent((message) => 'method' in message && message.method === 'tasks/get');
    await client.close();
    await expect(called).rejects.toThrow(ConnectionError);
    expect(sentOf(sent, 'tasks/cancel')).toEqual([]);
    expect(keeper.said).toEqual(['put t-1']);
  });

  it('stops waiting for a task that expired without an outcome (TC-05)', async () => {
    vi.useFakeTimers();
    try {
      const { client } = await scriptedTask([working]);
      const called = client.callTool('render').catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(61_000);
      const error = await called;
      expect(error).toBeInstanceOf(TaskGoneError);
      expect(error).toMatchObject({ problem: 'expired', taskId: 't-1' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('throws TaskGoneError for a task that the server does not know (TC-06)', async () => {
    const unknown = { error: { code: -32602, message: 'Unknown task' } };
    const { client, sent } = await scriptedTask([], {
      more: ({ method }) => (method === 'tasks/get' ? unknown : undefined),
    });
    const error = await client.callTool('render').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TaskGoneError);
    expect(error).toMatchObject({ problem: 'unknown', message: expect.stringContaining('was not found') as string });
    expect(sentOf(sent, 'tasks/cancel')).toEqual([]);
  });

  it('throws the error of a failed task, like a failed call', async () => {
    const error = { code: -32603, message: 'no paper', data: { tray: 2 } };
    const { client } = await scriptedTask([{ ...working, status: 'failed', error }]);
    const thrown = await client.callTool('render').catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(ProtocolError);
    expect(thrown).toMatchObject(error);
  });

  it('throws TaskCancelledError when the task was cancelled', async () => {
    const { client } = await scriptedTask([{ ...working, status: 'cancelled', statusMessage: 'by the operator' }]);
    const thrown = await client.callTool('render').catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(TaskCancelledError);
    expect(thrown).toMatchObject({ name: 'TaskCancelledError', taskId: 't-1', statusMessage: 'by the operator' });
  });

  it('retries after a lost connection or a server error', async () => {
    const troubles = [new ConnectionError('lost'), { error: { code: -32603, message: 'The store is away' } }];
    const { client, sent } = await scriptedTask([completed], {
      more: ({ method }) => (method === 'tasks/get' ? troubles.shift() : undefined),
    });
    await expect(client.callTool('render')).resolves.toMatchObject(result);
    expect(sentOf(sent, 'tasks/get')).toHaveLength(3);
  });

  it.each([
    ['no id', { ...working, taskId: '' }],
    ['an id without end', { ...working, taskId: 'x'.repeat(2000) }],
    ['a status that is not known', { ...working, status: 'dreaming' }],
  ])('rejects a task with %s', async (_, task) => {
    const { client } = await scriptedTask([], {
      more: ({ method }) => (method === 'tools/call' ? { resultType: 'task', ...task } : undefined),
    });
    await expect(client.callTool('render')).rejects.toThrow(ResultError);
  });

  it.each([
    ['another task', { ...completed, taskId: 't-2' }],
    ['a completed one without a result', { ...working, status: 'completed' }],
    ['a result that is a task again', { ...completed, result: { resultType: 'task', ...working } }],
    ['a result that asks again', { ...completed, result: { resultType: 'input_required', inputRequests: {} } }],
    ['a failed one without an error', { ...working, status: 'failed' }],
    ['questions that are none', { ...working, status: 'input_required', inputRequests: { a: 1 } }],
  ])('rejects %s, and asks the server to cancel', async (_, state) => {
    const { client, sent } = await scriptedTask([state]);
    await expect(client.callTool('render')).rejects.toThrow(ResultError);
    expect(sentOf(sent, 'tools/call')).toHaveLength(1);
  });

  it('stores the task while it runs, and removes it after its result', async () => {
    const keeper = keeperOf();
    const { client } = await scriptedTask([completed], { keeper });
    await client.callTool('render');
    expect(keeper.said).toEqual(['put t-1', 'delete t-1']);
  });

  it('returns the result even if the task can not be stored', async () => {
    const keeper = {
      ...keeperOf(),
      put() {
        throw new Error('the disk is full');
      },
    };
    const { client, warnings } = await scriptedTask([completed], { keeper });
    await expect(client.callTool('render')).resolves.toMatchObject(result);
    expect(warnings).toEqual(['A task could not be saved: the disk is full']);
  });

  it('validates the result against the output schema in both ways', async () => {
    const outputSchema = { type: 'object', properties: { pages: { type: 'number' } }, required: ['pages'] };
    const row = { name: 'render', inputSchema: { type: 'object' }, outputSchema };
    const { client } = await scriptedTask(
      [{ ...completed, result: { ...result, structuredContent: { pages: 'x' } } }],
      {
        more: ({ method }) => (method === 'tools/list' ? { resultType: 'complete', tools: [row] } : undefined),
      },
    );
    await client.listTools().all();
    await expect(client.callTool('render')).rejects.toThrow(/does not fit its output schema/);
    const task = await tasksOf(client).start('render');
    await expect(task.result()).rejects.toThrow(/does not fit its output schema/);
  });

  it('sends the idempotency key with the call alone', async () => {
    const { client, sent } = await scriptedTask([completed]);
    await client.callTool('render', {}, { idempotencyKey: 'k-1' });
    expect(JSON.stringify(sentOf(sent, 'tools/call'))).toContain('k-1');
    expect(JSON.stringify(sentOf(sent, 'tasks/get'))).not.toContain('k-1');
  });
});
