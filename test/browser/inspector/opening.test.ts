import type { OfferedTarget } from '@ccmcp/inspector';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { sampleServer } from './sample-server.ts';
import { openInspector, overHttp } from './open-inspector.ts';

/** A target whose label is its URL, as on a command line. */
function byAddress(target: OfferedTarget, url: string): OfferedTarget {
  return { ...target, label: url, resolve: async () => ({ kind: 'url', url, label: url }) };
}

async function addressOf(target: OfferedTarget): Promise<string> {
  const found = await target.resolve();
  return found.kind === 'url' ? found.url : '';
}

const broken: OfferedTarget = {
  label: 'broken',
  kind: 'url',
  origin: 'given',
  resolve: async () => ({ kind: 'url', url: 'http://127.0.0.1:9/mcp', label: 'broken' }),
};

describe.skipIf(!hasChromium)('opening the inspector', () => {
  it('shows the first server that works, also in a tab with a history', async () => {
    const { page } = await openInspector({ targets: [broken, await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    expect(page.url()).toMatch(/#\/kitchen\/tools$/);
    await page.evaluate("for (let each = 0; each < 5; each++) history.pushState(null, '', '?' + each)");
    await page.evaluate('sessionStorage.removeItem("place")');
    await page.goto(page.url().replace(/[?#].*/, ''));
    await page.getByRole('option', { name: /^menu/ }).waitFor();
  });

  it('shows the reason if no server works', async () => {
    const { page } = await openInspector({ targets: [broken] });
    await page.getByRole('alert').getByText('ECONNREFUSED').first().waitFor();
    expect(page.url()).toMatch(/#\/broken\/server$/);
  });

  it('stays on the selected page when the connection is established', async () => {
    const server = sampleServer();
    let allowConnect = () => {};
    const connectAllowed = new Promise<void>((resolve) => (allowConnect = resolve));
    server.use(async (_, next) => {
      await connectAllowed;
      return next();
    });
    const { page } = await openInspector({ targets: [await overHttp('kitchen', server)] });
    await page.waitForURL(/#\/kitchen\/tools$/);
    await page.getByRole('button', { name: 'Add a server' }).click();
    allowConnect();
    await page.getByRole('navigation').getByRole('img', { name: 'connected' }).waitFor();
    expect(page.url()).toContain('#/%2B');
    await page.goBack();
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: 'Add a server' }).waitFor();
  });

  it('calls a server given by URL by its name', async () => {
    const target = await overHttp('kitchen', sampleServer());
    const url = await addressOf(target);
    const { page } = await openInspector({ targets: [byAddress(target, url)] });
    const row = page.getByRole('navigation').getByRole('button', { name: /kitchen/ });
    await row.waitFor();
    await expect.poll(() => row.getAttribute('title')).toBe(url);
    await expect.poll(() => row.innerText()).not.toContain('127.0.0.1');
    expect(page.url()).toContain(encodeURIComponent(url));
    await expect.poll(() => page.getByRole('region', { name: 'Timeline' }).innerText()).not.toContain('127.0.0.1');
  });

  it('has borders that can be dragged, and moved with keys', async () => {
    const { page } = await openInspector({ targets: [await overHttp('kitchen', sampleServer())] });
    await page.getByRole('option', { name: /^menu/ }).waitFor();
    const column = page.getByRole('navigation', { name: 'Servers' });
    const edge = page.getByRole('separator', { name: 'Width of the servers' });
    const before = await column.boundingBox();
    const width = async () => (await column.boundingBox())?.width;
    const at = await edge.boundingBox();
    await expect
      .poll(async () => (await edge.boundingBox())?.height === (await column.boundingBox())?.height)
      .toBe(true);
    await page.mouse.move((at?.x ?? 0) + 0.5, 200);
    await page.mouse.down();
    await page.mouse.move((at?.x ?? 0) + 60.5, 200);
    await page.mouse.up();
    await expect.poll(width).toBe((before?.width ?? 0) + 60);
    await edge.press('ArrowLeft');
    await expect.poll(width).toBe((before?.width ?? 0) + 44);
  });

  it('restores form, view, scroll offset and timeline after a reload', async () => {
    const { page } = await openInspector(
      { targets: [await overHttp('kitchen', sampleServer())] },
      { viewport: { width: 1200, height: 500 } },
    );
    await page.getByRole('option', { name: /^order/ }).click();
    await page.getByLabel('title').fill('Bread');
    const main = page.getByRole('main');
    await main.hover();
    await page.mouse.wheel(0, 120);
    const list = page.getByRole('treeitem', { name: /resources\/templates\/list/ });
    await list.click();
    await expect.poll(() => page.url()).toContain('Bread');
    const message = page.getByRole('complementary', { name: 'Message' });
    await message.waitFor();
    await expect.poll(() => page.evaluate('sessionStorage.getItem("scroll")')).toContain('120');
    await page.reload();
    await message.waitFor();
    await expect.poll(() => page.getByLabel('title').inputValue()).toBe('Bread');
    await expect.poll(() => list.getAttribute('aria-selected')).toBe('true');
    await expect.poll(() => main.evaluate((element) => element.scrollTop)).toBe(120);
  });
});
