import { createServer, type Server, tool } from '@ccmcp/core';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../support/ccmcp.ts';
import { hasChromium } from '../../support/chromium.ts';
import { seriousProblems } from '../support/axe.ts';
import { overflowOf } from '../support/layout.ts';
import { inputFocused } from './input-focused.ts';
import { openInspector, overHttp } from './open-inspector.ts';

const weight = {
  type: 'object',
  properties: { flour: { type: 'number' } },
  required: ['flour'],
} as const;

/** A bakery, before and after a change. */
function bakery(version: 'before' | 'after'): Server {
  const isAfter = version === 'after';
  return createServer({
    name: 'bakery',
    version: isAfter ? '1.1.0' : '1.0.0',
    instructions: 'Weigh first.',
    tools: [
      tool(
        'weigh',
        { description: isAfter ? 'Says how many loaves there will be.' : 'Says how many loaves.', input: weight },
        ({ flour }) => JSON.stringify({ loaves: isAfter ? Math.floor(flour / 500) : flour / 500, unit: 'loaves' }),
      ),
      tool('open', {}, () => 'Open.'),
      isAfter ? tool('close', {}, () => 'Closed.') : tool('shut', {}, () => 'Shut.'),
    ],
  });
}

async function call(page: Page, name: string, flour?: string): Promise<void> {
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('heading', { name }).waitFor();
  if (flour !== undefined) {
    await page.getByLabel('flour').fill(flour);
    await page.waitForURL(new RegExp(flour));
  }
  const before = await page.getByRole('region', { name: 'Result' }).getByText('✓ done').count();
  await page.getByRole('button', { name: '▶ Call' }).click();
  if (before === 0) await page.getByRole('region', { name: 'Result' }).getByText('✓ done').waitFor();
}

/** The recordings in a folder, as relative paths. */
function recordingsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jsonl'));
}

/** Records a session with a bakery, in a folder that may contain other recordings. */
async function record(version: 'before' | 'after', folder: string): Promise<string> {
  const { page, close } = await openInspector({ folder, targets: [await overHttp('bakery', bakery(version))] });
  await call(page, 'open');
  await call(page, 'weigh', '1250');
  await call(page, version === 'after' ? 'close' : 'shut');
  const known = recordingsIn(folder);
  await page.getByRole('button', { name: '● Record', exact: true }).click();
  await page.getByRole('button', { name: /Stop recording/ }).click();
  await page.getByRole('button', { name: '● Record', exact: true }).waitFor();
  await close();
  return recordingsIn(folder).find((file) => !known.includes(file)) ?? '';
}

describe.skipIf(!hasChromium)('two sessions in the inspector', () => {
  it('are compared: a recording from before a change with the live session', async () => {
    const [elsewhere, folder] = [emptyFolder(), emptyFolder()];
    const file = join(elsewhere, await record('before', elsewhere));
    const { page, problems } = await openInspector({
      folder,
      targets: [await overHttp('bakery', bakery('after'))],
    });
    await call(page, 'open');
    await call(page, 'weigh', '1250');
    await call(page, 'close');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await inputFocused(page);
    await page.keyboard.type('compare two');
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /^Compare two/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('A session is everything exchanged').waitFor();
    // The file is loaded only after the other session is selected.
    await page.evaluate(`const { text } = Blob.prototype;
    Blob.prototype.text = function () {
      Blob.prototype.text = text;
      return new Promise((resolve) => { window.readOn = () => resolve(this.text()); });
    }`);
    await page.getByLabel('Compare with a recording from a file').setInputFiles(file);
    await expect.poll(() => page.evaluate('window.readOn !== undefined')).toBe(true);
    await page.getByLabel('After').selectOption({ label: 'bakery, 2026-07-28' });
    await page.evaluate('window.readOn()');

    const rows = page.getByRole('listbox', { name: 'Differences' });
    await rows.getByRole('option', { name: /^differs Version 1\.0\.0 1\.1\.0/ }).waitFor();
    await rows.getByRole('option', { name: /^only before shut/ }).waitFor();
    await rows.getByRole('option', { name: /^only after close/ }).waitFor();
    await rows.getByRole('option', { name: /^only before tools\/call shut/ }).waitFor();
    await rows.getByRole('option', { name: /^differs tools\/call weigh/ }).click();
    const tooHigh = await rows
      .getByRole('option')
      .evaluateAll((all) => all.filter((row) => row.scrollHeight > row.clientHeight + 1).map((row) => row.textContent));
    expect(tooHigh).toEqual([]);
    const detail = page.getByRole('region', { name: 'Difference' });
    await detail.locator('del', { hasText: '2.5' }).waitFor();
    await detail.locator('ins', { hasText: /^2$/ }).waitFor();
    await detail.getByText('result › content › 0 › text › loaves').waitFor();
    await expect.poll(() => detail.locator('li').count()).toBe(1);

    // With the keyboard: to the collapsed run of equal items, and into it.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await rows.getByRole('option', { name: /^the same in both tools\/call open/ }).waitFor();
    await page.keyboard.press('Home');
    await expect.poll(() => page.evaluate<string>('document.activeElement?.textContent')).toMatch(/^Connection/);
    expect(await seriousProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('are two recordings, which the URL names', async () => {
    const folder = emptyFolder();
    const [before, after] = [await record('before', folder), await record('after', folder)].map((path) =>
      basename(path),
    );
    const { page, problems } = await openInspector({ folder });
    await page.getByRole('button', { name: 'Saved and recorded' }).click();
    const recordings = page.getByRole('region', { name: 'Recordings' });
    await recordings.getByRole('button', { name: 'Compare' }).last().click();
    await page.getByLabel('After').selectOption({ label: after as string });
    const rows = page.getByRole('listbox', { name: 'Differences' });
    await rows.getByRole('option', { name: /^only after close/ }).waitFor();
    expect(decodeURIComponent(decodeURIComponent(page.url()))).toContain(`bakery@${before}`);
    await page.reload();
    await rows.getByRole('option', { name: /^only after close/ }).waitFor();
    await page.getByRole('button', { name: 'Swap both' }).click();
    await rows.getByRole('option', { name: /^only before close/ }).waitFor();
    expect(problems).toEqual([]);
  });

  it('are the same server in two revisions, and nothing but the revision differs', async () => {
    const target = await overHttp('bakery', bakery('after'));
    const { page } = await openInspector(
      { folder: emptyFolder(), targets: [target] },
      { viewport: { width: 420, height: 800 } },
    );
    await page.getByRole('option', { name: /^open/ }).waitFor();
    await page.evaluate(`fetch('api/connect', {
      method: 'POST',
      headers: { Authorization: 'Bearer ' + sessionStorage.getItem('token'), 'Content-Type': 'application/json' },
      body: JSON.stringify({ target: 't1', settings: { version: '2025-06-18' } }),
    })`);
    await page.goto(`${page.url().split('#')[0]}#/~/compare/bakery%25202%2Cbakery`);
    const rows = page.getByRole('listbox', { name: 'Differences' });
    await rows.getByRole('option', { name: /^differs Revision 2025-06-18 2026-07-28/ }).waitFor();
    await rows.getByRole('option', { name: /^Tools = 3/ }).waitFor();
    await expect.poll(() => overflowOf(page.mainFrame())).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
  });
});
