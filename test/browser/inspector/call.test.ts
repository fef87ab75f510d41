import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { sampleServer } from './sample-server.ts';
import { openInspector, overHttp } from './open-inspector.ts';

async function openPage() {
  const inspector = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
  const { page } = inspector;
  return {
    ...inspector,
    result: page.getByRole('region', { name: 'Result' }),
    choose: (name: string) => page.getByRole('option', { name: new RegExp(`^${name}`) }).click(),
    call: () => page.getByRole('button', { name: /▶ Call/ }).click(),
  };
}

describe.skipIf(!hasChromium)('calling tools in the inspector', () => {
  it('fills in a form and its JSON together, and loses nothing on the way', async () => {
    const { page, choose, call, result, problems } = await openPage();
    await choose('order');
    await page.getByLabel('title').fill('Bread');
    await page.getByLabel('count').fill('3');
    await page.getByText('true', { exact: true }).click();
    await page.getByLabel('Kind of shape').selectOption('Square');
    await page.getByLabel('side').fill('2.50');
    await page.getByLabel('Kind of shape').selectOption('Circle');
    await page.getByLabel('Kind of shape').selectOption('Square');
    await page.getByRole('button', { name: '+ add', exact: true }).click();
    await page.getByLabel('1', { exact: true }).fill('warm');
    await page.getByLabel('street').fill('Mill Lane');
    await page.getByRole('button', { name: 'null for floor' }).click();

    await page.getByRole('tab', { name: 'JSON' }).click();
    const editor = page.getByRole('textbox', { name: 'Arguments as JSON' });
    const wanted = {
      title: 'Bread',
      to: { street: 'Mill Lane', floor: null },
      count: 3,
      urgent: true,
      shape: { kind: 'square', side: 2.5 },
      tags: ['warm'],
    };
    await expect
      .poll(async () => JSON.parse((await page.locator('.cm-line').allInnerTexts()).join('\n') || 'null') as unknown)
      .toEqual(wanted);
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' x');
    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByText('the JSON is invalid').waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Backspace');
    await page.getByRole('tab', { name: 'Form' }).click();
    await expect.poll(() => page.getByLabel('title').inputValue()).toBe('Bread');
    await call();
    await result.getByText('done').waitFor();
    await result.getByRole('tab', { name: 'Content' }).click();
    await expect.poll(async () => JSON.parse(await result.locator('pre').innerText()) as unknown).toMatchObject(wanted);
    expect(problems).toEqual([]);
  });

  it('reports the problem at the field, and calls nevertheless after a confirmation', async () => {
    const { page, choose, call, result } = await openPage();
    await choose('order');
    await page.getByLabel('count').fill('many');
    await page.locator('[id="arguments/count-problem"]').waitFor();
    await call();
    await page.locator('[id="arguments/to/street-problem"]').waitFor();
    await page.getByRole('button', { name: '▶ Call anyway' }).click();
    await result.getByText('the tool failed').waitFor();
    await expect.poll(() => page.getByRole('button', { name: '▶ Call' }).isEnabled()).toBe(true);
  });

  it('shows results as tree, table, Markdown or picture, and failures as such', async () => {
    const { choose, call, result, problems } = await openPage();
    await choose('menu');
    await call();
    await result.getByText('schema ✓').waitFor();
    await result.getByText('Plum cake').waitFor();
    await result.getByRole('tab', { name: 'Table 3' }).click();
    await expect.poll(() => result.getByRole('row').count()).toBe(4);
    await expect.poll(() => result.getByText(/≈ \d+ tok/).isVisible()).toBe(true);

    await choose('recipe');
    await call();
    await result.getByRole('tab', { name: 'Markdown' }).click();
    await result.getByRole('heading', { name: 'Bread' }).waitFor();
    await expect.poll(() => result.locator('img').count()).toBe(0);
    await expect.poll(() => result.getByText('onerror').isVisible()).toBe(true);
    await expect.poll(() => result.getByRole('link', { name: 'more' }).getAttribute('rel')).toContain('noopener');

    await choose('photo');
    await call();
    await result.locator('img').waitFor();

    await choose('burn');
    await call();
    await result.getByText('the tool failed').waitFor();
    await result.getByText('The bread is burnt.').waitFor();
    expect(problems).toEqual([]);
  });

  it('shows progress and cancels', async () => {
    const { page, choose, call, result } = await openPage();
    await choose('bake');
    await call();
    await result.getByText('Baked.').first().waitFor();
    await choose('stew');
    await call();
    await result.getByRole('button', { name: 'Cancel' }).click();
    await result.getByText('○ cancelled').waitFor();
    await expect.poll(() => page.getByRole('button', { name: '▶ Call' }).isEnabled()).toBe(true);
  });

  it("measures the duration of a call by the server's clock, not the browser's", async () => {
    const { page, choose, call, result } = await openPage();
    await page.clock.setSystemTime(Date.now() + 3_600_000);
    await page.reload();
    await choose('stew');
    await call();
    await result.getByRole('status').getByText('Running').waitFor();
    await expect.poll(() => result.getByRole('status').innerText()).not.toContain('min');
    await result.getByRole('button', { name: 'Cancel' }).click();
  });

  it('keeps a filled form in the URL, through a reload and in a link', async () => {
    const { page, choose } = await openPage();
    await choose('order');
    await page.getByLabel('title').fill('Soup & more');
    await page.waitForURL(/Soup/);
    await page.reload();
    await page.getByLabel('title').waitFor();
    await expect.poll(() => page.getByLabel('title').inputValue()).toBe('Soup & more');
    await choose('menu');
    await page.goBack();
    await page.getByRole('heading', { name: 'order' }).waitFor();
    await expect.poll(() => page.getByLabel('title').inputValue()).toBe('Soup & more');
  });
});
