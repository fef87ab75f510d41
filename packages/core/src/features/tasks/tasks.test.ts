import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createServer, ErrorCode, ProtocolError, tool, ToolError } from '../../index.ts';
import { MetaKey } from '../../protocol/meta.ts';
import { openClientConnection } from '../../server/client-connection.ts';
import { engineOf } from '../../server/server-handle.ts';
import { tasksClient } from './client/tasks-client.ts';
import { createGate, Instance } from './fixtures/instance.ts';
import { tasksId } from './protocol.ts';
import { tasks } from './tasks.ts';

const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const yes = (name: string): object => ({ action: 'accept', content: { name } });

describe('a tool that does not run as a task', () => {
  it('is called without a wrapper', () => {
    const [plain, work] = [tool('plain', {}, () => 'done'), tool('work', { task: 'optional' }, () => 'done')];
    const own = { name: 'x', version: '1' };
    const beside = engineOf(createServer({ ...own, extensions: [tasks()], tools: [plain, work] }));
    const without = engineOf(createServer({ ...own, tools: [plain] }));

    expect(beside.catalog.tools.entries.get('work')?.around).toEqual(expect.any(Function));
    expect(beside.catalog.tools.entries.get('plain')).toMatchObject({ around: undefined, addition: undefined });
    expect(beside.run).toBe(without.run);
    expect([beside.hasMiddleware, beside.catalog.isGuarded, beside.observers]).toEqual([false, false, []]);
    expect(beside.methods.of('tools/call')).toBe(without.methods.of('tools/call'));
  });
});

describe('a tool that may run as a task', () => {
  it('returns a handle that can be read at once, before its handler runs (TX-07)', async () => {
    const ran = vi.fn<() => string>(() => 'done');
    const one = new Instance({ tools: [tool('work', { task: 'optional', ttlMs: 5000, pollMs: 20 }, ran)] });

    const handle = await one.call('work');
    const { taskId } = handle;
    const wasRun = ran.mock.calls.length;
    const read = await one.get(taskId as string);

    expect(wasRun).toBe(0);
    expect(handle).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[\w-]{24}\.\w{8}\.3uw$/),
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUpdatedAt: handle.createdAt,
      ttlMs: 5000,
      pollIntervalMs: 20,
      _meta: { [MetaKey.serverInfo]: { name: 'x', version: '1' } },
    });
    expect(read).toMatchObject({ taskId, status: 'working', resultType: 'complete' });
    expect(await one.until(taskId as string, 'completed')).toMatchObject({
      resultType: 'complete',
      result: { content: [{ type: 'text', text: 'done' }] },
    });
  });

  it('ends with the result that the call would have returned (TX-11)', async () => {
    const one = new Instance({ tools: [tool('work', { task: 'optional' }, () => 'done')] });
    const { _meta: _, ...plain } = await one.call('work', {}, { declares: false });
    const { result } = await one.until(await one.begin('work'), 'completed');
    expect(plain).toEqual({ resultType: 'complete', content: [{ type: 'text', text: 'done' }], isError: false });
    expect(result).toEqual(plain);
  });

  it('runs synchronously for a client without tasks (TX-02, TX-03)', async () => {
    const one = new Instance({ tools: [tool('work', { task: 'optional' }, () => 'done')] });
    expect(await one.call('work', {}, { declares: false })).toMatchObject({
      resultType: 'complete',
      content: [{ type: 'text', text: 'done' }],
    });
  });

  it('and requires it rejects such a client before its handler runs (TX-03)', async () => {
    const ran = vi.fn<() => string>(() => 'done');
    const one = new Instance({ tools: [tool('work', { task: 'required' }, ran)] });
    await expect(one.call('work', {}, { declares: false })).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [tasksId]: {} } } },
    });
    expect(ran).not.toHaveBeenCalled();
  });

  it('has no tasks in an older revision, whatever its client declares; "task" is ignored there (TX-04)', async () => {
    const one = new Instance({ tools: [tool('plain', {}, () => 'a'), tool('work', { task: 'optional' }, () => 'b')] });
    const session = { running: new Map(), send() {}, session: undefined };
    const older = { extensions: { [tasksId]: {} } };
    const params = { protocolVersion: '2025-11-25', capabilities: older, clientInfo: { name: 'c', version: '1' } };
    const { peer } = openClientConnection({ send: session.send });
    const hello = await one.server.handle({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, peer);
    await one.server.handle({ jsonrpc: '2.0', method: 'notifications/initialized' }, peer);
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'work' } } as const;
    const answer = await one.server.handle(call, peer);

    expect(hello).not.toMatchObject({ result: { capabilities: { extensions: expect.anything() } } });
    expect(answer).toMatchObject({ result: { content: [{ type: 'text', text: 'b' }] } });
    expect(await one.result('tools/call', { name: 'plain', task: { ttl: 1 } })).toMatchObject({
      resultType: 'complete',
    });
  });

  it('declares the extension only (TX-01)', async () => {
    const one = new Instance({ tools: [tool('work', { task: 'optional' }, () => 'done')] });
    const { capabilities } = await one.result('server/discover');
    expect(capabilities).toMatchObject({ extensions: { [tasksId]: {} } });
    expect(capabilities).not.toHaveProperty('tasks');
  });

  it('validates arguments before it creates a task', async () => {
    const one = new Instance({
      tools: [
        tool('add', { task: 'required', input: { type: 'object', properties: { n: { type: 'number' } } } }, () => 1),
      ],
    });
    expect(await one.call('add', { n: 'x' })).toMatchObject({ resultType: 'complete', isError: true });
  });
});

