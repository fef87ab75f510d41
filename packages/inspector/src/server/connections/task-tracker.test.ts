import { createServer, tool } from '@ccmcp/core';
import { tasks } from '@ccmcp/core/tasks';
import { describe, expect, it } from 'vitest';
import { openPage } from '../fixtures/page.ts';
import { startService } from '../fixtures/start-service.ts';

async function openTracker() {
  const begun = { end: () => {} };
  const job = tool('job', { task: 'required', pollMs: 10 }, async (_, { progress, signal }) => {
    progress(1, 2, 'Half');
    return new Promise<string>((resolve, reject) => {
      begun.end = () => resolve('done');
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  });
  const server = createServer({ name: 'jobs', version: '1.0.0', extensions: [tasks()], tools: [job] });
  const { url } = await startService(server);
  const page = await openPage({
    targets: [
      { label: 'jobs', kind: 'url', origin: 'given', resolve: async () => ({ kind: 'url', url, label: 'jobs' }) },
    ],
  });
  const { connection } = await page.until('connection', (event) => event.connection.status.is === 'connected');
  const params = { name: 'job' };
  const { call } = await page.ask('call', { connection: connection.id, method: 'tools/call', params });
  const half = await page.until('task', ({ message }) => message === '1 of 2: Half');
  return { page, connection: connection.id, call, task: half.task, end: () => begun.end() };
}

describe('a call that became a task', () => {
  it('is logged when its task changes, however often it is polled', async () => {
    const { page, connection, call, task, end } = await openTracker();
    for (let asked = 0; asked < 4; asked++) {
      const get = await page.ask('call', { connection, method: 'tasks/get', params: { taskId: task } });
      await page.until('call-end', (event) => event.call === get.call);
    }
    end();
    expect(await page.until('call-end', (event) => event.call === call)).toMatchObject({ outcome: 'ok' });
    const received = page.events.filter((event) => event.type === 'task');
    expect(received.map(({ status, message }) => `${status} ${message ?? ''}`)).toEqual([
      ...new Set(received.map(({ status, message }) => `${status} ${message ?? ''}`)),
    ]);
    expect(received.every((event) => event.call === call && event.task === task)).toBe(true);
    expect(received.at(-1)).toMatchObject({ status: 'completed' });
  });

  it('is cancelled, without an error, if the task is cancelled elsewhere', async () => {
    const { page, connection, call, task } = await openTracker();
    await page.ask('call', { connection, method: 'tasks/cancel', params: { taskId: task } });
    expect(await page.until('call-end', (event) => event.call === call)).toMatchObject({ outcome: 'cancelled' });
    const cancelled = await page.until('task', ({ status }) => status === 'cancelled');
    expect(cancelled).toMatchObject({ call, task });
  });
});
