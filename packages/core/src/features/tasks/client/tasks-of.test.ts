import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, connect, type ConnectOptions, memoryTransport } from '../../../client.ts';
import { createServer, ErrorCode, ProtocolError, tool } from '../../../index.ts';
import { type TaskHandle, TaskGoneError, type TaskKeeper, tasks, tasksClient, tasksOf } from '../../../tasks.ts';
import { keeperOf } from './fixtures/scripted-task.ts';

/** A server with tools that take as long as the test wants. */
function studio() {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
  const server = createServer({
    name: 'studio',
    version: '1.0.0',
    extensions: [tasks({ pollMs: 50 })],
    tools: [
      tool('plain', {}, () => 'at once'),
      tool('render', { task: 'optional' }, async (_, { progress }) => {
        progress(1, 2, 'half of it');
        await gate;
        return 'rendered';
      }),
      tool('greet', { task: 'required' }, async (_, { elicit }) => {
        const { content } = await elicit({ message: 'Your name?', schema: name });
        return `Hello, ${content?.name ?? 'stranger'}!`;
      }),
      tool('break', { task: 'required' }, () => {
        throw new ProtocolError(ErrorCode.InternalError, 'out of order');
      }),
      tool('wait', { task: 'required' }, (_, { signal }) => {
        return new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      }),
    ],
  });
  const visit = async (options: ConnectOptions & { keeper?: TaskKeeper } = {}): Promise<Client> => {
    const { keeper, ...rest } = options;
    const client = await connect(memoryTransport(server), {
      extensions: [tasksClient(keeper && { keeper })],
      elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
      ...rest,
    });
    onTestFinished(() => client.close());
    return client;
  };
  return { visit, open };
}

function textOf({ content }: { content: readonly unknown[] }): unknown {
  return (content[0] as { text?: unknown }).text;
}

describe('a task that is started', () => {
  it('has an id, a status and a result to await', async () => {
    const { visit, open } = studio();
    const task = await tasksOf(await visit()).start('render');
    expect(task).toMatchObject({ taskId: expect.any(String) as string, status: 'working', questions: [] });
    open();
    expect(textOf(await task.result())).toBe('rendered');
    expect(task.status).toBe('completed');
    expect(textOf(await task.result())).toBe('rendered');
  });

  it('is complete if the tool answered at once', async () => {
    const task = await tasksOf(await studio().visit()).start('plain');
    expect(task).toMatchObject({ taskId: undefined, handle: undefined, status: 'completed' });
    expect(textOf(await task.result())).toBe('at once');
    expect(await task.refresh()).toBe('completed');
    await task.cancel();
    for await (const state of task) expect(state).toBe('no change');
    await expect(task.answer({})).rejects.toThrow(TypeError);
  });

  it('yields its changes in order, the final state last', async () => {
    const { visit, open } = studio();
    const task = await tasksOf(await visit()).start('render');
    const seen: string[] = [];
    for await (const { status, statusMessage } of task) {
      seen.push(`${status} ${statusMessage ?? ''}`.trim());
      if (statusMessage !== undefined) open();
    }
    expect(seen.at(-1)).toMatch(/^completed/);
    expect(seen.join()).toContain('half of it');
  });

  it("answers its questions as the client's options say while somebody waits", async () => {
    const task = await tasksOf(await studio().visit()).start('greet');
    expect(textOf(await task.result())).toBe('Hello, Ada!');
  });

  it('leaves its questions to manual answers', async () => {
    const elicit = (): never => {
      throw new Error('must not be asked');
    };
    const task = await tasksOf(await studio().visit({ elicit })).start('greet');
    const waiting = task.result({ byHand: true });
    for await (const { status } of task) {
      if (status !== 'input_required') continue;
      const [question] = task.questions;
      expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Your name?' } });
      await task.answer({ [question?.key ?? '']: { action: 'accept', content: { name: 'Grace' } } });
    }
    expect(textOf(await waiting)).toBe('Hello, Grace!');
  });

  it('can be cancelled, which rejects the waiters', async () => {
    const task = await tasksOf(await studio().visit()).start('wait');
    const waiting = task.result();
    await task.cancel();
    await expect(waiting).rejects.toMatchObject({ name: 'TaskCancelledError', taskId: task.taskId });
    await task.cancel();
  });

  it('continues when a waiter aborts', async () => {
    const { visit, open } = studio();
    const task = await tasksOf(await visit()).start('render');
    const enough = new AbortController();
    const waiting = task.result({ signal: enough.signal });
    enough.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(task.result({ signal: enough.signal })).rejects.toThrow('enough');
    open();
    expect(textOf(await task.result())).toBe('rendered');
  });

  it('is rejected when the server rejects the call', async () => {
    await expect(tasksOf(await studio().visit()).start('nothing')).rejects.toThrow(/nothing/);
  });

  it('requires a client that declares tasks (TC-01)', async () => {
    const client = await studio().visit({ extensions: [] });
    await expect(tasksOf(client).start('greet')).rejects.toMatchObject({ code: -32021 });
    await expect(tasksOf(client).resume('t')).rejects.toThrow(/connect with extensions: \[tasksClient\(\)\]/);
  });
});

