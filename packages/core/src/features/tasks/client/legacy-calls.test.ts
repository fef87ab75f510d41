import { describe, expect, it } from 'vitest';
import { type Scripted, type Script, scripted, silent } from '../../../client/fixtures/scripted.ts';
import type { ConnectOptions } from '../../../client/connect-options.ts';
import { keeperOf, result, sentOf } from './fixtures/scripted-task.ts';
import { TaskCancelledError } from './task-errors.ts';
import { tasksClient } from './tasks-client.ts';
import { tasksOf } from './tasks-of.ts';

const working = {
  taskId: 't-1',
  status: 'working',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ttl: 60_000,
  pollInterval: 50,
};

const tools = [
  { name: 'must', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
  { name: 'may', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } },
  { name: 'not', inputSchema: { type: 'object' } },
];

/** A server of 2025-11-25 whose tasks go through these states. */
function older(
  states: readonly object[],
  { more, ...options }: ConnectOptions & { more?: Script } = {},
  capabilities: object = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
): Promise<Scripted> {
  const left = [...states];
  return scripted(
    (request) => {
      const given = more?.(request);
      if (given !== undefined) return given;
      const { method, params } = request;
      const needsTask = params?.name === 'must' && params.task === undefined;
      switch (method) {
        case 'initialize':
          return { protocolVersion: '2025-11-25', capabilities };
        case 'tools/list':
          return { tools };
        case 'tools/call':
          if (needsTask) return { error: { code: -32601, message: 'This tool has to be called as a task' } };
          return params?.task === undefined ? { content: [] } : { task: working };
        case 'tasks/get':
          return (left.length > 1 ? left.shift() : left[0]) ?? working;
        case 'tasks/result':
          return { ...result, _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't-1' } } };
        case 'tasks/cancel':
          return { ...working, status: 'cancelled' };
        default:
          return undefined;
      }
    },
    { era: 'handshake', extensions: [tasksClient()], ...options },
  );
}

const completed = { ...working, status: 'completed' };

describe('callTool of a server of 2025-11-25', () => {
  it('calls a tool as a task if the list says that it requires one', async () => {
    const { client, sent } = await older([working, completed]);
    await client.listTools().all();
    await expect(client.callTool('must')).resolves.toMatchObject(result);
    expect(sentOf(sent, 'tools/call').map(({ params }) => params?.task)).toEqual([{}]);
    expect(sentOf(sent, 'tasks/get')).toHaveLength(2);
  });

  it('loads the list once for an unknown tool', async () => {
    const { client, sent } = await older([completed]);
    await expect(client.callTool('must')).resolves.toMatchObject(result);
    await expect(client.callTool('must')).resolves.toMatchObject(result);
    expect(sentOf(sent, 'tools/call').map(({ params }) => params?.task)).toEqual([{}, {}]);
    expect(sentOf(sent, 'tools/list')).toHaveLength(1);
  });

  it('calls other tools directly', async () => {
    const { client, sent } = await older([]);
    await client.callTool('may');
    await client.callTool('not');
    expect(sentOf(sent, 'tools/call').map(({ params }) => params?.task)).toEqual([undefined, undefined]);
  });

  it('waits for the task of a call that requests one', async () => {
    const { client, sent } = await older([working, completed]);
    const params = { name: 'may', arguments: {}, task: { ttl: 5000 } };
    await expect(client.request('tools/call', params)).resolves.toMatchObject(result);
    expect(sentOf(sent, 'tools/call').map((each) => each.params?.task)).toEqual([{ ttl: 5000 }]);
    expect(sentOf(sent, 'tools/list')).toHaveLength(0);
  });

  it('declares nothing, and sends no task where the server announces none', async () => {
    const { client, sent } = await older([], {}, { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } });
    await expect(client.callTool('must')).rejects.toThrow('has to be called as a task');
    expect(JSON.stringify(sentOf(sent, 'initialize'))).not.toContain('tasks');
    expect(sentOf(sent, 'tools/call')).toHaveLength(1);
  });

  it('throws an unrelated error', async () => {
    const { client } = await older([], {
      more: ({ method, params }) =>
        method === 'tools/call' && params?.name === 'not'
          ? { error: { code: -32601, message: 'No such method' } }
          : undefined,
    });
    await expect(client.callTool('not')).rejects.toThrow('No such method');
  });

  it('keeps a request open for questions while the task requires input', async () => {
    const asking = { ...working, status: 'input_required' };
    const { client, sent, say, waitForSent } = await older([asking, asking, asking, completed], {
      elicit: () => ({ action: 'decline' }),
      more: ({ method }) => (method === 'tasks/result' && sentOf(sent, method).length === 1 ? silent : undefined),
    });
    const called = client.callTool('must');
    await waitForSent((message) => 'method' in message && message.method === 'tasks/result');
    const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };
    say({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params });
    await waitForSent((message) => !('method' in message) && message.id === 'q');
    await expect(called).resolves.toMatchObject(result);
    expect(sentOf(sent, 'tasks/result')).toHaveLength(2);
  });

  it('throws the error that the call would have thrown, fetched once', async () => {
    const { client, sent } = await older([{ ...working, status: 'failed' }], {
      more: ({ method }) => (method === 'tasks/result' ? { error: { code: -32602, message: 'no paper' } } : undefined),
    });
    await expect(client.callTool('must')).rejects.toMatchObject({ code: -32602, message: 'no paper' });
    expect(sentOf(sent, 'tasks/result')).toHaveLength(1);
  });

  it('cancels the task when the caller aborts', async () => {
    const { client, sent, waitForSent } = await older([working]);
    const cancellation = new AbortController();
    const called = client.callTool('must', {}, { signal: cancellation.signal });
    await waitForSent((message) => 'method' in message && message.method === 'tasks/get');
    cancellation.abort(new Error('enough'));
    await expect(called).rejects.toThrow('enough');
    await waitForSent((message) => 'method' in message && message.method === 'tasks/cancel');
    expect(sentOf(sent, 'notifications/cancelled')).toEqual([]);
  });
});

