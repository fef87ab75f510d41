import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createServer, type ServerExtension, tool, ToolError } from '../../index.ts';
import { compose } from '../../compose.ts';
import { idempotencyMetaKey } from '../../protocol/meta.ts';
import type { Peer } from '../../server/peer.ts';
import { engineOf } from '../../server/server-handle.ts';
import { memoryStore } from '../../stores/memory.ts';
import type { Result } from '../../protocol/results.ts';
import { createGate, Instance } from './fixtures/instance.ts';
import { tasksId } from './protocol.ts';
import { createTaskId } from './task-id.ts';
import { tasks } from './tasks.ts';

const ann = { auth: { principal: 'ann', scopes: ['read', 'write'] } };
const bob = { auth: { principal: 'bob', scopes: ['read', 'write'] } };

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('visibility of a task', () => {
  const work = tool('work', { task: 'optional', scopes: ['write'] }, () => 'done');
  const requests = [
    ['tasks/get', {}],
    ['tasks/update', { inputResponses: {} }],
    ['tasks/cancel', {}],
  ] as const;

  it('is limited to its creator: to others it looks unknown (TX-09, TX-10)', async () => {
    const one = new Instance({ tools: [work] });
    const taskId = await one.begin('work', {}, ann);
    const lesser = { auth: { principal: 'ann', scopes: ['read'] } };
    for (const [method, more] of requests) {
      const never = await one.send(method, { taskId: createTaskId(Date.now(), 1000), ...more }, ann);
      const foreign = await one.send(method, { taskId, ...more }, bob);
      const unnamed = await one.send(method, { taskId, ...more });
      const withoutScope = await one.send(method, { taskId, ...more }, lesser);
      const rejected = {
        code: -32602,
        message: 'Unknown task: it does not exist, has expired, or belongs to another caller',
      };
      for (const answer of [never, foreign, unnamed, withoutScope]) expect(answer).toMatchObject({ error: rejected });
      expect(await one.send(method, { taskId, ...more }, ann)).toMatchObject({ result: { resultType: 'complete' } });
    }
  });

  it('can not be probed by response time (TX-09)', async () => {
    const inner = memoryStore();
    const asked: unknown[] = [];
    const watched = new Proxy(inner, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          const answer: unknown = Reflect.apply(member, target, given);
          asked.push([name, answer]);
          return answer;
        };
      },
    });
    const one = new Instance({ tools: [work], store: watched });
    const taskId = await one.begin('work', {}, ann);
    await one.until(taskId, 'completed', ann);
    const whatIsAsked = async (method: string, params: object, who: object): Promise<unknown[]> => {
      asked.length = 0;
      await one.send(method, { ...params }, who);
      return asked.splice(0);
    };
    const absent = createTaskId(Date.now(), 1000);
    for (const who of [bob, {}]) {
      for (const [method, more] of requests) {
        const never = await whatIsAsked(method, { taskId: absent, ...more }, who);
        expect(await whatIsAsked(method, { taskId, ...more }, who)).toEqual(never);
      }
    }
  });

  it('can not be gained with a stored id (TX-09)', async () => {
    const store = memoryStore();
    const one = new Instance({ tools: [work], store });
    const taskId = await one.begin('work', {}, ann);
    await one.until(taskId, 'completed', ann);
    const [kept = ''] = await store.members('tasks/x/all');
    expect(kept.startsWith(taskId)).toBe(true);
    expect(kept).not.toBe(taskId);
    for (const who of [ann, bob, {}]) {
      await expect(one.result('tasks/get', { taskId: kept }, who)).rejects.toMatchObject({ code: -32602 });
    }
  });

  it('extends to anonymous callers who know the id (TX-10)', async () => {
    const one = new Instance({ tools: [work] });
    const [taskId, other] = [await one.begin('work'), await one.begin('work')];
    expect((await one.until(taskId, 'completed', bob)).taskId).toBe(taskId);
    expect(taskId.slice(0, 24)).not.toBe(other.slice(0, 24));
  });

  it.each(['', 'x', 'x'.repeat(10_000), `${'A'.repeat(24)}.zzzzzzzzz.zzzzzz`, 7, null, undefined])(
    'is nobody for the id %j (TX-09)',
    async (taskId) => {
      const one = new Instance({ tools: [work] });
      await expect(one.result('tasks/get', { taskId })).rejects.toMatchObject({ code: -32602 });
    },
  );

  it('echoes no long ids in errors', async () => {
    const one = new Instance({ tools: [work] });
    const inputResponses = { ['k'.repeat(10_000)]: 1 };
    const { message } = await one
      .result('tasks/update', { taskId: 'x', inputResponses })
      .catch((error: Error) => error);
    expect(String(message).length).toBeLessThan(300);
  });

  it('requires the declared extension (TX-05), and has no legacy methods (TX-06)', async () => {
    const one = new Instance({ tools: [work] });
    const taskId = await one.begin('work');
    for (const [method, more] of requests) {
      await expect(one.result(method, { taskId, ...more }, { declares: false })).rejects.toMatchObject({
        code: -32021,
      });
    }
    const notifications = { taskIds: [taskId] };
    await expect(one.result('subscriptions/listen', { notifications }, { declares: false })).rejects.toMatchObject({
      code: -32021,
    });
    for (const method of ['tasks/result', 'tasks/list']) {
      await expect(one.result(method, { taskId })).rejects.toMatchObject({ code: -32601 });
    }
  });

  it('passes no credentials to the handler', async () => {
    const seen: unknown[] = [];
    const look = tool('look', { task: 'optional' }, (_, { auth }) => void seen.push(auth));
    const store = memoryStore();
    const one = new Instance({ tools: [look], store });
    const kept = { principal: 'ann', scopes: ['a'], claims: { sub: 'ann' }, clientId: 'c' };
    const auth = { ...kept, token: 'secret-token', headers: { authorization: 'secret-token' } };
    const create = vi.spyOn(store, 'create');
    await one.until(await one.begin('look', {}, { auth }), 'completed', { auth });

    expect(seen).toEqual([kept]);
    expect(JSON.stringify(create.mock.calls)).toContain('"principal\\":\\"ann');
    expect(JSON.stringify(create.mock.calls)).not.toContain('secret-token');
  });
});