describe('a stored task', () => {
  it('is resumed by a later client, and removed after its result (TC-02)', async () => {
    const { visit, open } = studio();
    const keeper = keeperOf();
    const early = await visit({ keeper });
    const { taskId, handle } = await tasksOf(early).start('render');
    await early.close();
    expect(JSON.parse(JSON.stringify(keeper.list()))).toEqual([handle]);

    const later = tasksOf(await visit({ keeper }));
    const [kept] = await later.list();
    const task = await later.resume(kept as TaskHandle);
    expect(task.handle).toEqual(handle);
    open();
    expect(textOf(await task.result())).toBe('rendered');
    expect(await later.list()).toEqual([]);
    expect(keeper.said).toEqual([`put ${taskId}`, `delete ${taskId}`]);
  });

  it('is resumed by its id alone', async () => {
    const { visit, open } = studio();
    const { taskId = '' } = await tasksOf(await visit()).start('render');
    const task = await tasksOf(await visit()).resume(taskId);
    open();
    expect(textOf(await task.result())).toBe('rendered');
  });

  it('is removed when the server does not know it (TC-06)', async () => {
    const gone = handle({ taskId: 'gone' });
    const keeper = keeperOf(gone);
    const remote = tasksOf(await studio().visit({ keeper }));
    await expect(remote.resume(gone)).rejects.toThrow(TaskGoneError);
    expect(keeper.said).toEqual(['delete gone']);
  });

  it('is removed when it was cancelled (TC-04)', async () => {
    const keeper = keeperOf();
    const task = await tasksOf(await studio().visit({ keeper })).start('wait');
    await task.cancel();
    expect(keeper.list()).toEqual([]);
  });

  it('is removed when it has failed (TC-02)', async () => {
    const keeper = keeperOf();
    const task = await tasksOf(await studio().visit({ keeper })).start('break');
    await expect(task.result()).rejects.toThrow('out of order');
    expect(keeper.list()).toEqual([]);
  });

  it('is removed when it has expired (TC-05)', async () => {
    const fresh = handle({ taskId: 'fresh', createdAt: new Date().toISOString() });
    const keeper = keeperOf(handle({ taskId: 'old' }), fresh, handle({ taskId: 'endless', ttlMs: null }));
    const remote = tasksOf(await studio().visit({ keeper }));
    expect((await remote.list()).map(({ taskId }) => taskId)).toEqual(['fresh', 'endless']);
    expect(keeper.said).toEqual(['delete old']);
  });
});

function handle(more: Partial<TaskHandle>): TaskHandle {
  return { taskId: 't', form: 'extension', createdAt: '2026-01-01T00:00:00Z', ttlMs: 60_000, ...more };
}

describe('the tasks of a server', () => {
  it('require the extension', async () => {
    const server = createServer({ name: 'x', version: '1', tools: [tool('plain', {}, () => 'at once')] });
    const client = await connect(memoryTransport(server), { extensions: [tasksClient()] });
    onTestFinished(() => client.close());
    expect(textOf(await (await tasksOf(client).start('plain')).result())).toBe('at once');
    await expect(tasksOf(client).resume('t')).rejects.toThrow(/has no tasks/);
    expect(await tasksOf(client).list()).toEqual([]);
  });
});

describe('tasks of our own server in the handshake era', () => {
  it('are awaited by callTool, with their questions', async () => {
    const client = await studio().visit({ era: 'handshake', version: '2025-11-25' });
    expect(textOf(await client.callTool('greet'))).toBe('Hello, Ada!');
  });

  it('are the same objects', async () => {
    const { visit, open } = studio();
    const remote = tasksOf(await visit({ era: 'handshake', version: '2025-11-25' }));
    const task = await remote.start('render');
    expect(task).toMatchObject({ status: 'working', handle: { form: 'experimental' } });
    expect((await remote.list()).map(({ taskId }) => taskId)).toEqual([task.taskId]);
    open();
    expect(textOf(await task.result())).toBe('rendered');
    const waiting = await remote.start('wait');
    await waiting.cancel();
    await expect(waiting.result()).rejects.toMatchObject({ name: 'TaskCancelledError' });
  });
});
