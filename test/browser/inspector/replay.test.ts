import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../support/ccmcp.ts';
import { hasChromium } from '../../support/chromium.ts';
import { sampleServer } from './sample-server.ts';
import { openInspector, overHttp } from './open-inspector.ts';

async function openPage() {
  const folder = emptyFolder();
  const inspector = await openInspector(
    { folder, targets: [await overHttp('kitchen', sampleServer())] },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
  const { page } = inspector;
  await page.getByRole('option', { name: /^order/ }).click();
  await page.getByLabel('title').fill('Bread');
  await page.getByLabel('street').fill('Mill Lane');
  await page.waitForURL(/Mill/);
  await page.getByRole('button', { name: '▶ Call' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('✓ done').waitFor();
  return { ...inspector, folder, result };
}

describe.skipIf(!hasChromium)('repeating a call in the inspector', () => {
  it('repeats it, edits it, and compares the results', async () => {
    const { page, result, problems } = await openPage();
    await result.getByRole('button', { name: 'Repeat' }).click();
    await result.getByText('2 of 2').waitFor();
    await page.getByLabel('title').fill('Soup');
    await page.getByRole('button', { name: '▶ Call' }).click();
    await result.getByText('3 of 3').waitFor();
    await result.getByRole('button', { name: 'Compare with another call' }).click();
    await result.getByRole('button', { name: /^with call 1/ }).click();
    const difference = result.getByRole('region', { name: 'Difference' });
    await difference.getByText(/^call 1 .* → call 3 /).waitFor();
    await difference.locator('del', { hasText: 'Bread' }).waitFor();
    await difference.locator('ins', { hasText: 'Soup' }).waitFor();
    await result.getByRole('button', { name: 'Previous call' }).click();
    await result.getByRole('button', { name: 'Edit' }).click();
    await expect.poll(() => page.getByLabel('title').inputValue()).toBe('Bread');
    expect(problems).toEqual([]);
  });

  it('copies it as a command, as cURL and as a test', async () => {
    const { page, result } = await openPage();
    for (const [name, wanted] of [
      ['as a command', /ccmcp call .*order/],
      ['as cURL', /^curl /],
      ['as a test', /client\.callTool\("order"/],
    ] as const) {
      await result.getByRole('button', { name: /^Cop(?:y|ied)$/ }).click();
      // The confirmation disappears after a short time.
      await Promise.all([result.getByText('Copied').waitFor(), result.getByRole('button', { name }).click()]);
      await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toMatch(wanted);
    }
  });

  it('saves it in a file of the project, and calls it from there', async () => {
    const { page, result, folder } = await openPage();
    await result.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Saved and recorded' }).click();
    const saved = page.getByRole('region', { name: 'Saved requests' });
    await saved.getByText('Mill Lane').waitFor();
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    expect(
      files.map(({ parentPath, path, name }) => readFileSync(join(parentPath ?? path, name), 'utf8')).join(''),
    ).toContain('Mill Lane');
    await saved.getByRole('button', { name: 'Edit' }).click();
    await expect.poll(() => page.getByLabel('street').inputValue()).toBe('Mill Lane');
    await page.getByRole('button', { name: 'Saved and recorded' }).click();
    await saved.getByRole('button', { name: 'Remove' }).click();
    await saved.getByText('Save under a result').waitFor();
  });

  it('records everything, and opens the recording with the same content', async () => {
    const { page, problems } = await openPage();
    await page.getByRole('button', { name: 'Record', exact: false }).last().click();
    await page.getByRole('button', { name: /Stop recording/ }).click();
    await page.getByRole('button', { name: 'Saved and recorded' }).click();
    await page.getByRole('region', { name: 'Recordings' }).getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('This is the recording').waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('treeitem', { name: /tools\/call order/ }).click();
    await timeline.getByText('Mill Lane').first().waitFor();
    await page.reload();
    await page.getByText('This is the recording').waitFor();
    await page.getByRole('button', { name: 'Back to live' }).click();
    await expect.poll(() => page.getByText('This is the recording').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('exports all HTTP exchanges as a HAR file, without secrets', async () => {
    const { page } = await openPage();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'HAR' }).click(),
    ]);
    const har = JSON.parse(readFileSync(await download.path(), 'utf8')) as { log: { entries: unknown[] } };
    expect(har.log.entries.length).toBeGreaterThan(3);
  });
});
