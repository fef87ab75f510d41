import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, prompt, resource, tool } from '@ccmcp/core';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../support/ccmcp.ts';
import { hasChromium } from '../../support/chromium.ts';
import { openInspector, overHttp } from './open-inspector.ts';
import { rawServer } from './raw-server.ts';

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
  it('runs no script in the page, loads nothing from other hosts and is shown as text', async () => {
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
    await expect.poll(() => result.getByText('onerror').first().isVisible()).toBe(true);
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

  it('is named with its host before one of its pages is opened', async () => {
    const { page } = await openInspector({ targets: [await overHttp('evil', hostile())] });
    await page.getByRole('option', { name: /^ask/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    const question = page.getByRole('region', { name: 'Question of evil' });
    await question.getByText('127.0.0.1:9', { exact: true }).waitFor();
    expect(page.context().pages()).toHaveLength(1);
    await question.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('decline').first().waitFor();
  });

  it('is shown also if it sends objects in place of strings', async () => {
    const odd = { toString: 1, valueOf: 1 };
    const server = await rawServer('odd', {
      initialize: ({ protocolVersion }) => ({
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 5, version: odd, title: odd },
      }),
      'tools/list': () => ({
        tools: [{ name: 'say', title: odd, description: odd, inputSchema: { type: 'object' }, annotations: odd }],
      }),
      'tools/call': () => ({
        content: [{ type: 'text', text: 'It is said.', annotations: { audience: [odd], priority: odd } }, odd, null],
      }),
    });
    const { page, problems } = await openInspector({ targets: [server.target] });
    await page.getByRole('option', { name: /^say/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('It is said.').waitFor();
    await page.getByRole('button', { name: 'Connection' }).click();
    await page.getByRole('region', { name: 'Server', exact: true }).getByText('with a handshake').waitFor();
    expect(problems).toEqual([]);
  });

  it('has no access to the page from a picture opened in its own tab', async () => {
    const { page } = await openInspector({ targets: [await overHttp('evil', hostile())] });
    await page.getByRole('option', { name: /^say/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    const address = await page.getByRole('region', { name: 'Result' }).locator('img').getAttribute('src');
    const save = await page
      .getByRole('region', { name: 'Result' })
      .getByRole('link', { name: 'save' })
      .getAttribute('href');
    for (const alone of [address, save]) {
      const tab = await page.context().newPage();
      await tab.goto(alone ?? '').catch(() => undefined);
      expect(await tab.evaluate('origin')).not.toBe(new URL(page.url()).origin);
    }
  });
});

describe.skipIf(!hasChromium)('a hostile recording in the inspector', () => {
  it('breaks only the panels of its own entries', async () => {
    const folder = emptyFolder();
    const connection = { id: 's1', label: 'liar', kind: 'url', detail: 'x', settings: {}, status: { is: 'connected' } };
    const facts = { info: { name: 5, version: {}, title: {} }, capabilities: 7, protocolVersion: [{}], transport: {} };
    const lines = [
      { format: 'ccmcp-recording', version: 1, run: 'r', at: 1, inspector: '0' },
      { n: 1, at: 1, type: 'connection', connection: { ...connection, server: facts } },
      { n: 2, at: 'x', type: 'message', connection: {}, from: 7, kind: {}, bytes: {}, text: {}, method: {}, call: {} },
      { n: 3, at: 2, type: 'warning', connection: 's1', message: {} },
      { n: 4, at: 3, type: 'call', call: 'c1', connection: 's1', method: {}, params: {}, by: {} },
    ];
    mkdirSync(join(folder, '.ccmcp/recordings'), { recursive: true });
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    writeFileSync(join(folder, '.ccmcp/recordings/liar.jsonl'), text);
    const { page } = await openInspector({ folder, targets: [await overHttp('evil', hostile())] });
    await page.getByRole('button', { name: 'Saved and recorded' }).click();
    await page.getByRole('listitem').filter({ hasText: 'liar.jsonl' }).getByRole('button', { name: 'Open' }).click();
    await page.getByText('This can’t be displayed').first().waitFor();
    await page.reload();
    await page.getByText('This can’t be displayed').first().waitFor();
    await page.getByRole('button', { name: 'Back to live' }).click();
    await page.getByRole('navigation', { name: 'Servers' }).getByText('evil').first().waitFor();
    await expect.poll(() => page.getByText('This can’t be displayed').count()).toBe(0);
  });
});