describe('the end of a task', () => {
  it('is "completed" also for a result with isError (TX-11)', async () => {
    const failing = tool('work', { task: 'optional' }, () => {
      throw new ToolError('No luck');
    });
    const one = new Instance({ tools: [failing] });
    const task = await one.until(await one.begin('work'), 'completed');
    expect(task.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('No luck') }] });
    expect(task).not.toHaveProperty('error');
  });

  it('is "failed" when the handler throws a protocol error, with a message and no result (TX-11)', async () => {
    const broken = tool('work', { task: 'optional' }, () => {
      throw new ProtocolError(-32099, 'Broken', { part: 7 });
    });
    const one = new Instance({ tools: [broken] });
    const task = await one.until(await one.begin('work'), 'failed');
    expect(task).toMatchObject({
      error: { code: -32099, message: 'Broken', data: { part: 7 } },
      statusMessage: 'Broken',
    });
    expect(task).not.toHaveProperty('result');
  });

  it('rejects a result that is too large to store', async () => {
    const one = new Instance({
      tools: [tool('work', { task: 'optional' }, () => 'x'.repeat(500))],
      tasks: { maxResult: 400 },
    });
    const { result } = await one.until(await one.begin('work'), 'completed');
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('too large to be stored') }],
    });
  });

  it('does not leak the details of an unexpected error', async () => {
    const buggy = tool('work', { task: 'optional' }, () => {
      throw new Error('secret');
    });
    const one = new Instance({ tools: [buggy] });
    const { result } = await one.until(await one.begin('work'), 'completed');
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(one.logged.map(({ error }) => String(error))).toContain('Error: secret');
  });

  it('arrives when the task expires, at the latest (TX-20)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const signals: AbortSignal[] = [];
    const endless = tool('work', { task: 'optional', ttlMs: 60_000 }, (_, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    const one = new Instance({ tools: [endless] });
    const id = await one.begin('work');
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(60_000);
    const task = await one.until(id, 'failed');
    expect(task.error).toMatchObject({ code: -32603, message: expect.stringContaining('expired') });
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
  });
});

