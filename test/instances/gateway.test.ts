import { compose, createServer, type Server, ToolError, tool } from '@ccmcp/core';
import { memoryStore, type Store, serveHttp } from '@ccmcp/core/http';
import { type Remote, remote } from '@ccmcp/gateway';
import { tasks } from '@ccmcp/core/tasks';
import { postgresStore } from '@ccmcp/postgres';
import { redisStore } from '@ccmcp/redis';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SendOptions, statelessClient } from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { databaseUrl, hasPostgres } from '../../packages/postgres/src/fixtures/postgres.ts';
import { canStart, startRedis, stopAll } from '../../packages/redis/src/fixtures/redis.ts';

afterAll(stopAll);

const form = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] } as const;
const meta = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};

/** A server whose tools ask, and what happened in it. */
function asking(events: string[]): Server {
  return createServer({
    name: 'asking',
    version: '1',
    extensions: [tasks()],
    tools: [
      tool('work', { task: 'required' }, async (_, { elicit }) => {
        const { content } = await elicit({ message: 'Sure?', schema: form });
        return String(content?.answer);
      }),
      tool('twice', {}, async (_, { elicit }) => {
        const first = await elicit({ message: 'First?', schema: form });
        const second = await elicit({ message: 'Second?', schema: form });
        return `${first.content?.answer} ${second.content?.answer}`;
      }),
      tool('fails', {}, async (_, { elicit }) => {
        await elicit({ message: 'Sure?', schema: form });
        throw new ToolError('failed upstream');
      }),
      tool('hangs', {}, async (_, { elicit, signal }) => {
        await elicit({ message: 'Sure?', schema: form });
        events.push('answered');
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        events.push('cancelled');
        return '';
      }),
    ],
  });
}

interface Instance {
  readonly part: Remote;
  readonly events: string[];
  readonly url: string;
  /** Calls a tool, or goes on with a call. */
  call(name: string, from?: Asked): Promise<Record<string, unknown>>;
  request(method: string, taskId: string, params?: object): Promise<Record<string, unknown>>;
  /** Reads a task until it has this status. */
  until(taskId: string, status: string): Promise<Record<string, unknown>>;
}

type Asked = Record<string, unknown>;