describe('cancelling a task', () => {
  it('aborts its handler; the task is cancelled for good when that has stopped (TX-15)', async () => {
    const stopping = createGate();
    const work = tool('work', { task: 'optional' }, async (_, { signal }) => {
      await untilAborted(signal).catch(() => {});
      await stopping.passed;
      throw new Error('stopped');
    });
    const one = new Instance({ tools: [work] });
    const id = await one.begin('work');
    const ack = await one.cancel(id);
    const meanwhile = await one.get(id);
    stopping.open();

    expect(Object.keys(ack).sort()).toEqual(['_meta', 'resultType']);
    expect(meanwhile.status).toBe('working');
    expect(await one.until(id, 'cancelled')).toMatchObject({ statusMessage: 'The task was cancelled' });
    await one.cancel(id);
    expect((await one.get(id)).status).toBe('cancelled');
    expect(one.logged).toEqual([]);
  });

  it('does not wait for a handler that ignores the abort (TX-15)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const started = createGate();
    const work = tool('work', { task: 'optional' }, () => {
      started.open();
      return new Promise(() => {});
    });
    const one = new Instance({ tools: [work] });
    const id = await one.begin('work');
    await started.passed;
    await one.cancel(id);
    await vi.advanceTimersByTimeAsync(2900);
    expect((await one.get(id)).status).toBe('working');
    await vi.advanceTimersByTimeAsync(200);
    expect((await one.get(id)).status).toBe('cancelled');
  });

  it('keeps the result of a handler that completes anyway (TX-15)', async () => {
    const started = createGate();
    const work = tool('work', { task: 'optional' }, async (_, { signal }) => {
      started.open();
      await untilAborted(signal).catch(() => {});
      return 'done';
    });
    const one = new Instance({ tools: [work] });
    const id = await one.begin('work');
    await started.passed;
    await one.cancel(id);
    expect((await one.until(id, 'completed')).result).toMatchObject({ content: [{ text: 'done' }] });
  });

  it('withdraws its questions', async () => {
    const form = { type: 'object', properties: {} } as const;
    const work = tool('work', { task: 'optional' }, async (_, { elicit }) => {
      await elicit({ message: 'Sure?', schema: form });
    });
    const one = new Instance({ tools: [work] });
    const id = await one.begin('work');
    await one.until(id, 'input_required');
    await one.cancel(id);
    expect(await one.until(id, 'cancelled')).not.toHaveProperty('inputRequests');
  });

  it('does not follow from a disconnect after the handle; before it, there is no task', async () => {
    const create = createGate();
    const inner = memoryStore();
    const store = {
      ...inner,
      create: async (...given: Parameters<typeof inner.create>) => {
        await create.passed;
        return inner.create(...given);
      },
    };
    const ran = vi.fn<() => string>(() => 'done');
    const one = new Instance({ tools: [tool('work', { task: 'optional' }, ran)], store });
    const peer = { running: new Map(), store, send() {} };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'work', _meta: meta } } as const;
    const answer = one.server.handle(call, peer);
    await vi.waitFor(() => expect(peer.running.size).toBe(1));
    for (const running of peer.running.values()) running.cancel();
    create.open();

    expect(await answer).toBeUndefined();
    await vi.waitFor(() => expect(inner.members('tasks/x/all')).toEqual(new Set()));
    expect(ran).not.toHaveBeenCalled();
  });
});

