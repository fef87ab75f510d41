import { createServer, tool } from '@ccmcp/core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { inputFocused } from './input-focused.ts';
import { sampleServer } from './sample-server.ts';
import { openInspector, overHttp } from './open-inspector.ts';

describe.skipIf(!hasChromium)('lists in the inspector', () => {
  it('draw only the visible ones of ten thousand tools, and filter all of them', async () => {
    const many = createServer({
      name: 'many',
      version: '1',
      tools: Array.from({ length: 10_000 }, (_, index) =>
        tool(`tool_${index}`, { description: `Does thing ${index}` }, () => 'done'),
      ),
    });
    const { page, problems } = await openInspector({ targets: [await overHttp('many', many)] });
    await page.getByRole('option', { name: /^tool_0 / }).waitFor();
    await expect.poll(() => page.getByRole('listbox', { name: 'tools' }).getByRole('option').count()).toBeLessThan(80);
    await page.keyboard.press('/');
    await inputFocused(page);
    await page.keyboard.type('9_99');
    await page.getByText('No tool has “9_99”').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: /^tool_0 / }).waitFor();
    await inputFocused(page);
    await page.keyboard.type('tool_9999');
    await page.getByRole('option', { name: /^tool_9999 / }).waitFor();
    await expect.poll(() => page.getByRole('listbox', { name: 'tools' }).getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'tool_9999' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('show additions and removals when the server changes them', async () => {
    const server = sampleServer();
    const { page } = await openInspector({ targets: [await overHttp('kitchen', server)] });
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    server.tools.add(tool('dessert', { description: 'Sweet' }, () => 'cake'));
    await page.getByRole('option', { name: /^dessert/ }).waitFor();
    await page.getByText('The list changed:').click();
    await page.getByText('+ dessert').waitFor();
    await expect.poll(() => page.getByText('− menu').count()).toBe(0);
  });

  it('leave focus on a tool when the tools before it change', async () => {
    const server = sampleServer();
    const { page } = await openInspector({ targets: [await overHttp('kitchen', server)] });
    await page.getByRole('option', { name: /^stew/ }).click();
    await page.getByRole('heading', { name: 'stew' }).waitFor();
    server.tools.remove('order');
    await page.getByRole('option', { name: /^order/ }).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement?.title')).toBe('stew');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('call');
    expect(page.url()).toContain('#/kitchen/tools/stew');
  });

  it('can be subscribed to, and show received changes', async () => {
    const server = sampleServer();
    const { page, problems } = await openInspector({ targets: [await overHttp('kitchen', server)] });
    await page.getByRole('button', { name: 'Listen' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Listen' }).click();
    const subscriptions = page.getByRole('region', { name: 'Subscriptions' });
    await subscriptions.getByText('● open').last().waitFor();
    server.tools.add(tool('dessert', { description: 'Sweet' }, () => 'cake'));
    await page.getByRole('region', { name: 'Heard' }).getByText('list of tools').first().waitFor();
    await subscriptions.getByRole('button', { name: 'Stop' }).last().click();
    expect(problems).toEqual([]);
  });

  it('read resources and templates, with completions, and get prompts', async () => {
    const { page } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('button', { name: /^Resources/ }).click();
    await page.getByRole('option', { name: /kitchen:\/\/card/ }).click();
    await page.getByRole('button', { name: '▶ Read' }).click();
    await page.getByRole('heading', { name: 'Card', exact: true }).waitFor();

    await page.getByRole('button', { name: /^Templates/ }).click();
    await page.getByRole('option', { name: /kitchen:\/\/dish/ }).click();
    await page.getByRole('combobox', { name: 'name' }).fill('so');
    await page.getByRole('button', { name: 'soufflé' }).click();
    await page.getByText('kitchen://dish/souffl%C3%A9').waitFor();
    await page.getByRole('button', { name: '▶ Read' }).click();
    await page.getByText('A dish of soufflé.').first().waitFor();

    await page.getByRole('button', { name: /^Prompts/ }).click();
    await page.getByRole('option', { name: /^advise/ }).click();
    await page.getByLabel('dish').fill('bread');
    await page.getByRole('button', { name: '▶ Get' }).click();
    await page.getByText('How do I make bread?').first().waitFor();
    expect(page.url()).toContain('#/kitchen/prompts/advise');
  });
});