describe('questions in a task', () => {
  const asking = tool('ask', { task: 'optional' }, async (_, { elicit }) => {
    const { content } = await elicit({ message: 'Who?', schema: form });
    return `Hello, ${content?.name}!`;
  });

  it('are part of its state, and an update answers them (TX-13, TX-14)', async () => {
    const one = new Instance({ tools: [asking] });
    const id = await one.begin('ask');
    const { inputRequests } = await one.until(id, 'input_required');

    expect(inputRequests).toEqual({
      'input-1': {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Who?', requestedSchema: expect.objectContaining({ type: 'object' }) },
      },
    });
    const ack = await one.answer(id, { 'input-1': yes('Ann') });
    expect(Object.keys(ack).sort()).toEqual(['_meta', 'resultType']);
    expect(await one.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'Hello, Ann!' }] } });
  });

  it('may be open together; each answer counts (TX-13, TX-14, TX-C3)', async () => {
    const both = tool('both', { task: 'optional' }, async (_, { elicit }) => {
      const [a, b] = await Promise.all([
        elicit({ key: 'a', message: 'A?', schema: form }),
        elicit({ key: 'b', message: 'B?', schema: form }),
      ]);
      return `${a.content?.name} ${b.content?.name}`;
    });
    const one = new Instance({ tools: [both] });
    const id = await one.begin('both');
    const first = await one.until(id, 'input_required');
    await one.answer(id, { b: yes('Bob'), c: yes('Eve') });
    const second = await one.get(id);
    await one.answer(id, { b: yes('Eve') });
    await one.answer(id, { a: yes('Ann') });

    expect(Object.keys(first.inputRequests ?? {})).toEqual(['a', 'b']);
    expect(second.status).toBe('input_required');
    expect(Object.keys(second.inputRequests ?? {})).toEqual(['a']);
    expect(await one.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'Ann Bob' }] } });
  });

  it('are the same question when they have the same key: a key is never used twice (TX-13)', async () => {
    const twice = tool('twice', { task: 'optional' }, async (_, { elicit }) => {
      const first = await elicit({ key: 'who', message: 'Who?', schema: form });
      const second = await elicit({ key: 'who', message: 'Who?', schema: form });
      return `${first.content?.name} ${second.content?.name}`;
    });
    const one = new Instance({ tools: [twice] });
    const id = await one.begin('twice');
    await one.until(id, 'input_required');
    await one.answer(id, { who: yes('Ann') });
    expect(await one.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'Ann Ann' }] } });
  });

  it('go by rounds before the handler starts the task, and through the task afterwards (TX-16)', async () => {
    const straight = tool(
      'straight',
      { task: 'optional', beginsTask: 'in-handler' },
      async (_, { elicit, beginTask }) => {
        const before = await elicit({ message: 'Before?', schema: form });
        await beginTask();
        const after = await elicit({ message: 'After?', schema: form });
        await beginTask();
        return `${before.content?.name} ${after.content?.name}`;
      },
    );
    const one = new Instance({ tools: [straight] });
    const { requestState, ...asked } = await one.call('straight');
    const retry = { name: 'straight', arguments: {}, requestState, inputResponses: { 'input-1': yes('Ann') } };
    const handle = await one.result('tools/call', retry);
    const id = handle.taskId as string;
    const { inputRequests } = await one.until(id, 'input_required');
    await one.answer(id, { 'input-2': yes('Bob') });

    expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { 'input-1': {} } });
    expect(asked).not.toHaveProperty('taskId');
    expect(handle).toMatchObject({ resultType: 'task', status: 'working' });
    expect(handle).not.toHaveProperty('requestState');
    expect(Object.keys(inputRequests ?? {})).toEqual(['input-2']);
    expect(await one.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'Ann Bob' }] } });
  });

  it('leave no round state in a task or its result (TX-12)', async () => {
    const straight = tool(
      'straight',
      { task: 'optional', beginsTask: 'in-handler' },
      async (_, { elicit, beginTask }) => {
        await elicit({ message: 'Before?', schema: form });
        await beginTask();
        await elicit({ message: 'After?', schema: form });
        return { content: [], _meta: { 'com.example/own': true } };
      },
    );
    const one = new Instance({ tools: [straight] });
    const { requestState } = await one.call('straight');
    const retry = { name: 'straight', arguments: {}, requestState, inputResponses: { 'input-1': yes('Ann') } };
    const handle = await one.result('tools/call', retry);
    const id = handle.taskId as string;
    const asking = await one.until(id, 'input_required');
    const ack = await one.answer(id, { 'input-2': yes('Bob') });
    const done = await one.until(id, 'completed');

    expect(requestState).toEqual(expect.any(String));
    expect(done.result?._meta).toEqual({ 'com.example/own': true });
    for (const notified of [handle, asking, ack, done]) {
      expect(JSON.stringify(notified)).not.toMatch(/requestState|related-task/);
    }
  });

  it('go by rounds for a caller without tasks, with the same handler', async () => {
    const straight = tool(
      'straight',
      { task: 'optional', beginsTask: 'in-handler' },
      async (_, { elicit, beginTask }) => {
        await beginTask();
        const { content } = await elicit({ message: 'After?', schema: form });
        return `${content?.name}`;
      },
    );
    const one = new Instance({ tools: [straight] });
    const { requestState } = await one.call('straight', {}, { declares: false });
    const retry = { name: 'straight', arguments: {}, requestState, inputResponses: { 'input-1': yes('Ann') } };
    expect(await one.result('tools/call', retry, { declares: false })).toMatchObject({ content: [{ text: 'Ann' }] });
  });

  it('are limited to what the client declared, as `can` reports', async () => {
    const seen: boolean[] = [];
    const able = tool('able', { task: 'optional' }, async (_, { can, sample }) => {
      seen.push(can('elicit'), can('sample'), can('roots'));
      await sample({ messages: 'Hi', maxTokens: 1 });
    });
    const one = new Instance({ tools: [able] });
    const task = await one.until(await one.begin('able'), 'failed');
    expect(seen).toEqual([true, false, false]);
    expect(task.error).toMatchObject({ code: -32021 });
  });

  it('of any kind reach the client; an invalid answer fails the task', async () => {
    const kinds = tool('kinds', { task: 'optional' }, async (_, { sample, roots }) => {
      const [said, folders] = await Promise.all([sample({ messages: 'Hi', maxTokens: 1 }), roots()]);
      return `${JSON.stringify(said.content)} ${folders[0]?.uri}`;
    });
    const one = new Instance({ tools: [kinds] });
    const can = { sampling: {}, roots: {} };
    const id = await one.begin('kinds', {}, { can });
    await one.until(id, 'input_required');
    await one.answer(id, { 'input-1': { role: 'assistant', content: { type: 'text', text: 'Ho' }, model: 'm' } });
    await one.answer(id, { 'input-2': { roots: [{ uri: 'file:///a' }] } });
    expect(await one.until(id, 'completed')).toMatchObject({
      result: { content: [{ text: expect.stringContaining('file:///a') }] },
    });

    const other = await one.begin('kinds', {}, { can });
    await one.until(other, 'input_required');
    await one.answer(other, { 'input-1': { role: 'nobody' } });
    expect(await one.until(other, 'failed')).toMatchObject({ error: { code: -32602 } });
  });

  it('reject an invalid update', async () => {
    const one = new Instance({ tools: [asking] });
    const id = await one.begin('ask');
    await one.until(id, 'input_required');
    for (const inputResponses of [
      undefined,
      [],
      'x',
      { 'input-1': 'x' },
      { 'input-1': { text: 'x'.repeat(70_000) } },
    ]) {
      await expect(one.result('tasks/update', { taskId: id, inputResponses })).rejects.toMatchObject({ code: -32602 });
    }
    expect((await one.get(id)).status).toBe('input_required');
  });

  it('are bounded in number and size', async () => {
    const many = tool('many', { task: 'optional' }, async (_, { elicit }) => {
      await elicit({ message: 'x'.repeat(70_000), schema: form });
    });
    const one = new Instance({ tools: [many] });
    const { error } = await one.until(await one.begin('many'), 'failed');
    expect(error?.message).toContain('a question may have 65536 characters');
  });
});