describe('limits on tasks', () => {
  const work = tool('work', { task: 'optional', ttlMs: 60_000 }, () => 'done');
  const endless = tool('endless', { task: 'optional' }, () => new Promise(() => {}));

  it('apply per caller and in total, before anything runs', async () => {
    const one = new Instance({ tools: [work], tasks: { maxPerCaller: 2, maxInAll: 3 } });
    await one.begin('work', {}, ann);
    await one.begin('work', {}, ann);
    await expect(one.begin('work', {}, ann)).rejects.toThrow('Too many tasks: you have 2, and there may be no more');
    await one.begin('work', {}, bob);
    await expect(one.begin('work', {}, bob)).rejects.toMatchObject({
      message: expect.stringContaining('this server has 3'),
      data: { retryAfterMs: expect.any(Number), limit: 'server' },
    });
  });

  it('apply to the stored size: nothing is evicted, and one caller can not use all of it', async () => {
    const work = tool('work', { task: 'optional' }, () => 'x'.repeat(2000));
    const instance = new Instance({ tools: [work], tasks: { maxKept: 16_000 } });
    const rejected = { code: -32603, message: /^No room for another task/, data: { limit: 'server' } };
    const fill = async (options: object): Promise<string[]> => {
      const ids: string[] = [];
      for (;;) {
        const response = await instance.send('tools/call', { name: 'work' }, options);
        if ('error' in response) {
          expect(response.error).toMatchObject({ ...rejected, message: expect.stringMatching(rejected.message) });
          return ids;
        }
        ids.push((response.result as { taskId: string }).taskId);
        await instance.until(ids.at(-1) as string, 'completed', options);
      }
    };
    const [hers, his] = [await fill(ann), await fill(bob)];
    expect([hers.length, his.length]).toEqual([2, 2]);
    for (const id of hers) expect((await instance.get(id, ann)).status).toBe('completed');
    for (const id of his) expect((await instance.get(id, bob)).status).toBe('completed');
    expect((await instance.store.members('tasks/x/all')).size).toBe(4);
  });

  it('are independent of sessions', async () => {
    const work = tool('work', { task: 'optional' }, () => 'x'.repeat(2000));
    const store = memoryStore({ maxRecordLength: 3000 });
    const instance = new Instance({ tools: [work], store });
    const session = { ttlMs: 60_000, kind: 'session', limit: 10 };
    await store.create('session/1', { text: 'x'.repeat(100) }, session);
    const id = await instance.begin('work');
    await instance.until(id, 'completed');
    await instance.until(await instance.begin('work'), 'completed');
    await store.create('session/2', { text: 'x'.repeat(100) }, session);
    expect(await store.read('session/1', session)).toBeDefined();
    await store.create('session/3', { text: 'x'.repeat(2950) }, session);
    await instance.until(await instance.begin('work'), 'completed');
    expect((await instance.get(id)).status).toBe('completed');
  });

  it('do not count expired tasks', async () => {
    const short = tool('short', { task: 'optional', ttlMs: 20 }, () => 'done');
    const one = new Instance({ tools: [short], tasks: { maxPerCaller: 1 } });
    await one.begin('short');
    await expect(one.begin('short')).rejects.toThrow('Too many tasks');
    await vi.waitFor(() => one.begin('short'));
  });

  it('apply to running tasks', async () => {
    const one = new Instance({ tools: [endless], tasks: { maxRunning: 1 } });
    const id = await one.begin('endless');
    await expect(one.begin('endless')).rejects.toThrow('Server busy: 1 tasks are running');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await one.cancel(id);
    await vi.advanceTimersByTimeAsync(5000);
    await one.begin('endless');
  });

  it('apply to the length of arguments', async () => {
    const taking = tool(
      'take',
      { task: 'optional', input: { type: 'object', properties: { text: { type: 'string' } } } },
      () => 1,
    );
    const one = new Instance({ tools: [taking] });
    await expect(one.begin('take', { text: 'x'.repeat(300_000) })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('a task', () => {
  const meta = { [idempotencyMetaKey]: 'k1' };

  it('is the same for a second call with the same idempotency key', async () => {
    const ran = vi.fn<() => string>(() => 'done');
    const one = new Instance({ tools: [tool('work', { task: 'optional' }, ran)] });
    const first = await one.call('work', {}, { meta });
    const second = await one.call('work', {}, { meta });
    await one.until(first.taskId as string, 'completed');
    const third = await one.call('work', {}, { meta });
    const others = await one.send('tools/call', { name: 'work', arguments: {} }, { meta, declares: false });

    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(others).toMatchObject({ error: { code: -32021 } });
    expect(ran).toHaveBeenCalledTimes(1);
  });

  it('whose handle was never sent does not answer the next call with the same idempotency key', async () => {
    const store = memoryStore();
    const opened = createGate();
    const creates = store.create.bind(store);
    const creating = vi.spyOn(store, 'create').mockImplementationOnce(async (...given) => {
      await opened.passed;
      return await creates(...given);
    });
    const one = new Instance({ store, tools: [tool('work', { task: 'optional' }, () => 'done')] });
    const running: Peer['running'] = new Map();
    const first = one.send('tools/call', { name: 'work', arguments: {} }, { meta, running });
    await vi.waitFor(() => expect(creating).toHaveBeenCalled());
    for (const call of running.values()) call.cancel();
    opened.open();
    await first;

    const second = await one.begin('work', {}, { meta });
    expect(await one.until(second, 'completed')).toMatchObject({ result: { content: [{ text: 'done' }] } });
  });

  it("of a mounted server runs with both servers' middleware and the prefix", async () => {
    const seen: string[] = [];
    const extension = tasks();
    const work = tool('work', { task: 'required' }, () => 'done');
    const parts = ['a', 'b'].map((name) => {
      const part = createServer({ name, version: '1', extensions: [extension], tools: [work] });
      part.use((operation, next) => {
        if (operation.method === 'tools/call') seen.push(name);
        return next();
      });
      return part;
    });
    const [a, b] = parts as [(typeof parts)[0], (typeof parts)[0]];
    const whole = compose(
      { a: { server: a, prefix: 'a_' }, b: { server: b, prefix: 'b_' } },
      { name: 'whole', version: '1' },
    );
    whole.use((operation, next) => {
      if (operation.method === 'tools/call') seen.push('whole');
      return next();
    });
    const one = new Instance({ made: whole });
    const ids = [await one.begin('a_work'), await one.begin('b_work')];
    for (const id of ids)
      expect(await one.until(id, 'completed')).toMatchObject({ result: { content: [{ text: 'done' }] } });
    expect(seen).toEqual(['whole', 'a', 'whole', 'b']);
    await expect(one.call('a_work', {}, { declares: false })).rejects.toMatchObject({ code: -32021 });
  });

  it('passes its final result to middleware once', async () => {
    const seen: unknown[] = [];
    const one = new Instance({ tools: [tool('work', { task: 'optional' }, async () => 'done')] });
    one.server.use(async (operation, next) => {
      const result = await next();
      if (operation.method === 'tools/call') seen.push(result);
      return { ...(result as Result), _meta: { seen: true } };
    });
    const { result } = await one.until(await one.begin('work'), 'completed');
    const done = { content: [{ type: 'text', text: 'done' }], isError: false };
    expect(seen).toEqual([done]);
    expect(result).toEqual({ resultType: 'complete', ...done, _meta: { seen: true } });
  });

  it("passes the handler's result to other extensions around the tool", async () => {
    const seen: unknown[] = [];
    const watching: ServerExtension = {
      id: 'com.example/watching',
      aroundTool: () => async (_, run) => {
        const value = await run();
        seen.push(value);
        return value;
      },
    };
    const work = tool('work', { task: 'optional' }, async () => 'done');
    const one = new Instance({ tools: [work], server: { extensions: [tasks(), watching] } });
    await one.until(await one.begin('work'), 'completed');
    expect(seen).toEqual(['done']);
  });

  it('keeps its request available while its handler runs, and reports its errors', async () => {
    const seen: unknown[] = [];
    const passing = createGate();
    const work = tool('work', { task: 'optional' }, async (_, context) => {
      await passing.passed;
      const { method, meta, requestId, clientCapabilities } = context;
      seen.push(method, meta, typeof requestId, clientCapabilities.extensions);
      throw new ToolError('No such city');
    });
    const one = new Instance({ tools: [work] });
    const id = await one.begin('work', {}, { meta: { 'com.example/note': 'x' } });
    passing.open();
    expect((await one.until(id, 'completed')).result).toMatchObject({
      isError: true,
      content: [{ text: 'No such city' }],
    });
    expect(seen).toEqual(['tools/call', { 'com.example/note': 'x' }, 'number', { [tasksId]: {} }]);
  });

  it('is not counted as a running call, and is observed as one request', async () => {
    const ends: unknown[] = [];
    const one = new Instance({ tools: [tool('work', { task: 'optional' }, () => new Promise(() => {}))] });
    one.server.observe({ begin: ({ method }) => ({ end: ({ outcome }) => void ends.push([method, outcome]) }) });
    await one.begin('work');
    expect(ends).toEqual([['tools/call', 'ok']]);
  });

  it("is not ended by the server's timeout, but by that of its tool", async () => {
    let finish = (_: string): void => {};
    const slow = tool('slow', { task: 'optional' }, () => new Promise<string>((resolve) => (finish = resolve)));
    const limited = tool('limited', { task: 'optional', timeoutMs: 20 }, () => new Promise(() => {}));
    const one = new Instance({ tools: [slow, limited], server: { handlerTimeoutMs: 20 } });
    const [first, second] = [await one.begin('slow'), await one.begin('limited')];
    expect((await one.until(second, 'completed')).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('did not finish within') }],
    });
    finish('done');
    expect((await one.until(first, 'completed')).result).toMatchObject({ content: [{ text: 'done' }] });
    expect(engineOf(one.server).timeLimit.stuck).toEqual(expect.any(Array));
  });
});