describe('tasks of a server of 2025-11-25', () => {
  it('have the same interface: a tool with optional tasks is called as one', async () => {
    const keeper = keeperOf();
    const { client } = await older([working, completed], { extensions: [tasksClient({ keeper })] });
    const task = await tasksOf(client).start('may');
    expect(task.handle).toEqual({
      taskId: 't-1',
      form: 'experimental',
      tool: 'may',
      createdAt: '2026-01-01T00:00:00Z',
      ttlMs: 60_000,
    });
    await expect(task.result()).resolves.toMatchObject(result);
    expect(keeper.said).toEqual(['put t-1', 'delete t-1']);
    await expect(task.answer({})).rejects.toThrow(/asks with requests/);
  });

  it('are plain calls if the tool forbids tasks', async () => {
    const { client, sent } = await older([]);
    expect(await tasksOf(client).start('not')).toMatchObject({ taskId: undefined, status: 'completed' });
    expect(sentOf(sent, 'tools/call')[0]?.params).not.toHaveProperty('task');
  });

  it('can be cancelled, also after their end', async () => {
    const { client } = await older([completed], {
      more: ({ method }) =>
        method === 'tasks/cancel' ? { error: { code: -32602, message: 'It has ended' } } : undefined,
    });
    const task = await tasksOf(client).resume('t-1');
    await task.cancel();
    expect(task.status).toBe('completed');
  });

  it('throw when another caller cancelled them', async () => {
    const { client } = await older([{ ...working, status: 'cancelled' }]);
    await expect(client.callTool('must')).rejects.toThrow(TaskCancelledError);
  });

  it('are listed page by page, also after an empty page', async () => {
    const last = { tasks: [{ ...working, taskId: 't-2', ttl: null }] };
    const pages = [{ tasks: [working], nextCursor: 'two' }, { tasks: [], nextCursor: 'three' }, last];
    const { client } = await older([], { more: ({ method }) => (method === 'tasks/list' ? pages.shift() : undefined) });
    expect((await tasksOf(client).list()).map(({ taskId, ttlMs }) => [taskId, ttlMs])).toEqual([
      ['t-1', 60_000],
      ['t-2', null],
    ]);
  });
});
