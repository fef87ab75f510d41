import { spawn as start } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Client, connect, type ConnectOptions, httpTransport, spawn } from '@ccmcp/core/client';
import { TaskCancelledError, tasksClient, tasksOf } from '@ccmcp/core/tasks';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';

const server = fileURLToPath(new URL('fixtures/official-tasks-server.js', import.meta.url));

async function visit(options: ConnectOptions = {}): Promise<Client> {
  const client = await connect(spawn(process.execPath, [server]), { extensions: [tasksClient()], ...options });
  onTestFinished(() => client.close());
  return client;
}

describe('our client with tasks of the official server 1', () => {
  it('calls a tool as a task that has to be, whether or not it has seen the list', async () => {
    const client = await visit();
    expect(await client.callTool('render')).toMatchObject({ content: [{ text: 'rendered' }], isError: false });
    await client.listTools().all();
    expect(await client.callTool('render')).toMatchObject({ content: [{ text: 'rendered' }], isError: false });
  });

  it('gives the error of a tool whose task failed', async () => {
    expect(await (await visit()).callTool('fail')).toMatchObject({
      content: [{ text: 'out of paint' }],
      isError: true,
    });
  });

  it('calls a tool without a task that may be one, and starts it as one where that is wanted', async () => {
    const client = await visit();
    expect(await client.callTool('may')).toMatchObject({ content: [{ text: 'done' }] });
    const task = await tasksOf(client).start('may');
    expect(task).toMatchObject({ status: 'working', handle: { form: 'experimental', tool: 'may' } });
    expect((await tasksOf(client).list()).map(({ taskId }) => taskId)).toContain(task.taskId);
    expect(await (await tasksOf(client).resume(task.taskId ?? '')).result()).toMatchObject({
      content: [{ text: 'done' }],
    });
  });

  it('cancels a task, also twice', async () => {
    const task = await tasksOf(await visit()).start('wait');
    const waiting = task.result();
    await task.cancel();
    await expect(waiting).rejects.toThrow(TaskCancelledError);
    await task.cancel();
  });

  it('finds no task where there is none', async () => {
    await expect(tasksOf(await visit()).resume('nothing')).rejects.toThrow(/is gone/);
  });
});

describe('our client with the official example of tasks that ask', () => {
  let port = 0;

  beforeAll(async () => {
    port = await freePort();
    const main = createRequire(import.meta.url).resolve('@modelcontextprotocol/sdk/server/index.js');
    const example = main.replace(/dist.*$/s, 'dist/esm/examples/server/simpleTaskInteractive.js');
    const child = start(process.execPath, [example], { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
    await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/`), 20_000);
    return () => child.kill('SIGKILL');
  });

  it('answers the questions that come while it waits for the result', async () => {
    const client = await connect(httpTransport(`http://127.0.0.1:${port}/mcp`), {
      extensions: [tasksClient()],
      elicit: () => ({ action: 'accept', content: { confirm: true } }),
      sample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'An old silent pond' } }),
    });
    onTestFinished(() => client.close());
    await client.listTools().all();
    expect(await client.callTool('confirm_delete', { filename: 'a.txt' })).toMatchObject({
      content: [{ text: "Deleted 'a.txt'" }],
    });
    expect(await client.callTool('write_haiku', { topic: 'ponds' })).toMatchObject({
      content: [{ text: 'Haiku:\nAn old silent pond' }],
    });
  });
});
