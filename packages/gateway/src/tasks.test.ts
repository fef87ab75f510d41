import { createServer, type Operation, type Server, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import type { Client, ConnectOptions } from '@ccmcp/core/client';
import { tasks, tasksClient, tasksOf } from '@ccmcp/core/tasks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientOf, closeAll, part, pinned, versions } from './fixtures/clients.ts';

afterEach(closeAll);

const whole = { name: 'gateway', version: '1' };
const form = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] } as const;
const tasksId = tasksClient().id;

function signal(): { promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

interface Upstream {
  readonly server: Server;
  readonly cancelled: Promise<void>;
  open(): void;
  readonly running: Promise<void>;
}

/** A server whose tools run as tasks. */
function working(): Upstream {
  const cancelled = signal();
  const gate = signal();
  const running = signal();
  const server = createServer({
    name: 'working',
    version: '1',
    extensions: [tasks({ pollMs: 10 })],
    tools: [
      tool('plain', {}, () => 'plain'),
      tool('slow', { task: 'optional' }, () => ({ content: [{ type: 'text', text: 'slow' }], _meta: { 'a/b': 1 } })),
      tool('only', { task: 'required' }, () => 'only'),
      tool('wrong', { task: 'optional' }, () => ({ content: [{ type: 'text', text: 'no' }], isError: true })),
      tool('gated', { task: 'optional' }, async (_, context) => {
        context.progress(1, 2, 'half');
        running.resolve();
        context.signal.addEventListener('abort', () => cancelled.resolve());
        await Promise.race([gate.promise, cancelled.promise]);
        return 'passed';
      }),
      tool('ask-wrongly', { task: 'optional' }, async (_, context) => {
        context.signal.addEventListener('abort', () => cancelled.resolve());
        await (context as unknown as Operation).ask('elicitation/create', { message: 1 });
        return 'never';
      }),
      tool('ask', { task: 'optional' }, async (_, context) => {
        const first = await context.elicit({ message: 'first', schema: form });
        const second = await context.elicit({ message: 'second', schema: form });
        return `${first.content?.answer} and ${second.content?.answer}`;
      }),
    ],
  });
  return { server, cancelled: cancelled.promise, open: () => gate.resolve(), running: running.promise };
}

const textOf = (result: object): string => (result as { content: { text: string }[] }).content[0]?.text as string;

const hasTasks = (version: string): boolean => version >= '2025-11-25';
const cells = versions.flatMap((front) => versions.map((behind) => [front, behind] as const));
const elicit: NonNullable<ConnectOptions['elicit']> = ({ message }) => ({
  action: 'accept',
  content: { answer: `my ${message}` },
});

async function through(front: string, behind: string): Promise<Upstream & { client: Client }> {
  const upstream = working();
  const other = part(working().server, { name: 'other', prefix: 'other_' });
  const gateway = compose({ other, up: part(upstream.server, { client: pinned(behind) }) }, whole);
  const client = await clientOf(gateway, front, { elicit, extensions: [tasksClient()] });
  await client.listTools().all();
  return { ...upstream, client };
}

/** Calls a tool so that it becomes a task, in the form that the revision has, and gives what came back. */
async function begin(client: Client, name: string): Promise<Record<string, unknown>> {
  const isStateless = client.era === 'stateless';
  const capabilities = { elicitation: { form: {} }, extensions: { [tasksId]: {} } };
  const params = { name, arguments: {}, ...(!isStateless && { task: { ttl: 60_000 } }) };
  const answer = await client.request('tools/call', params, { raw: true, ...(isStateless && { capabilities }) });
  return (isStateless ? answer : answer.task) as Record<string, unknown>;
}

describe.each(cells)('a task for a client of %s of an upstream on %s', (front, behind) => {
  it('is awaited by a call that requests none', async () => {
    const { client } = await through(front, behind);
    expect(textOf(await client.callTool('plain'))).toBe('plain');
    expect(await client.callTool('slow')).toMatchObject({ content: [{ text: 'slow' }], _meta: { 'a/b': 1 } });
    expect(await client.callTool('wrong')).toMatchObject({ isError: true, content: [{ text: 'no' }] });
  });
});

describe.each(cells.filter(([, behind]) => hasTasks(behind)))(
  'a task-only tool for a client of %s of a server that is spoken to in %s',
  (front, behind) => {
    it('is awaited for a client that does not support tasks', async () => {
      const { client } = await through(front, behind);
      expect(textOf(await client.callTool('only'))).toBe('only');
      expect(textOf(await client.callTool('other_only'))).toBe('only');
    });
  },
);

describe.each(cells.filter((cell) => cell.every(hasTasks)))(
  'a task that a client of %s gets of a server that is spoken to in %s',
  (front, behind) => {
    it('is returned at once, sends notifications, and has the result', async () => {
      const { client, open, running } = await through(front, behind);
      const task = await begin(client, 'gated');
      expect(task).toMatchObject({ taskId: expect.any(String), status: 'working' });
      await running;
      const remote = tasksOf(client).resume(task.taskId as string);
      open();
      expect(textOf(await (await remote).result())).toBe('passed');
    });

    it('asks through the gateway', async () => {
      const { client } = await through(front, behind);
      const task = await begin(client, 'ask');
      const remote = await tasksOf(client).resume(task.taskId as string);
      expect(textOf(await remote.result())).toBe('my first and my second');
    });

    it('is cancelled upstream too', async () => {
      const { client, running, cancelled } = await through(front, behind);
      const { taskId } = await begin(client, 'gated');
      await running;
      await client.request('tasks/cancel', { taskId });
      await cancelled;
      await vi.waitFor(async () => {
        expect(await client.request('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
      });
    });

    it('is listed to its caller only', async () => {
      // Only this form has a list.
      if (front !== '2025-11-25') return;
      const upstream = working();
      const up = part(upstream.server, { client: pinned(behind) });
      const gateway = compose({ up }, whole);
      const options = { elicit, extensions: [tasksClient()] };
      const [one, other] = [await clientOf(gateway, front, options), await clientOf(gateway, front, options)];
      await one.listTools().all();
      const { taskId } = await begin(one, 'gated');
      expect(await other.request('tasks/list')).toMatchObject({ tasks: [] });
      expect(await one.request('tasks/list')).toMatchObject({ tasks: [{ taskId }] });
    });
  },
);

describe.each([
  ['before', false],
  ['behind', true],
])('a part with its own tasks %s a remote', (_, isLast) => {
  it.each(versions.filter(hasTasks))(
    'has its tasks in one server with those of the remote, for a client of %s',
    async (front) => {
      const gate = signal();
      const own = createServer({
        name: 'own',
        version: '1',
        extensions: [tasks({ pollMs: 10, maxPerCaller: 2 })],
        tools: [
          tool('own', { task: 'required' }, async (_, context) => {
            await Promise.race([
              gate.promise,
              new Promise((resolve) => context.signal.addEventListener('abort', resolve)),
            ]);
            return 'own';
          }),
        ],
      });
      const { server, open, running, cancelled } = working();
      const up = part(server);
      const gateway = compose(isLast ? { up, own } : { own, up }, whole);
      const client = await clientOf(gateway, front, { extensions: [tasksClient()] });
      await client.listTools().all();
      const begun = [await begin(client, 'own'), await begin(client, 'gated')];
      await running;
      // The limit of the part holds for all tasks.
      await expect(begin(client, 'own')).rejects.toThrow('2');
      const found = await Promise.all(begun.map(({ taskId }) => tasksOf(client).resume(taskId as string)));
      if (isLast) await client.request('tasks/cancel', { taskId: begun[1]?.taskId });
      else open();
      gate.resolve();
      expect(textOf(await (found[0] as NonNullable<(typeof found)[0]>).result())).toBe('own');
      if (isLast) await cancelled;
      else expect(textOf(await (found[1] as NonNullable<(typeof found)[0]>).result())).toBe('passed');
    },
  );
});

it('a task that asks a malformed question fails, and is cancelled upstream', async () => {
  const { client, cancelled } = await through('2026-07-28', '2026-07-28');
  const { taskId } = await begin(client, 'ask-wrongly');
  const found = await tasksOf(client).resume(taskId as string);
  await expect(found?.result()).rejects.toThrow('of the upstream "up" is malformed: "params.message" must be a string');
  await cancelled;
});
