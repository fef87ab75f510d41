import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '@ccmcp/core';
import { notesServer } from '@ccmcp/servers/notes';
import type { Frame, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../support/ccmcp.ts';
import { hasChromium } from '../../support/chromium.ts';
import { panelServer } from './app-servers.ts';
import { openInspector, overHttp } from './open-inspector.ts';
import { seriousProblems } from '../support/axe.ts';

async function viewIn(page: Page): Promise<Frame> {
  await page.getByRole('status').getByText('● shown').waitFor();
  const frame = page.frames().findLast((each) => each.parentFrame()?.parentFrame() === page.mainFrame());
  if (frame === undefined) throw new Error('There is no view');
  return frame;
}

/** Calls a tool with a view, uses the view, and opens the recording in an inspector without servers. */
async function recordView(server: Server, tool: string, use: (page: Page) => Promise<unknown>) {
  const folder = emptyFolder();
  const { page, close } = await openInspector({ folder, targets: [await overHttp('apps', server)] });
  await page.getByRole('option', { name: new RegExp(`^${tool}\\b`) }).click();
  await use(page);
  await page.getByRole('button', { name: '● Record', exact: true }).click();
  await page.getByRole('button', { name: /Stop recording/ }).click();
  await page.getByRole('button', { name: '● Record', exact: true }).waitFor();
  await close();
  const [file = ''] = readdirSync(join(folder, '.ccmcp/recordings'));
  const later = await openInspector({ folder: emptyFolder() });
  await later.page.getByRole('button', { name: 'Saved and recorded' }).click();
  await later.page.getByLabel('Open a recording from a file').setInputFiles(join(folder, '.ccmcp/recordings', file));
  await later.page.getByText('This is the recording').waitFor();
  await later.page
    .getByRole('navigation', { name: 'Servers' })
    .getByRole('button', { name: /^Tools/ })
    .click();
  await later.page.getByRole('option', { name: new RegExp(`^${tool}\\b`) }).click();
  return later;
}

async function callPanel(page: Page): Promise<Frame> {
  await page.getByLabel('title').fill('Garden');
  await page.getByRole('button', { name: '▶ Call' }).click();
  const view = await viewIn(page);
  await view.getByText('shown 1').waitFor();
  return view;
}

describe.skipIf(!hasChromium)('a view in a recording', () => {
  it('is shown on request, with its recorded messages and answers', async () => {
    const { page, problems } = await recordView(panelServer(), 'panel', async (live) => {
      const view = await callPanel(live);
      await view.getByRole('button', { name: 'Ask' }).click();
      await view.getByText('from inside').waitFor();
    });
    await page.getByText('This call had a view.').waitFor();
    expect(page.frames()).toHaveLength(1);
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show the view' }).click();
    const view = await viewIn(page);
    await view.getByText('{"title":"Garden"} shown 1').waitFor();
    await view.getByRole('button', { name: 'Ask' }).click();
    await view.getByText('from inside').waitFor();

    const app = page.getByRole('region', { name: 'View', exact: true });
    await app.getByRole('button', { name: 'Reload', exact: true }).click();
    // The previous frame may be removed a moment later.
    const anew = app.frameLocator('iframe').frameLocator('iframe');
    await anew.locator('#answer:empty').waitFor({ state: 'attached' });
    await anew.getByText('{"title":"Garden"} shown 1').waitFor();
    await app.getByRole('button', { name: 'Kill' }).click();
    await app.getByText('○ ended').waitFor();
    expect(problems).toEqual([]);
  });

  it('gets an error for a request that the recording has no answer to', async () => {
    const { page } = await recordView(panelServer(), 'panel', callPanel);
    await page.getByRole('button', { name: 'Show the view' }).click();
    const view = await viewIn(page);
    await view.getByText('shown 1').waitFor();
    await view.getByRole('button', { name: 'Ask' }).click();
    const app = page.getByRole('region', { name: 'View', exact: true });
    const stopped = app.getByRole('list', { name: 'Stopped or wrong' });
    await stopped.getByText('not in the recording, so it was refused').waitFor();
    await expect.poll(() => stopped.innerText()).toContain('tools/call {"name":"inside"');
  });

  it('of notes lists them, and opens the one that was opened', async () => {
    const notes = notesServer({ db: join(emptyFolder(), 'notes.db'), logLevel: 'emergency' });
    const title = /Welcome/;
    let text = '';
    const { page } = await recordView(notes, 'list_notes', async (live) => {
      await live.getByRole('button', { name: '▶ Call' }).click();
      const view = await viewIn(live);
      await view.getByRole('button', { name: title }).first().click();
      await view.getByRole('heading', { name: title }).first().waitFor();
      text = await view.locator('body').innerText();
    });
    await page.getByRole('button', { name: 'Show the view' }).click();
    const view = await viewIn(page);
    await view.getByRole('button', { name: title }).first().click();
    await view.getByRole('heading', { name: title }).first().waitFor();
    await expect.poll(() => view.locator('body').innerText()).toBe(text);
  });
});
