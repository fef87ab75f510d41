import { memoryStore, serveHttp } from '@ccmcp/core/http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  type Task,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { taskServer } from '../../packages/core/src/features/tasks/legacy/fixtures/server.ts';
import { programOf } from '../support/program.ts';

const program = programOf(new URL('fixtures/tasks-server.ts', import.meta.url));

function stdio(): Transport {
  return new StdioClientTransport({ command: process.execPath, args: [program], stderr: 'ignore' });
}

/** Two instances with one store: requests alternate between them. */
async function overTwo(): Promise<Transport> {
  const store = memoryStore();
  const urls: URL[] = [];
  for (let each = 0; each < 2; each++) {
    const service = await serveHttp(taskServer().server, { store });
    onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
    urls.push(new URL(service.url));
  }
  let turn = 0;
  const [first = new URL('http://localhost')] = urls;
  return new StreamableHTTPClientTransport(first, {
    fetch: (_, init) => {
      turn += 1;
      return fetch(urls[turn % 2] ?? first, init);
    },
  });
}

interface Connected {
  readonly client: Client;
  readonly asked: string[];
  readonly received: Task[];
}

async function connect(transport: Transport): Promise<Connected> {
  const client = new Client({ name: 'interop', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  const asked: string[] = [];
  const received: Task[] = [];
  const complaints: Error[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has no other way
  client.onerror = (error) => void complaints.push(error);
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { name: params.message.toUpperCase() } };
  });
  client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => void received.push(params));
  onTestFinished(async () => {
    await client.close();
    expect(complaints).toEqual([]);
  });
  await client.connect(transport);
  // Afterwards it knows which tools run as tasks.
  await client.listTools();
  return { client, asked, received };
}

async function begin(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Task> {
  const params = { name, arguments: args, task: { ttl: 60_000 } };
  return (await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)).task;
}

describe.each([
  ['stdio', async () => stdio()],
  ['HTTP, on two instances in turn', overTwo],
])('the official client 1 with tasks over %s', (_, transport) => {
  it('follows a task to its result', async () => {
    const { client } = await connect(await transport());
    expect(client.getServerCapabilities()?.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
    const kinds: string[] = [];
    let text: unknown;
    for await (const message of client.experimental.tasks.callToolStream({ name: 'only', arguments: {} })) {
      kinds.push(message.type);
      if (message.type === 'result') text = message.result.content;
    }
    expect(kinds[0]).toBe('taskCreated');
    expect(kinds.at(-1)).toBe('result');
    expect(text).toEqual([{ type: 'text', text: 'only as a task' }]);
  });

  it('gets the questions of a task, each once', async () => {
    const { client, asked } = await connect(await transport());
    let text: unknown;
    for await (const message of client.experimental.tasks.callToolStream({ name: 'ask', arguments: {} })) {
      if (message.type === 'error') throw message.error;
      if (message.type === 'result') text = message.result.content;
    }
    expect(text).toEqual([{ type: 'text', text: 'FIRST and SECOND' }]);
    expect(new Set(asked)).toEqual(new Set(['first', 'second']));
    expect(asked.length).toBe(2);
  });

  it('lists, cancels and reads its tasks', async () => {
    const { client } = await connect(await transport());
    const waiting = await begin(client, 'wait', { gate: 'never' });
    const wrong = await begin(client, 'wrong');
    const { tasks } = await client.experimental.tasks.listTasks();
    expect(new Set(tasks.map(({ taskId }) => taskId))).toEqual(new Set([waiting.taskId, wrong.taskId]));
    expect(await client.experimental.tasks.cancelTask(waiting.taskId)).toMatchObject({ status: 'cancelled' });
    const result = await client.experimental.tasks.getTaskResult(wrong.taskId, CallToolResultSchema);
    expect(result).toMatchObject({ isError: true, content: [{ text: 'No such city' }] });
    expect(await client.experimental.tasks.getTask(wrong.taskId)).toMatchObject({ status: 'failed' });
    await expect(client.experimental.tasks.cancelTask(wrong.taskId)).rejects.toMatchObject({ code: -32602 });
    await expect(client.experimental.tasks.getTask('nobody')).rejects.toMatchObject({ code: -32602 });
  });

  it('receives status notifications of its tasks', async () => {
    const { client, received } = await connect(await transport());
    const made: string[] = [];
    // Over HTTP the first one may be over before the client listens.
    while (received.length === 0) {
      const { taskId } = await begin(client, 'list');
      made.push(taskId);
      await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    }
    expect(made).toContain(received[0]?.taskId);
    expect(received[0]).toMatchObject({ status: 'completed' });
  });

  it('calls a tool without a task as usual', async () => {
    const { client } = await connect(await transport());
    expect(await client.callTool({ name: 'list', arguments: {} })).toMatchObject({
      structuredContent: { result: [1, 2] },
    });
    await expect(client.callTool({ name: 'only', arguments: {} })).rejects.toThrow('task');
  });
});
