import { createServer, prompt, resource, tool } from '@ccmcp/core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { openInspector, overHttp } from './opened.ts';

const evil = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>[x](javascript:window.broken=1)';
const picture = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" onload="window.broken=1"><script>window.broken=1</script></svg>',
).toString('base64');

function hostile() {
  return createServer({
    name: `evil ${evil}`,
    version: evil,
    title: evil,
    instructions: `# ${evil}\n\n<a href="javascript:window.broken=1">click</a>\n\n![x](https://example.com/beacon.png)`,
    tools: [
      tool(
        'say',
        {
          title: evil,
          description: evil,
          input: {
            type: 'object',
            properties: { [evil]: { type: 'string', title: evil, description: evil, default: evil } },
          },
        },
        () => ({
          content: [
            { type: 'text' as const, text: evil },
            { type: 'image' as const, data: picture, mimeType: 'image/svg+xml' },
            { type: 'resource_link' as const, uri: 'javascript:window.broken=1', name: evil },
            { type: 'resource' as const, resource: { uri: `x:${evil}`, mimeType: 'text/html', text: evil } },
          ],
        }),
      ),
      tool('ask', {}, async (_, { elicit }) =>
        JSON.stringify(await elicit({ message: evil, url: 'http://127.0.0.1:9/x?y=<b>' })),
      ),
    ],
    resources: [resource('evil://page', { name: evil, mimeType: 'text/html' }, () => evil)],
    prompts: [prompt('p', { title: evil, description: evil }, () => evil)],
  });
}

describe.skipIf(!hasChromium)('a hostile server in the inspector', () => {
  it('runs no script in the page, loads nothing from elsewhere and is shown as text', async () => {
    const { page } = await openInspector({ targets: [await overHttp('evil', hostile())] });
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && url.origin !== new URL(page.url()).origin) elsewhere.push(request.url());
    });
    await page.getByRole('option', { name: /^say/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.locator('img').waitFor();
    expect(await result.getByText('onerror').first().isVisible()).toBe(true);
    for (const name of ['Markdown', 'Tree', 'Raw']) await result.getByRole('tab', { name }).click();
    await result.getByRole('tab', { name: 'Markdown' }).click();
    await result.locator('.markdown p').first().waitFor();
    await page.getByRole('button', { name: 'Connection' }).click();
    await page.locator('.markdown h1').waitFor();
    await page.getByRole('button', { name: /^Resources/ }).click();
    await page.getByRole('option', { name: /evil:\/\/page/ }).click();
    await page.getByRole('button', { name: '▶ Read' }).click();
    await result.getByText('✓ done').waitFor();
    const links = await page.evaluate<string[]>(
      '[...document.querySelectorAll("a")].map(({ href }) => href).filter((href) => !/^(https?|blob|mailto):/.test(href))',
    );
    expect(links).toEqual([]);
    expect(await page.evaluate('window.broken')).toBeUndefined();
    expect(elsewhere).toEqual([]);
  });

  it('is asked about by its host before a page of it is opened', async () => {
    const { page } = await openInspector({ targets: [await overHttp('evil', hostile())] });
    await page.getByRole('option', { name: /^ask/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    const question = page.getByRole('region', { name: 'Question of evil' });
    await question.getByText('127.0.0.1:9', { exact: true }).waitFor();
    expect(page.context().pages()).toHaveLength(1);
    await question.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('decline').first().waitFor();
  });
});
