import { fileURLToPath } from 'node:url';
import { type Client, connect, spawn } from '@ccmcp/core/client';
import { TaskCancelledError, tasksClient, tasksOf } from '@ccmcp/core/tasks';
import { beforeAll, describe, expect, it } from 'vitest';

const server = fileURLToPath(new URL('fixtures/official-tasks-server.js', import.meta.url));

describe('our client with tasks of the official server 1', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(spawn(process.execPath, [server]), { extensions: [tasksClient()] });
    return () => client.close();
  });

  it('calls a tool that requires a task as a task, whether or not it has listed it', async () => {
    expect(await client.callTool('render')).toMatchObject({ content: [{ text: 'rendered' }], isError: false });
    await client.listTools().all();
    expect(await client.callTool('render')).toMatchObject({ content: [{ text: 'rendered' }], isError: false });
  });

  it('returns the error of a tool whose task failed', async () => {
    expect(await client.callTool('fail')).toMatchObject({
      content: [{ text: 'out of paint' }],
      isError: true,
    });
  });

  it('calls a tool with optional tasks without a task, and starts one on request', async () => {
    expect(await client.callTool('may')).toMatchObject({ content: [{ text: 'done' }] });
    const task = await tasksOf(client).start('may');
    expect(task).toMatchObject({ status: 'working', handle: { form: 'experimental', tool: 'may' } });
    expect((await tasksOf(client).list()).map(({ taskId }) => taskId)).toContain(task.taskId);
    expect(await (await tasksOf(client).resume(task.taskId ?? '')).result()).toMatchObject({
      content: [{ text: 'done' }],
    });
  });

  it('cancels a task, also twice', async () => {
    const task = await tasksOf(client).start('wait');
    const waiting = task.result();
    await task.cancel();
    await expect(waiting).rejects.toThrow(TaskCancelledError);
    await task.cancel();
  });

  it('reports an unknown task', async () => {
    await expect(tasksOf(client).resume('nothing')).rejects.toThrow(/was not found/);
  });
});
