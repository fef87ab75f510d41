import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../support/ccmcp.ts';
import { hasChromium } from '../../support/chromium.ts';
import { inspect } from './command.ts';
import { sampleServer } from './sample-server.ts';
import { openInspector, overHttp } from './open-inspector.ts';

/** Changes a setting of the page, and waits until it is stored. */
async function awaitStored(page: Page, change: () => Promise<void>): Promise<void> {
  const answered = page.waitForResponse(/api\/set-page-settings$/);
  await change();
  expect((await answered).status()).toBe(200);
}

const theme = (page: Page): Promise<string | null> => page.locator('html').getAttribute('data-theme');
const width = (page: Page): Promise<string | null> =>
  page.getByRole('separator', { name: 'Width of the servers' }).getAttribute('aria-valuenow');

describe.skipIf(!hasChromium)('page settings', () => {
  it('are the same in the next inspector of the command, at another port and in another window', async () => {
    const folder = emptyFolder();
    const first = await inspect(['greeting'], {}, folder);
    await first.page.getByRole('option', { name: /^HelloTool/ }).waitFor();
    await expect.poll(() => theme(first.page)).toBe('system');
    await awaitStored(first.page, () => first.page.getByRole('button', { name: /^Colours: system/ }).click());
    await awaitStored(first.page, () => first.page.getByRole('button', { name: /^Colours: light/ }).click());
    await first.page.getByRole('separator', { name: 'Width of the servers' }).focus();
    await awaitStored(first.page, () => first.page.keyboard.press('ArrowRight'));

    const next = await inspect(['greeting'], {}, folder);
    await next.page.getByRole('option', { name: /^HelloTool/ }).waitFor();
    expect(new URL(next.page.url()).port).not.toBe(new URL(first.page.url()).port);
    await expect.poll(() => theme(next.page)).toBe('dark');
    await expect.poll(() => width(next.page)).toBe('240');
    // Unchanged settings have their defaults, also in a window of another size.
    const narrow = await inspect(['greeting'], { viewport: { width: 420, height: 800 } }, folder);
    await narrow.page.getByRole('option', { name: /^HelloTool/ }).waitFor();
    await expect.poll(() => theme(narrow.page)).toBe('dark');
    await expect.poll(() => narrow.page.getByRole('separator', { name: 'Height of the timeline' }).count()).toBe(0);
  });

  it('are stored by the browser if the inspector is mounted in a program that does not store them', async () => {
    const { page } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    await page.getByRole('button', { name: /^Colours: system/ }).click();
    await expect.poll(() => theme(page)).toBe('light');
    await page.reload();
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    await expect.poll(() => theme(page)).toBe('light');
  });
});