describe('progress of a task', () => {
  it('becomes its status message, and is not sent otherwise (TX-17)', async () => {
    const [notified, go] = [createGate(), createGate()];
    const telling = tool('tell', { task: 'optional' }, async (_, { progress, log }) => {
      progress(1, 3, 'first');
      progress(1, 3, 'not more than before');
      log('warning', 'seen here');
      notified.open();
      await go.passed;
      progress(2, undefined, 'x'.repeat(2000));
      await new Promise(() => {});
    });
    const one = new Instance({ tools: [telling] });
    const meta = { progressToken: 7, [MetaKey.logLevel]: 'debug' };
    const id = await one.begin('tell', {}, { meta });
    await notified.passed;
    await vi.waitFor(async () => expect((await one.get(id)).statusMessage).toBe('1 of 3: first'));
    const { lastUpdatedAt } = await one.get(id);
    go.open();
    await vi.waitFor(async () => expect((await one.get(id)).statusMessage).toHaveLength(1000));

    expect(Date.parse((await one.get(id)).lastUpdatedAt)).toBeGreaterThanOrEqual(Date.parse(lastUpdatedAt));
    expect(one.sent).toEqual([]);
    expect(one.logged).toContainEqual(expect.objectContaining({ level: 'warning', data: 'seen here' }));
  });
});

