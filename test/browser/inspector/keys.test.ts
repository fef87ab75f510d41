import { createServer, tool } from '@ccmcp/core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { inputFocused } from './input-focused.ts';
import { sampleServer } from './sample-server.ts';
import { openInspector, overHttp } from './open-inspector.ts';
import { seriousProblems } from '../support/axe.ts';

/** Serious problems that axe finds on a page, in both colour schemes. */
async function inLightAndDark(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await seriousProblems(page)).map((problem) => `${colorScheme}: ${problem}`));
  }
  return found;
}

describe.skipIf(!hasChromium)('the inspector by keyboard', () => {
  it('searches by name in servers that are not selected', async () => {
    const other = createServer({ name: 'other', version: '1', tools: [tool('polish', {}, () => 'done')] });
    const targets = [await overHttp('kitchen', sampleServer()), await overHttp('other', other)];
    const { page, problems } = await openInspector({ targets });
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    await page.getByRole('img', { name: 'connected' }).nth(1).waitFor();
    await page.keyboard.press('Control+k');
    await inputFocused(page);
    await page.keyboard.type('polish');
    await page.getByText('tool of other').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'polish' }).waitFor();
    expect(page.url()).toContain('#/other/tools/polish');
    expect(problems).toEqual([]);
  });

  it('filters, opens, calls, repeats and goes everywhere', async () => {
    const { page, problems } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    await page.keyboard.press('/');
    await inputFocused(page);
    await page.keyboard.type('menu');
    await page.getByRole('option', { name: /^order/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'menu' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('call');
    await page.keyboard.press('Control+Enter');
    await page.getByText('schema ✓').waitFor();
    await page.keyboard.press('r');
    await page.getByText('2 of 2').waitFor();
    // Repeated if the machine was too slow for the two keys to count as a sequence.
    await expect
      .poll(async () => {
        await page.keyboard.press('g');
        await page.keyboard.press('p');
        return page.url();
      })
      .toMatch(/prompts$/);
    await page.getByRole('option', { name: /^advise/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'advise' }).waitFor();
    await page.keyboard.press('Control+k');
    await inputFocused(page);
    await page.keyboard.type('burn');
    await page.getByRole('dialog').getByRole('option', { name: /burn/ }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'burn' }).waitFor();
    await page.keyboard.press('?');
    await page.getByText('command palette').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await page.getByRole('button', { name: 'Smaller' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('moves the focus into what a key opened: its first field, or its call button', async () => {
    const { page, problems } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    const focused = () => page.evaluate<string>('document.activeElement.id');
    await page.getByRole('option', { name: /^order/ }).waitFor();
    await page.keyboard.press('/');
    await inputFocused(page);
    await page.keyboard.type('order');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('arguments/title');
    await page.keyboard.type('Bread');
    await expect.poll(() => page.getByLabel('title').inputValue()).toBe('Bread');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await inputFocused(page);
    await page.keyboard.type('menu');
    await page.getByRole('dialog').getByRole('option', { name: /^menu/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('call');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate<string>('document.activeElement.title')).toBe('menu');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('call');
    await page.getByRole('option', { name: /^order/ }).click();
    await page.getByRole('heading', { name: 'order' }).waitFor();
    await expect.poll(focused).not.toMatch(/^arguments/);
    expect(problems).toEqual([]);
  });

  it('accepts the next key at once after a dialog was closed', async () => {
    const { page } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    const pressed = (key: string) => `document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))`;
    // Both in one turn: no browser event comes between.
    await page.evaluate(`${pressed('Escape')}; ${pressed('t')}`);
    await page.getByRole('button', { name: 'Smaller' }).waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('leaves menus and dialogs without leaving the page, and never loses the focus', async () => {
    const { page, problems } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await page.getByRole('option', { name: /^reserve/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('region', { name: 'Question of kitchen' });
    await question.getByRole('button', { name: 'Decline' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('You said decline.').first().waitFor();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false);

    await page.keyboard.press('c');
    await expect.poll(focused).toBe('as a command (ccmcp call)');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Copy');
    expect(page.url()).toContain('/tools/reserve');

    await page.keyboard.press('Control+k');
    await inputFocused(page);
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Copy');

    await page.keyboard.press('Escape');
    await expect.poll(focused).toMatch(/^reserve/);
    expect(page.url()).toMatch(/#\/kitchen\/tools$/);
    expect(problems).toEqual([]);
  });

  it('walks through the list if nothing is focused', async () => {
    const { page } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    const shown = () => page.getByRole('main').getByRole('heading', { level: 1 }).textContent();
    await page.getByRole('option', { name: /^order/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(shown).toBe('order');
    await page.keyboard.press('ArrowDown');
    await expect.poll(shown).toBe('menu');
  });

  it('has no serious problem for axe, wide and narrow, light and dark', async () => {
    const { page } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^order/ }).click();
    await page.getByLabel('title').fill('Bread');
    await page.getByRole('button', { name: '▶ Call' }).click();
    expect(await inLightAndDark(page)).toEqual([]);
    await page.getByRole('option', { name: /^menu/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    await page.getByText('schema ✓').waitFor();
    await page.getByRole('button', { name: 'Connection' }).click();
    await page.getByText('Instructions').waitFor();
    expect(await inLightAndDark(page)).toEqual([]);
    await page.setViewportSize({ width: 420, height: 800 });
    await page.getByRole('button', { name: '‹ Servers' }).click();
    expect(await inLightAndDark(page)).toEqual([]);
  });

  it('becomes pages with a way back in a narrow window, and truncates nothing at 200 %', async () => {
    const { page } = await openInspector(
      { targets: [await overHttp('kitchen', sampleServer())] },
      { viewport: { width: 420, height: 800 } },
    );
    await page.getByRole('option', { name: /^order/ }).click();
    await page.getByRole('heading', { name: 'order' }).waitFor();
    await expect.poll(() => page.getByRole('navigation').isVisible()).toBe(false);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.getByRole('button', { name: '‹ Tools' }).click();
    await page.getByRole('option', { name: /^order/ }).waitFor();
    await page.getByRole('button', { name: '‹ Servers' }).click();
    await expect.poll(() => page.getByRole('navigation').isVisible()).toBe(true);
    await page.getByRole('button', { name: /^Resources/ }).click();
    await page.getByRole('option', { name: /kitchen:\/\/card/ }).waitFor();
  });
});
