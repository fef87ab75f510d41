import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { sampleServer } from './sample-server.ts';
import { openInspector, overHttp } from './open-inspector.ts';
import { everything } from './other-servers.ts';

describe.skipIf(!hasChromium)('questions of a server in the inspector', () => {
  it.each(['handshake', 'stateless'])('are answered in the call that they came up in (%s)', async (era) => {
    const { page, problems } = await openInspector({
      targets: [await overHttp('kitchen', sampleServer(), 'configured')],
    });
    await page.getByText('Revision, headers and capabilities').click();
    await page.getByLabel('Revision').selectOption(era);
    await page.getByRole('button', { name: /^kitchen/ }).click();
    await page.getByRole('option', { name: /^reserve/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    const question = page.getByRole('region', { name: 'Question of kitchen' });
    await question.getByText('For how many, and where?').waitFor();
    await question.getByLabel('Guests').fill('4');
    await question.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('A table for 4.').first().waitFor();

    await page.getByRole('option', { name: /^taste/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    await question.getByText('How does it taste?').waitFor();
    await question.getByLabel('The answer').fill('Like summer');
    await question.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('Like summer').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('can be reached from other panels', async () => {
    const { page } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^reserve/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    await page.getByRole('region', { name: 'Question of kitchen' }).waitFor();
    // The response with the question is not the result.
    const row = page.getByRole('treeitem', { name: /tools\/call reserve · asks you/ });
    await expect.poll(() => row.textContent()).not.toMatch(/\d k?B/);
    await page.getByRole('option', { name: /^menu/ }).click();
    await page.getByRole('button', { name: 'Go there' }).click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('You said decline.').first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Go there' }).count()).toBe(0);
  });

  it('are queued if it is unknown which of several calls asks', async () => {
    const { page, problems } = await openInspector({ targets: [everything()] });
    const choose = (tool: string) => page.getByRole('option', { name: new RegExp(`^${tool}`) }).click();
    const call = async () => {
      await page.getByRole('button', { name: '▶ Call' }).click();
      await page.getByRole('status').getByText('Running').waitFor();
    };
    await choose('trigger-long-running-operation');
    await page.getByLabel('duration').fill('600');
    await call();
    await choose('trigger-elicitation-request ');
    await call();
    const question = page.getByRole('region', { name: 'Question of everything' });
    await question.getByRole('button', { name: 'Later' }).click();
    await expect.poll(() => question.count()).toBe(0);
    await page.getByRole('complementary', { name: 'Questions' }).getByRole('button', { name: 'Show' }).click();
    await question.getByRole('button', { name: 'Decline' }).click();
    await page
      .getByText(/declined/)
      .first()
      .waitFor();
    await expect.poll(() => page.getByRole('complementary', { name: 'Questions' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
