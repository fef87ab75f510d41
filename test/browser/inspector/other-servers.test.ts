import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { openInspector } from './open-inspector.ts';
import { lite, officialOne, officialTwo } from './other-servers.ts';

async function openTargets(target: Parameters<typeof openInspector>[0]['targets']) {
  const { page, problems } = await openInspector({ targets: target ?? [] });
  return {
    page,
    problems,
    result: page.getByRole('region', { name: 'Result' }),
    section: (name: string) => page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name}`) }),
    call: async (tool: string) => {
      await page.getByRole('option', { name: new RegExp(`^${tool} `) }).click();
      await page.getByRole('button', { name: '▶ Call' }).click();
    },
  };
}

describe.skipIf(!hasChromium)('the inspector with servers of other libraries', () => {
  it('plays sounds, shows files, progress and logs of the official library 1', async () => {
    const { page, problems, result, call } = await openTargets([await officialOne()]);
    await call('sing');
    await result.getByText('audio/wav').waitFor();
    const sound = result.locator('audio');
    await expect.poll(() => sound.evaluate((each) => (each as unknown as { duration: number }).duration)).toBe(0.001);
    await result.getByText('for user · priority 0.5').waitFor();
    await result.getByRole('heading', { name: 'La' }).waitFor();

    await call('move');
    await result.getByText('Moved.').first().waitFor();
    const row = page.getByRole('treeitem', { name: /tools\/call move/ });
    await row.getByText('▸').click();
    await page.getByRole('treeitem', { name: /2 \/ 2 step 2/ }).waitFor();
    await page.getByRole('treeitem', { name: /warning: That was heavy/ }).waitFor();

    await call('measure');
    await result.getByText('schema ✓').waitFor();
    expect(problems).toEqual([]);
  });

  it('fills in the defaults of its questions, and sends the filled-in values', async () => {
    const { page, result, call } = await openTargets([await officialOne()]);
    await page.getByRole('option', { name: /^order / }).click();
    await page.getByLabel('table').fill('4');
    await call('order');
    const question = page.getByRole('region', { name: 'Question of official' });
    await question.getByRole('textbox', { name: 'How many' }).fill('2');
    await question.getByRole('group', { name: 'Dishes' }).getByLabel('bread').check();
    await question.getByRole('button', { name: 'Answer' }).click();
    await result.getByText(/^accept: /).waitFor();
    const text = await result.getByText(/^accept: /).innerText();
    expect(JSON.parse(text.slice('accept: '.length))).toEqual({
      drink: 'tea',
      dishes: ['soup', 'bread'],
      spicy: true,
      count: 2,
    });
  });

  it('completes prompts and fills templates of the official library 1', async () => {
    const { page, problems, result, section } = await openTargets([await officialOne()]);
    await section('Prompts').click();
    await page.getByRole('option', { name: /^greet/ }).click();
    await page.getByRole('combobox', { name: 'name' }).fill('A');
    await page.getByRole('button', { name: 'Alan' }).click();
    await page.getByRole('button', { name: '▶ Get' }).click();
    await result.getByText('Greet Alan.').first().waitFor();
    await section('Templates').click();
    await page.getByRole('option', { name: /^A line of the song/ }).click();
    await page.getByLabel('number').fill('3');
    await page.getByRole('button', { name: '▶ Read' }).click();
    await result.getByText('Line 3').waitFor();
    expect(problems).toEqual([]);
  });

  it('asks the questions of the official library 2 in rounds, and reads its resources', async () => {
    const { page, problems, result, section, call } = await openTargets([await officialTwo()]);
    await page.getByRole('option', { name: /^deploy / }).click();
    await page.getByRole('combobox', { name: /^to/ }).selectOption('there');
    await call('deploy');
    const question = page.getByRole('region', { name: 'Question of second' });
    await question.getByText('Deploy there?').waitFor();
    await question.getByRole('radiogroup', { name: 'confirm' }).getByText('true').click();
    await question.getByRole('button', { name: 'Answer' }).click();
    await result.getByText('Deployed there.').first().waitFor();
    await call('weigh');
    await result.getByText('schema ✓').waitFor();
    await section('Resources').click();
    await page.getByRole('option', { name: /^The note/ }).click();
    await page.getByRole('button', { name: '▶ Read' }).click();
    await result.getByText('Remember the milk.').waitFor();
    await section('Connection').click();
    await page.getByText('without a handshake').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('calls and answers a server of mcp-lite, in the one revision in which that can ask', async () => {
    const { page, problems, result, call } = await openTargets([{ ...(await lite()), origin: 'configured' }]);
    await page.getByText('Revision, headers and capabilities').click();
    await page.getByLabel('Revision').selectOption('2025-06-18');
    await page.getByRole('button', { name: /^lite/ }).click();
    await page.getByRole('option', { name: /^echo / }).click();
    await page.getByRole('textbox', { name: 'message' }).fill('Hello');
    await call('echo');
    await result.getByText('Hello').first().waitFor();
    await call('remove');
    const question = page.getByRole('region', { name: 'Question of lite' });
    await question.getByText('Really?').waitFor();
    await question.getByRole('button', { name: 'Decline' }).click();
    await result.getByText('You said decline.').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('shows all of them side by side', async () => {
    const { page, problems } = await openTargets([await officialOne(), await officialTwo(), await lite()]);
    const servers = page.getByRole('navigation', { name: 'Servers' });
    for (const name of ['official', 'second', 'lite']) {
      await servers.getByRole('button', { name: new RegExp(`^connected ${name}`) }).click();
      await page.getByRole('listbox', { name: 'tools' }).getByRole('option').first().waitFor();
    }
    expect(problems).toEqual([]);
  });
});
