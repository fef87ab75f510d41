import { describe, expect, it, onTestFinished } from 'vitest';
import { expectError, type JsonRpcMessage, McpClient, type Wire } from '../../../../../../test/support/mcp-client.ts';
import { memoryWire, streamWire } from '../../../../../../test/support/wires.ts';
import { handshakeVersions, newestHandshake } from '../../../revisions/history.ts';
import { compose } from '../../../compose.ts';
import { createServer } from '../../../create-server.ts';
import { tool } from '../../../server/define/define.ts';
import type { Server } from '../../../server/server.ts';
import { tasks } from '../tasks.ts';
import { taskServer } from './fixtures/server.ts';

const related = 'io.modelcontextprotocol/related-task';
const status = 'notifications/tasks/status';
const { version } = newestHandshake;

interface Asked {
  readonly method: string;
  readonly message: string;
  readonly meta: unknown;
}

interface Connected {
  readonly client: McpClient;
  readonly asked: Asked[];
  readonly capabilities: Record<string, unknown>;
}

interface Wishes {
  readonly revision?: string;
  readonly capabilities?: Record<string, unknown>;
  /** Default: one whose client can be reached at any time. */
  readonly wire?: Wire;
  /** Answers a question; undefined: never. */
  answer?(message: string): unknown;
}

const asking = { elicitation: {} };
const never = (): undefined => undefined;

async function connect(server: Server, wishes: Wishes = {}): Promise<Connected> {
  const { revision = version, capabilities = asking, answer = never, wire = streamWire(server, 'newline') } = wishes;
  const asked: Asked[] = [];
  const client = new McpClient(wire, {
    version: revision,
    capabilities,
    answer(method, params) {
      const message = String(params?.message);
      asked.push({ method, message, meta: params?._meta });
      return answer(message);
    },
  });
  onTestFinished(() => client.close());
  const { result } = await client.initialize();
  return { client, asked, capabilities: result.capabilities };
}

const accept = (name: string): object => ({ action: 'accept', content: { name } });

const call = (name: string, args: object = {}, task: object | null = {}): Record<string, unknown> => ({
  name,
  arguments: args,
  ...(task && { task }),
});

async function begin(client: McpClient, name: string, args?: object, task?: object): Promise<string> {
  const { task: made } = await client.request('tools/call', call(name, args, task));
  return made.taskId;
}

