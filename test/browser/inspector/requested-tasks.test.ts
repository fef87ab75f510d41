import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { OfferedTarget } from '@ccmcp/inspector';
import { hasChromium } from '../../support/chromium.ts';
import { openInspector, overHttp } from './open-inspector.ts';
import { program } from './other-servers.ts';
import { taskServer } from './task-server.ts';

const official = fileURLToPath(new URL('../../interop/fixtures/official-tasks-server.js', import.meta.url));

async function openTarget(target: OfferedTarget) {
  const inspector = await openInspector({ targets: [target] });
  const { page } = inspector;
  const result = page.getByRole('region', { name: 'Result' });
  const choose = (name: string) => page.getByRole('option', { name: new RegExp(`^${name}\\b`) }).click();
  return {
    ...inspector,
    result,
    task: result.getByRole('group', { name: 'Task' }),
    asTask: page.getByLabel('as a task'),
    choose,
    call: async (name: string) => {
      await choose(name);
      await page.getByRole('button', { name: '▶ Call' }).click();
    },
  };
}

/** Our own server, in the revision whose clients request tasks. */
async function own() {
  const inspector = await openTarget(await overHttp('workshop', taskServer(), 'configured'));
  const { page } = inspector;
  await page.getByText('Revision, headers and capabilities').click();
  await page.getByLabel('Revision').selectOption('handshake');
  await page.getByRole('button', { name: /^workshop/ }).click();
  return inspector;
}

describe.skipIf(!hasChromium)('tasks requested by the client, in the inspector', () => {
  it('are requested if a tool of the official library requires it', async () => {
    const { page, problems, call, result, task, asTask } = await openTarget(program('official', official));
    await call('render');
    await task.getByText('✓ completed').waitFor();
    await result.getByText('rendered').first().waitFor();
    await page.getByText('runs as a task').waitFor();
    await expect.poll(() => asTask.count()).toBe(0);
    await call('fail');
    await task.getByText('✕ failed').waitFor();
    await result.getByText('▲ the tool failed').waitFor();
    await result.getByText('out of paint').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('are cancelled, from the call and from the list', async () => {
    const { page, call, result, task } = await openTarget(program('official', official));
    await call('wait');
    await task.getByText('◐ working').waitFor();
    await result.getByRole('button', { name: 'Cancel' }).click();
    await task.getByText('○ cancelled').waitFor();
    await page.getByRole('button', { name: '▶ Call' }).click();
    await task.getByText('◐ working').waitFor();
    await task.getByRole('button', { name: 'All tasks' }).click();
    await page.getByRole('button', { name: 'List all tasks of the server' }).click();
    const listed = page.getByRole('region', { name: /^Task / });
    await expect.poll(() => listed.count()).toBe(2);
    await listed.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => listed.getByText('○ cancelled').count()).toBe(2);
    await expect.poll(() => listed.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  });

  it.each([
    ['the official library', () => openTarget(program('official', official)), 'may'],
    ['ours', own, 'sand'],
  ])('are optional if a tool supports both: %s', async (_, open, tool) => {
    const { page, choose, call, result, task, asTask } = await open();
    await choose(tool);
    await page.getByText('may run as a task').waitFor();
    await asTask.check();
    await call(tool);
    await task.waitFor();
    await task.getByText(/working|completed/).waitFor();
    const row = page.getByRole('treeitem', { name: new RegExp(`tools/call ${tool}`) }).last();
    await row.getByText('▸').click();
    await page
      .getByRole('treeitem', { name: /tasks\/get/ })
      .first()
      .waitFor();

    await page.reload();
    await asTask.waitFor();
    await expect.poll(() => asTask.isChecked()).toBe(true);
    await asTask.uncheck();
    await page.getByRole('button', { name: '▶ Call' }).click();
    await result.getByText('2 of 2').waitFor();
    // Ours runs until it is cancelled; the other one also reports a task of its own when it is done.
    if (tool === 'may') await result.getByText('✓ done').waitFor();
    await expect.poll(() => task.count()).toBe(0);
    await result.getByRole('button', { name: 'Previous call' }).click();
    await result.getByRole('button', { name: 'Edit' }).click();
    await expect.poll(() => asTask.isChecked()).toBe(true);
  });

  it('ask their questions in the call', async () => {
    const { call, result, task, problems } = await own();
    await call('carve');
    await task.getByText('? input required').waitFor();
    await result.getByLabel('Shape').fill('owl');
    await result.getByRole('button', { name: 'Answer' }).click();
    await result.getByText('A wooden owl.').first().waitFor();
    await task.getByText('✓ completed').waitFor();
    expect(problems).toEqual([]);
  });
});
