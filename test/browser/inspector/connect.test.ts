import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { sampleServer } from './sample-server.ts';
import { openInspector, overHttp } from './open-inspector.ts';

describe.skipIf(!hasChromium)('connecting in the inspector', () => {
  it('shows what to type when nothing is connected, and offers known servers', async () => {
    const { page, problems } = await openInspector({
      targets: [await overHttp('kitchen', sampleServer(), 'configured')],
    });
    await page.getByText('Which server do you want to inspect?').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Connect', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: /kitchen/ }).click();
    await page.getByRole('option', { name: /^order/ }).waitFor();
    expect(page.url()).toMatch(/#\/kitchen\/tools$/);
    expect(problems).toEqual([]);
  });

  it('shows its start targets at once, and keeps its token out of the URL', async () => {
    const { page } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    expect(page.url()).not.toContain('token');
    await page.reload();
    await page.getByRole('option', { name: /^menu/ }).waitFor();
  });

  it('reports what failed, why, what to do, and the raw exchange', async () => {
    const { page } = await openInspector({});
    await page.getByLabel(/^Server: an address/).fill('http://127.0.0.1:9/mcp');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await expect.poll(() => alert.innerText()).toMatch(/\S/);
    await page.getByRole('navigation').getByRole('img', { name: 'failed' }).waitFor();
    await alert.locator('summary').first().click();
    await expect.poll(() => alert.getByText('127.0.0.1:9').first().isVisible()).toBe(true);
  });

  it('shows the same server in two revisions, side by side, with the differences marked', async () => {
    const { page } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    await page.getByRole('button', { name: 'Connection' }).click();
    await page.getByText('Other connection settings').click();
    await page.getByLabel('Revision').selectOption('2025-11-25');
    await page.getByRole('button', { name: 'Connect in addition' }).click();
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /kitchen 2 / })
      .waitFor();
    await page.getByRole('navigation').getByText('2025-11-25').waitFor();
    await page.getByLabel('Compare with').selectOption({ index: 1 });
    const revision = page.getByRole('row', { name: /^Revision/ });
    await expect.poll(() => revision.innerText()).toContain('≠');
    await expect.poll(() => revision.getAttribute('class')).toBe('differs');
    await expect.poll(() => page.getByRole('row', { name: /^Name/ }).getAttribute('class')).toBe('');
  });

  it('reports when the inspector itself is unreachable', async () => {
    const { page, close } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    await close();
    await page.getByText('The inspector does not respond.').waitFor();
    await expect.poll(() => page.getByRole('option', { name: /^menu/ }).isVisible()).toBe(true);
  });

  it('shows warnings of a server that works nevertheless', async () => {
    const script = `
      const answers = {
        initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'chatty', version: '1' } },
        'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' } }] },
      };
      console.log('Here I am');
      process.stdin.setEncoding('utf8').on('data', (text) => {
        for (const line of text.trim().split('\\n')) {
          const { id, method } = JSON.parse(line);
          const rest = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'No' } };
          if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
        }
      });`;
    const target = { kind: 'command', command: process.execPath, args: ['-e', script], label: 'chatty' } as const;
    const { page, problems } = await openInspector({
      targets: [{ label: 'chatty', kind: 'command', origin: 'given', resolve: async () => target }],
    });
    const section = page.getByRole('navigation').getByRole('button', { name: 'Connection ▲ 1' });
    await section.click();
    await page.getByRole('region', { name: 'Warnings' }).getByText('printed an invalid message').waitFor();
    expect(problems).toEqual([]);
  });
});