describe('a connection without a store', () => {
  it("stores tasks in the server's memory, for all connections", async () => {
    const work = tool('work', { task: 'required' }, () => 'done');
    const server = createServer({ name: 'x', version: '1', extensions: [tasks()], tools: [work] });
    const capabilities = { extensions: { [tasksId]: {} } };
    const _meta = { [MetaKey.protocolVersion]: '2026-07-28', [MetaKey.clientCapabilities]: capabilities };
    const send = async (method: string, params: object): Promise<Record<string, unknown>> => {
      const { peer } = openClientConnection({ send() {} });
      const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } } as const;
      return (await server.handle(message, peer)) as unknown as Record<string, unknown>;
    };
    const { result } = await send('tools/call', { name: 'work' });
    const { taskId } = result as { taskId: string };
    await vi.waitFor(async () => {
      expect(await send('tasks/get', { taskId })).toMatchObject({ result: { status: 'completed' } });
    });
    expect(taskId).toEqual(expect.any(String));
  });
});

describe('tools with "task"', () => {
  const work = tool('work', { task: 'optional' }, () => 1);

  it('require a server with the extension', () => {
    expect(() => createServer({ name: 'x', version: '1', tools: [work] })).toThrow(
      'Tool "work" has "task", and its server not the extension that reads it: add tasks() of "@ccmcp/core/tasks" to "extensions" of createServer',
    );
  });

  it.each([
    [{ task: 'always' }, '"task" must be "optional" or "required"'],
    [{ task: 'optional', beginsTask: 'later' }, '"beginsTask" must be "at-once" or "in-handler"'],
    [{ task: 'optional', ttlMs: 0 }, '"ttlMs" must be a whole number of milliseconds from 1 to 604800000'],
    [{ task: 'optional', ttlMs: 1.5 }, '"ttlMs" must be a whole number'],
    [{ task: 'optional', pollMs: -1 }, '"pollMs" must be a whole number'],
    [{ ttlMs: 5 }, '"ttlMs" only applies to tasks: add task: "optional"'],
    [{ runsAgain: true }, '"runsAgain" only applies to tasks'],
  ])('are checked: %j', (options, problem) => {
    const wrong = tool('wrong', options as never, () => 1);
    expect(() => createServer({ name: 'x', version: '1', extensions: [tasks()], tools: [wrong] })).toThrow(problem);
  });

  it('support their own options', () => {
    expect(() => tasks({ ttlMs: -1 })).toThrow('ttlMs must be a number above 0');
    expect(() => tasks({ maxRunning: Number.NaN })).toThrow('maxRunning');
    expect(() => tasks({ maxPerCallers: 7 } as never)).toThrow('tasks has no option "maxPerCallers": did you mean');
    expect(() => tasksClient({ keep: 7 } as never)).toThrow('did you mean "keeper"?');
    expect(ErrorCode.InternalError).toBe(-32603);
  });
});
