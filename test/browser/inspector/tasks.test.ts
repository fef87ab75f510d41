import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { openInspector, overHttp } from './open-inspector.ts';
import { taskServer } from './task-server.ts';

async function openTasks() {
  const inspector = await openInspector({ targets: [await overHttp('workshop', taskServer())] });
  const { page } = inspector;
  const result = page.getByRole('region', { name: 'Result' });
  return {
    ...inspector,
    result,
    task: result.getByRole('group', { name: 'Task' }),
    call: async (name: string) => {
      await page.getByRole('option', { name: new RegExp(`^${name}\\b`) }).click();
      await page.getByRole('button', { name: /▶ Call/ }).click();
    },
  };
}

describe.skipIf(!hasChromium)('tasks in the inspector', () => {
  it('shows the status of a task, asks its question in the call, and shows the result', async () => {
    const { page, call, result, task, problems } = await openTasks();
    await call('carve');
    await task.getByText('? input required').waitFor();
    await result.getByText('What should it be?').waitFor();
    await result.getByLabel('Shape').fill('owl');
    await result.getByRole('button', { name: 'Answer' }).click();
    await result.getByText('A wooden owl.').first().waitFor();
    await task.getByText('✓ completed').waitFor();
    await task.getByRole('button', { name: 'All tasks' }).click();
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    await expect.poll(() => page.getByText('✓ completed').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('asks the question of a task in the list of tasks too', async () => {
    const { page, call, task } = await openTasks();
    await call('carve');
    await task.getByRole('button', { name: 'All tasks' }).click();
    const listed = page.getByRole('region', { name: /^Task / });
    await listed.getByLabel('Shape').fill('fox');
    await expect.poll(() => page.getByRole('button', { name: 'Go there' }).count()).toBe(0);
    await listed.getByRole('button', { name: 'Answer' }).click();
    await listed.getByText('✓ completed').waitFor();
  });

  it('cancels a task from its call', async () => {
    const { call, result, task } = await openTasks();
    await call('sand');
    await task.getByText('1 of 9: Sanding').waitFor();
    await result.getByRole('button', { name: 'Cancel' }).click();
    await result.getByText('○ cancelled').first().waitFor();
    await expect.poll(() => result.getByRole('alert').count()).toBe(0);
  });

  it('lists the tasks of a server, and cancels there', async () => {
    const { page, call, result, task } = await openTasks();
    await call('sand');
    await task.getByText('1 of 9: Sanding').waitFor();
    await task.getByRole('button', { name: 'All tasks' }).click();
    const listed = page.getByRole('region', { name: /^Task / });
    await listed.getByText('◐ working').waitFor();
    await listed.getByText('1 of 9: Sanding').waitFor();
    await listed.getByRole('button', { name: 'Cancel' }).click();
    await listed.getByText('○ cancelled').waitFor();
    await listed.getByRole('button', { name: 'Show the call' }).click();
    await result.getByText('○ cancelled').first().waitFor();
    await expect.poll(() => result.getByText('protocol error').count()).toBe(0);
  });
});