async function untilOver(client: McpClient, taskId: string): Promise<Record<string, unknown>> {
  for (;;) {
    const state = await client.request('tasks/get', { taskId });
    if (!['working', 'input_required'].includes(state.status)) return state;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Resolved when one question of a task is left, as a client of the extension sees it. */
async function untilOnly(server: Server, taskId: string, question: string): Promise<void> {
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const { client } = await connect(server, { revision: '2026-07-28', capabilities });
  for (;;) {
    const { inputRequests = {} } = await client.request('tasks/get', { taskId });
    if (Object.keys(inputRequests).join() === question) return;
  }
}

describe('a server with legacy tasks', () => {
  it('declares tasks, and which tools run as tasks (S-TK-01)', async () => {
    const { client, capabilities } = await connect(taskServer().server);
    expect(capabilities).toMatchObject({ tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } });
    expect(capabilities).not.toHaveProperty('extensions');
    const { tools } = await client.request('tools/list');
    expect(tools.slice(0, 3)).toMatchObject([
      { name: 'plain' },
      { name: 'wait', execution: { taskSupport: 'optional' } },
      { name: 'only', execution: { taskSupport: 'required' } },
    ]);
    expect(tools[0]).not.toHaveProperty('execution');
  });

  it('limits the lifetime that a client requests to that of the tool', async () => {
    const { client } = await connect(taskServer({ ttlMs: 60_000 }).server);
    for (const ttl of [60_001, 1e20, 'long', -1, null]) {
      const { task } = await client.request('tools/call', call('only', {}, { ttl }));
      expect(task).toMatchObject({ ttl: 60_000 });
    }
  });

  it('answers immediately, and reports the status until the task ends (S-TK-02)', async () => {
    const { server, gates } = taskServer();
    const { client } = await connect(server);
    const { task, ...rest } = await client.request('tools/call', call('wait', { gate: 'a' }, { ttl: 90_000 }));
    expect(rest).toEqual({});
    expect(Object.keys(task)).toEqual(['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttl', 'pollInterval']);
    expect(task).toMatchObject({ status: 'working', ttl: 90_000 });
    await gates.reached('a');
    expect(await client.request('tasks/get', { taskId: task.taskId })).toMatchObject({ status: 'working' });
    gates.open('a');
    const result = await client.request('tasks/result', { taskId: task.taskId });
    expect(result).toEqual({
      content: [{ type: 'text', text: 'passed a' }],
      isError: false,
      _meta: { [related]: { taskId: task.taskId } },
    });
    const over = await client.request('tasks/get', { taskId: task.taskId });
    expect(over.status).toBe('completed');
    expect(Object.keys(over)).not.toContain('result');
  });

  it('notifies the client of changes without a request', async () => {
    const { server, gates } = taskServer();
    const { client } = await connect(server);
    const taskId = await begin(client, 'wait', { gate: 'a' });
    const first = await client.readNotification(status);
    expect(first.params).toMatchObject({ taskId, status: 'working', statusMessage: '1 of 2: Waiting' });
    gates.open('a');
    const last = await client.readNotification(status, (params) => params.status === 'completed');
    expect(last.params).not.toHaveProperty('_meta');
    expect(last.params).toEqual(await client.request('tasks/get', { taskId }));
  });

  it('waits with the result until the task ends, even beyond the handler timeout', async () => {
    const { server, gates } = taskServer({}, { handlerTimeoutMs: 300 });
    const { client } = await connect(server);
    const taskId = await begin(client, 'wait', { gate: 'a' });
    const results = [1, 2].map(() => client.request('tasks/result', { taskId }));
    const expired = await client.request('tools/call', call('wait', { gate: 'b' }, null));
    expect(expired.content[0].text).toContain('did not finish');
    gates.open('a');
    expect((await Promise.all(results)).map(({ content }) => content[0].text)).toEqual(['passed a', 'passed a']);
  });

  it('reports a task as failed if its tool returned an error, and returns that result', async () => {
    const { client } = await connect(taskServer().server);
    const taskId = await begin(client, 'wrong');
    expect(await untilOver(client, taskId)).toMatchObject({ status: 'failed', statusMessage: 'No such city' });
    const result = await client.request('tasks/result', { taskId });
    expect(result).toMatchObject({ isError: true, content: [{ text: 'No such city' }] });
  });

  it('answers with the error that the call would have had (S-TK-05)', async () => {
    const { client } = await connect(taskServer().server);
    const taskId = await begin(client, 'broken');
    expect(await untilOver(client, taskId)).toMatchObject({ status: 'failed', statusMessage: 'Broken' });
    const { error } = await client.sendRequest('tasks/result', { taskId });
    expect(error).toEqual({ code: -32602, message: 'Broken', data: { why: 'so' } });
  });

  it('downgrades results for the revision of the reader', async () => {
    const { client } = await connect(taskServer().server);
    const taskId = await begin(client, 'list');
    expect(await client.request('tasks/result', { taskId })).toMatchObject({ structuredContent: { result: [1, 2] } });
  });

  it.each(['only reads the task', 'waits for the result'])(
    'asks the questions of a task at once, each once, of a client that %s (S-TK-08)',
    async (way) => {
      const answer = (message: string): object => accept(`${message} answer`);
      const { client, asked } = await connect(taskServer().server, { answer });
      const taskId = await begin(client, 'ask');
      if (way === 'only looks at the task') {
        expect(await untilOver(client, taskId)).toMatchObject({ status: 'completed' });
      }
      const result = await client.request('tasks/result', { taskId });
      expect(result.content[0].text).toBe('first answer and second answer');
      const meta = { [related]: { taskId } };
      expect(asked).toEqual(['first', 'second'].map((message) => ({ method: 'elicitation/create', message, meta })));
    },
  );

  it('asks open questions again after a reconnect, but not answered ones', async () => {
    let isBack = false;
    const answer = (message: string): unknown => (message === 'first' || isBack ? accept(message) : undefined);
    const { server } = taskServer();
    // This one can be asked while it waits for the result only.
    const { client, asked } = await connect(server, { answer, wire: memoryWire(server) });
    const taskId = await begin(client, 'ask');
    const given = client.post('tasks/result', { taskId });
    await untilOnly(server, taskId, 'second');
    isBack = true;
    client.notify('notifications/cancelled', { requestId: given });
    const { content } = await client.request('tasks/result', { taskId });
    expect(content[0].text).toBe('first and second');
    expect(asked.map(({ message }) => message)).toEqual(['first', 'second', 'second']);
  });

  it('treats a client that can not answer as a user who cancelled', async () => {
    const { server } = taskServer();
    const wire = streamWire(server, 'newline');
    const { send } = wire;
    const rejecting = {
      ...wire,
      send: (message: JsonRpcMessage) => send('result' in message ? rejection(message) : message),
    };
    const client = new McpClient(rejecting, { version, capabilities: asking, answer: () => ({}) });
    onTestFinished(() => client.close());
    await client.initialize();
    const taskId = await begin(client, 'ask');
    expect((await client.request('tasks/result', { taskId })).content[0].text).toBe('cancel and cancel');
  });

  it('cancels immediately and finally, and only unfinished tasks (S-TK-06)', async () => {
    const { server, gates } = taskServer();
    const { client } = await connect(server);
    const taskId = await begin(client, 'wait', { gate: 'a' });
    await gates.reached('a');
    expect(await client.request('tasks/cancel', { taskId })).toMatchObject({ taskId, status: 'cancelled' });
    await gates.aborted('a');
    expect(await client.request('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
    expectError(await client.sendRequest('tasks/result', { taskId }), -32603);
    expectError(await client.sendRequest('tasks/cancel', { taskId }), -32602);
    const failed = await begin(client, 'wrong');
    await untilOver(client, failed);
    expect(expectError(await client.sendRequest('tasks/cancel', { taskId: failed }), -32602).message).toContain(
      'failed',
    );
  });

  it('lists the tasks of a session page by page, and no others (S-TK-03)', async () => {
    const { server } = taskServer();
    const [one, other] = [await connect(server), await connect(server)];
    const ids = await Promise.all(Array.from({ length: 150 }, () => begin(one.client, 'only')));
    const foreign = await begin(other.client, 'only');
    const first = await one.client.request('tasks/list');
    const second = await one.client.request('tasks/list', { cursor: first.nextCursor });
    const listed = [...first.tasks, ...second.tasks].map(({ taskId }) => taskId);
    expect([first.tasks.length, second.tasks.length, second.nextCursor]).toEqual([100, 50, undefined]);
    expect(new Set(listed)).toEqual(new Set(ids));
    expect((await other.client.request('tasks/list')).tasks.map(({ taskId }: { taskId: string }) => taskId)).toEqual([
      foreign,
    ]);
    expectError(await one.client.sendRequest('tasks/list', { cursor: 'mine' }), -32602);
  });

  it('lists the tasks of an authenticated caller in any session, and no others (S-TK-03)', async () => {
    const { server } = taskServer();
    const connectAs = async (principal: string): Promise<McpClient> => {
      const client = new McpClient(memoryWire(server, { principal }), { version });
      await client.initialize();
      return client;
    };
    const [ann, again, bob] = [await connectAs('ann'), await connectAs('ann'), await connectAs('bob')];
    const taskId = await begin(ann, 'only');
    expect((await again.request('tasks/list')).tasks).toMatchObject([{ taskId }]);
    expect((await bob.request('tasks/list')).tasks).toEqual([]);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      const foreign = await bob.sendRequest(method, { taskId }, 7);
      expect(foreign).toEqual(await bob.sendRequest(method, { taskId: `A${taskId.slice(1)}` }, 7));
      expectError(foreign, -32602);
    }
  });

  it('runs a tool with optional tasks as a normal call, and rejects others (S-T-15)', async () => {
    const { server, gates } = taskServer();
    const { client } = await connect(server);
    const passed = client.request('tools/call', call('wait', { gate: 'a' }, null));
    await gates.reached('a');
    gates.open('a');
    expect(await passed).toEqual({ content: [{ type: 'text', text: 'passed a' }], isError: false });
    expectError(await client.sendRequest('tools/call', call('only', {}, null)), -32601);
    expectError(await client.sendRequest('tools/call', call('plain', {}, {})), -32601);
  });

  it('starts a task immediately that its tool would start in the handler', async () => {
    const { client } = await connect(taskServer().server);
    const taskId = await begin(client, 'late');
    expect((await client.request('tasks/result', { taskId })).content[0].text).toBe('begun');
  });

  it('serves tasks of a composed server', async () => {
    const { server } = taskServer();
    const whole = compose({ works: { server, prefix: 'works_' } }, { name: 'whole', version: '1' });
    const { client, capabilities } = await connect(whole);
    expect(capabilities).toHaveProperty('tasks');
    const taskId = await begin(client, 'works_list');
    expect(await client.request('tasks/result', { taskId })).toMatchObject({ structuredContent: { result: [1, 2] } });
    expectError(await client.sendRequest('tools/call', call('works_only', {}, null)), -32601);
  });
});

describe('a server or client without legacy tasks', () => {
  it('ignores a requested task: a server without tools that run as tasks', async () => {
    const plain = tool('plain', {}, () => 'plain');
    for (const extensions of [[], [tasks()]]) {
      const { client, capabilities } = await connect(
        createServer({ name: 'n', version: '1', tools: [plain], extensions }),
      );
      expect(capabilities).not.toHaveProperty('tasks');
      expect(await client.request('tools/call', call('plain'))).toMatchObject({ content: [{ text: 'plain' }] });
    }
  });

  it.each(handshakeVersions.slice(0, -1))('has no task methods: a client of %s (TX-04)', async (revision) => {
    const extension = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const { client, capabilities } = await connect(taskServer().server, { revision, capabilities: extension });
    expect(capabilities).not.toHaveProperty('tasks');
    expect(JSON.stringify(await client.request('tools/list'))).not.toContain('taskSupport');
    expect(await client.request('tools/call', call('list'))).toHaveProperty('content');
    for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel', 'tasks/update']) {
      expectError(await client.sendRequest(method, { taskId: 'x' }), -32601);
    }
  });

  it('gets no task by only declaring the extension (TX-04)', async () => {
    const extension = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const { client } = await connect(taskServer().server, { capabilities: extension });
    expect(await client.request('tools/call', call('list', {}, null))).toHaveProperty('content');
    expectError(await client.sendRequest('tasks/update', { taskId: 'x', inputResponses: {} }), -32601);
  });

  it('ignores the request and rejects the methods: the stateless revision (TX-04, TX-06)', async () => {
    const { client } = await connect(taskServer().server, { revision: '2026-07-28' });
    expect(await client.request('tools/call', call('plain'))).toMatchObject({ content: [{ text: 'plain' }] });
    expect(JSON.stringify(await client.request('tools/list'))).not.toContain('taskSupport');
    expect((await client.request('server/discover')).capabilities).not.toHaveProperty('tasks');
    for (const method of ['tasks/result', 'tasks/list']) {
      expectError(await client.sendRequest(method, { taskId: 'x' }), -32601);
    }
  });
});

function rejection({ id }: JsonRpcMessage): JsonRpcMessage {
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code: -32603, message: 'No' } };
}
