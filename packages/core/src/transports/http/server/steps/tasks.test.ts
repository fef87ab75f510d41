import { describe, expect, it, vi } from 'vitest';
import { tasks } from '../../../../features/tasks/tasks.ts';
import { tool } from '../../../../server/define/define.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import { bearer, bearerAuth } from '../fixtures/bearer.ts';
import { answerOf, handshake, type SendOptions, statelessClient } from '../fixtures/client.ts';
import { readEvents } from '../fixtures/events.ts';
import { start } from '../fixtures/start.ts';

const form = { type: 'object', properties: { name: { type: 'string' } } } as const;
const meta = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};
const tools = [
  tool('ask', { task: 'optional' }, async (_, { elicit }) => {
    const { content } = await elicit({ message: 'Who?', schema: form });
    return `Hello, ${content?.name}!`;
  }),
];
const settings = () => ({ tools, extensions: [tasks({ leaseMs: 60_000 })] });

const about = (taskId: string, options: SendOptions = {}): SendOptions => ({
  meta,
  ...options,
  headers: { 'Mcp-Name': taskId, ...options.headers },
});

async function begin(url: string, options: SendOptions = {}): Promise<string> {
  const { result } = await statelessClient(url).call('ask', {}, { meta, ...options });
  return result?.taskId as string;
}

describe('a task of 2025-11-25 over HTTP', () => {
  const answer = { action: 'accept', content: { name: 'Ann' } };

  async function beginInSession() {
    const { url } = await start({}, settings());
    const session = await handshake(url, { capabilities: { elicitation: {} } });
    const call = async (): Promise<string> => {
      const { result } = await session.request('tools/call', { name: 'ask', arguments: {}, task: {} });
      return (result as { task: { taskId: string } }).task.taskId;
    };
    return { session, call };
  }

  it('asks on the standalone stream of a client that polls (S-TK-08)', async () => {
    const { session, call } = await beginInSession();
    const events = await session.listen();
    const taskId = await call();
    let message = await events.message();
    while (message?.method !== 'elicitation/create') message = await events.message();
    await session.post({ jsonrpc: '2.0', id: message.id, result: answer });
    let status: unknown;
    while (status !== 'completed') status = (await session.request('tasks/get', { taskId })).result?.status;
    const { result } = await session.request('tasks/result', { taskId });
    expect(result).toMatchObject({ content: [{ text: 'Hello, Ann!' }] });
  });

  it('asks on the stream of "tasks/result" without a standalone one (S-TK-08)', async () => {
    const { session, call } = await beginInSession();
    const events = readEvents(await session.send('tasks/result', { taskId: await call() }));
    const question = await events.message();
    expect(question).toMatchObject({ method: 'elicitation/create' });
    await session.post({ jsonrpc: '2.0', id: question?.id, result: answer });
    expect(await events.message()).toMatchObject({ result: { content: [{ text: 'Hello, Ann!' }] } });
  });
});

describe('tasks over HTTP', () => {
  it('are available on all instances that share a store (TX-07, TX-18)', async () => {
    const store = memoryStore();
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => start({ store }, settings())));
    const id = await begin(one?.url as string);
    const stream = await statelessClient(three?.url as string).send(
      'subscriptions/listen',
      { notifications: { taskIds: [id] } },
      { meta },
    );
    const events = readEvents(stream);
    const client = statelessClient(two?.url as string);
    const statuses: unknown[] = [];
    const received = async () => (await events.message())?.params as { status?: string } | undefined;
    await events.message();
    while (statuses.at(-1) !== 'input_required') statuses.push((await received())?.status);
    const inputResponses = { 'input-1': { action: 'accept', content: { name: 'Ann' } } };
    const ack = await client.request('tasks/update', { taskId: id, inputResponses }, about(id));
    while (statuses.at(-1) !== 'completed') statuses.push((await received())?.status);
    const { result } = await client.request('tasks/get', { taskId: id }, about(id));

    expect(ack.result).toMatchObject({ resultType: 'complete' });
    expect(result).toMatchObject({ status: 'completed', result: { content: [{ text: 'Hello, Ann!' }] } });
  });

  it('are named by a header that must match (TX-08)', async () => {
    const { url } = await start({}, settings());
    const id = await begin(url);
    const client = statelessClient(url);
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const params = { taskId: id, inputResponses: {} };
      const wrong = await client.send(method, params, about('other'));
      const missing = await client.send(method, params, { meta });
      const encoded = await client.send(method, params, about(`=?base64?${btoa(id)}?=`));
      expect([wrong.status, (await answerOf(wrong)).error?.code]).toEqual([400, -32020]);
      expect([missing.status, (await answerOf(missing)).error?.code]).toEqual([400, -32020]);
      expect(encoded.status).toBe(200);
    }
    const undeclared = await client.send('tasks/get', { taskId: id }, { headers: { 'Mcp-Name': id } });
    expect([undeclared.status, (await answerOf(undeclared)).error?.code]).toEqual([400, -32021]);
    for (const method of ['tasks/list', 'tasks/result']) {
      const older = await client.send(method, { taskId: id }, { meta });
      expect([older.status, (await answerOf(older)).error?.code]).toEqual([404, -32601]);
    }
  });

  it('of anonymous callers are not listed for others', async () => {
    const auth = bearerAuth({ anonymous: true });
    const { url } = await start({ auth, callerOf: () => 'the office' }, settings());
    const task = { name: 'ask', arguments: {}, task: {} };
    const unnamed = await handshake(url);
    const ann = await handshake(url, { headers: bearer('ann') });
    await unnamed.request('tools/call', task);
    await ann.request('tools/call', task);
    const listed = (answer: { result?: Record<string, unknown> }): unknown[] => answer.result?.tasks as unknown[];

    expect(listed(await unnamed.request('tasks/list'))).toHaveLength(1);
    expect(listed(await ann.request('tasks/list'))).toHaveLength(1);
  });

  it('are answered without a stream, and run on after a disconnect', async () => {
    const { url } = await start({}, settings());
    const going = new AbortController();
    const response = await statelessClient(url).sendCall('ask', {}, { meta, signal: going.signal });
    expect(response.headers.get('content-type')).toBe('application/json');
    const taskId = (await answerOf(response)).result?.taskId as string;
    going.abort();
    await vi.waitFor(async () => {
      const { result } = await statelessClient(url).request('tasks/get', { taskId }, about(taskId));
      expect(result?.status).toBe('input_required');
    });
  });

  it('belong to their caller (TX-09, TX-10)', async () => {
    const { url } = await start({ auth: bearerAuth() }, settings());
    const id = await begin(url, { headers: bearer('ann') });
    const get = async (headers: Record<string, string>) =>
      await statelessClient(url).request('tasks/get', { taskId: id }, about(id, { headers }));
    expect(await get(bearer('ann'))).toMatchObject({ result: { taskId: id } });
    expect(await get(bearer('bob'))).toMatchObject({ error: { code: -32602 } });
  });

  it('fail when the only instance closes', async () => {
    const store = memoryStore();
    const [one, two] = [await start({ store }, settings()), await start({ store }, settings())];
    const id = await begin(one.url);
    await one.service.close({ graceMs: 0, lingerMs: 0 });
    const { result } = await statelessClient(two.url).request('tasks/get', { taskId: id }, about(id));
    expect(result).toMatchObject({ status: 'failed', error: { code: -32603 } });
  });
});