async function startGateway(store: Store): Promise<Instance> {
  const events: string[] = [];
  const target = { server: asking(events) };
  const part = remote({ name: 'up', prefix: '', target, client: { era: 'handshake' } });
  const service = await serveHttp(compose({ up: part }, { name: 'gateway', version: '1' }), { store });
  onTestFinished(async () => {
    await service.close({ graceMs: 0, lingerMs: 0 });
    await part.close();
  });
  const client = statelessClient(service.url);
  const request = async (
    method: string,
    name: string,
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown>> => {
    const options: SendOptions = { meta, headers: { 'Mcp-Name': name } };
    const { result, error } = await client.request(method, params, options);
    if (result === undefined) throw new Error(JSON.stringify(error));
    return result;
  };
  return {
    part,
    events,
    url: service.url,
    call(name, from) {
      const more = from === undefined ? {} : { requestState: from.requestState, inputResponses: answersTo(from) };
      return request('tools/call', name, { name, arguments: {}, ...more });
    },
    request: (method, taskId, params = {}) => request(method, taskId, { taskId, ...params }),
    until: (taskId, status) =>
      vi.waitFor(
        async () => {
          const task = await request('tasks/get', taskId, { taskId });
          expect(task).toMatchObject({ status });
          return task;
        },
        { timeout: 5000 },
      ),
  };
}

/** Answers each question with its first word. */
function answersTo({ inputRequests }: Asked): object {
  const questions = Object.entries(inputRequests as Record<string, { params: { message: string } }>);
  const answers = questions.map(([key, { params }]) => [
    key,
    { action: 'accept', content: { answer: params.message.replace('?', '').toLowerCase() } },
  ]);
  return Object.fromEntries(answers);
}

const textOf = ({ content }: Record<string, unknown>): string => (content as [{ text: string }])[0].text;

/** Two connections to one store. */
const stores: Record<string, { isThere: boolean; open(): Promise<[Store, Store]> }> = {
  memory: {
    isThere: true,
    async open() {
      const store = memoryStore();
      return [store, store];
    },
  },
  Redis: {
    isThere: canStart,
    async open() {
      const { url } = await startRedis();
      return [await redisStore({ url, mustConnect: true }), await redisStore({ url, mustConnect: true })];
    },
  },
  PostgreSQL: {
    isThere: hasPostgres,
    async open() {
      const options = { url: databaseUrl, prefix: `gateway ${crypto.randomUUID()}`, mustConnect: true };
      return [await postgresStore(options), await postgresStore(options)];
    },
  },
};

const found = Object.keys(stores).filter((kind) => stores[kind]?.isThere);

describe.each(found)('two gateways with a store in %s', (kind) => {
  const { open } = stores[kind] as (typeof stores)[string];

  const start = async (): Promise<[Instance, Instance]> => {
    const pair = await open();
    onTestFinished(async () => {
      for (const store of new Set(pair)) await store.close();
    });
    return [await startGateway(pair[0]), await startGateway(pair[1])];
  };

  it('pass each answer to the instance whose call waits', async () => {
    const [one, other] = await start();
    const first = await one.call('twice');
    const second = await other.call('twice', first);
    expect(second).toMatchObject({ resultType: 'input_required' });
    expect(textOf(await other.call('twice', second))).toBe('first second');
    // The last answer may come to the instance itself.
    const again = await other.call('twice', await one.call('twice'));
    expect(textOf(await one.call('twice', again))).toBe('first second');
    expect(one.part.status).toMatchObject({ suspendedCalls: 0, activeCalls: 0 });
  });

  it('take an answer once, and pass errors on', async () => {
    const [one, other] = await start();
    const first = await one.call('fails');
    expect(await other.call('fails', first)).toMatchObject({ isError: true });
    await expect(other.call('fails', first)).rejects.toThrow('no longer waiting');
    await expect(one.call('fails', first)).rejects.toThrow('no longer waiting');
  });

  it('cancel the call upstream when the client of the other one is gone', async () => {
    const [one, other] = await start();
    const first = await one.call('hangs');
    const controller = new AbortController();
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'hangs',
        arguments: {},
        requestState: first.requestState,
        inputResponses: answersTo(first),
        _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', ...meta },
      },
    };
    const sent = fetch(other.url, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'hangs',
      },
      body: JSON.stringify(body),
    });
    await vi.waitFor(() => expect(one.events).toEqual(['answered']), { timeout: 5000 });
    controller.abort();
    await expect(sent).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(one.events).toEqual(['answered', 'cancelled']), { timeout: 5000 });
  });

  // Over a network, seconds pass before an instance counts as gone.
  it.runIf(kind === 'memory')('say so where the instance that had the call is gone', async () => {
    const [one, other] = await start();
    const first = await one.call('twice');
    await one.part.close();
    await expect(other.call('twice', first)).rejects.toThrow('no longer waiting');
  });

  it('have tasks that are read, answered and cancelled at either', async () => {
    const [one, other] = await start();
    const begun = await one.call('work');
    expect(begun).toMatchObject({ resultType: 'task' });
    const taskId = begun.taskId as string;
    const asked = await other.until(taskId, 'input_required');
    await other.request('tasks/update', taskId, { inputResponses: answersTo(asked) });
    expect(await other.until(taskId, 'completed')).toMatchObject({ result: { content: [{ text: 'sure' }] } });
    const second = (await one.call('work')).taskId as string;
    await other.until(second, 'input_required');
    await other.request('tasks/cancel', second);
    await one.until(second, 'cancelled');
  });
});
