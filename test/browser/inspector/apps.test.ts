import { moonphaseServer } from '@ccmcp/servers/moonphase';
import { notesServer } from '@ccmcp/servers/notes';
import { type Server, tool } from '@ccmcp/core';
import type { Frame, Page } from 'playwright-core';
import { serveInspector } from '@ccmcp/inspector';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasChromium, openWindow } from '../../support/chromium.ts';
import { freePort } from '../../support/free-port.ts';
import { emptyFolder } from '../../support/ccmcp.ts';
import { join } from 'node:path';
import { axeProblems } from '../support/axe.ts';
import { askingServer, panelServer } from './app-servers.ts';
import { openInspector, overHttp } from './open-inspector.ts';

async function openApp(server: Server, tool: string) {
  const inspector = await openInspector({ targets: [await overHttp('apps', server)] });
  const { page } = inspector;
  await page.getByRole('option', { name: new RegExp(`^${tool}\\b`) }).click();
  return { ...inspector, app: page.getByRole('region', { name: 'View', exact: true }) };
}

async function call(page: Page): Promise<void> {
  await page.getByRole('button', { name: /▶ Call/ }).click();
}

/** The frame of the view, inside that of the proxy. */
async function viewIn(page: Page): Promise<Frame> {
  await page.getByRole('status').getByText('● shown').waitFor();
  const frame = page.frames().findLast((each) => each.parentFrame()?.parentFrame() === page.mainFrame());
  if (frame === undefined) throw new Error('There is no view');
  return frame;
}

async function asking() {
  const server = askingServer();
  const inspector = await openApp(server, 'asking');
  await call(inspector.page);
  const view = await viewIn(inspector.page);
  await view.getByText(/tool-result/).waitFor();
  return { ...inspector, view, server };
}

async function panel() {
  const inspector = await openApp(panelServer(), 'panel');
  await inspector.page.getByLabel('title').fill('Garden');
  await call(inspector.page);
  const view = await viewIn(inspector.page);
  await view.getByText('shown 1').waitFor();
  return { ...inspector, view };
}

describe.skipIf(!hasChromium)('views in the inspector', () => {
  it('shows the moon with the result of the call, on an origin of its own', async () => {
    const { page, problems } = await openApp(moonphaseServer({ logLevel: 'emergency' }), 'moonphase');
    await call(page);
    const view = await viewIn(page);
    await view.getByRole('slider').waitFor();
    const [own, other] = [new URL(page.url()), new URL(view.url())];
    expect(other.hostname).toMatch(/-view\.localhost$/);
    expect(other.port).not.toBe(own.port);
    const found = await axeProblems(page.mainFrame());
    expect(found.filter((problem) => !problem.startsWith('moderate: region'))).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('browses notes in their view, by calls that are in the timeline', async () => {
    const server = notesServer({ db: join(emptyFolder(), 'notes.db'), logLevel: 'emergency' });
    const { page } = await openApp(server, 'list_notes');
    await call(page);
    const view = await viewIn(page);
    await view
      .getByRole('button', { name: /Welcome/ })
      .first()
      .click();
    await page.getByRole('treeitem', { name: /tools\/call get_note/ }).waitFor();
    // The view's own calls must not replace the shown call.
    await expect.poll(() => page.getByRole('heading', { name: /list_notes/ }).isVisible()).toBe(true);
  });

  it('sends the view its call and context, and changes of them', async () => {
    const { page, app, view, problems } = await panel();
    await expect.poll(() => view.locator('#told').textContent()).toBe('{"title":"Garden"} shown 1');
    await expect.poll(() => view.locator('#context').textContent()).toBe('light en-US inline  600');
    await page.emulateMedia({ colorScheme: 'dark' });
    await view.getByText('dark en-US inline  600').waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await view.getByText('light en-US inline  600').waitFor();
    await app.getByLabel('Theme').selectOption('dark');
    await app.getByLabel('Locale').fill('de-CH');
    await app.getByLabel('Width').selectOption('320');
    await app.getByLabel('Max height').selectOption('200');
    await view.getByText('dark de-CH inline 320 200').waitFor();
    await expect.poll(async () => (await app.locator('.app-stage').boundingBox())?.width).toBe(320);
    await app.getByLabel('Shown').selectOption('whole window');
    await view.getByText(/fullscreen/).waitFor();
    await expect.poll(async () => (await app.boundingBox())?.width).toBe(1440);
    await app.getByLabel('Shown').selectOption('in the page');
    await view.getByText(/inline/).waitFor();
    await expect
      .poll(() =>
        app.locator('iframe').evaluate((frame) => (frame as unknown as { clientHeight: number }).clientHeight),
      )
      .toBe(180);
    await app.getByLabel('Shown').selectOption('beside the page');
    await app.getByText('The view can be displayed as inline, fullscreen only').waitFor();
    await view.locator('#large').click();
    await view.getByText(/fullscreen/).waitFor();
    await expect.poll(() => app.getByLabel('Shown').inputValue()).toBe('fullscreen');
    expect(problems).toEqual([]);
  });

  it('shows the view while its call runs, and sends the result when it is available', async () => {
    const { page, app } = await openApp(panelServer(), 'late');
    await call(page);
    const view = await viewIn(page);
    await view.getByText('{}', { exact: true }).waitFor();
    await view.locator('#ask').click();
    await view.getByText('{} at last').waitFor();
    await expect.poll(() => app.locator('iframe').count()).toBe(1);
  });

  it('forwards calls, also of tools that are for views only, and logs all messages', async () => {
    const { page, app, view } = await panel();
    await view.locator('#ask').click();
    await view.getByText('from inside').waitFor();
    await page.getByRole('treeitem', { name: /tools\/call inside · by the view/ }).waitFor();
    await app.getByText(/^Messages \d+/).click();
    const log = app.getByRole('list', { name: 'Messages of the view' });
    await log.getByText('ui/initialize:').waitFor();
    await log.getByText('ui/notifications/tool-result').waitFor();
    await log.getByText('tools/call').waitFor();
    await page.getByRole('option', { name: /^inside/ }).click();
    await page.getByText('for views only').waitFor();
    await expect.poll(() => app.count()).toBe(0);
  });

  it('blocks undeclared access, shows what to declare, and is relaxed on request only', async () => {
    const { page, app, view } = await panel();
    await view.locator('#stray').click();
    const findings = app.getByRole('list', { name: 'Stopped or wrong' });
    await findings.getByText('connect-src stopped').waitFor();
    await findings.getByText("csp: { connectDomains: ['https://stray.invalid'] }").waitFor();
    await expect.poll(() => app.getByText('relaxed policy', { exact: true }).count()).toBe(0);
    await view.locator('#make').click();
    await view.getByText('not made').waitFor();
    await findings.getByText(/or show it with "relaxed"/).waitFor();
    await app.getByLabel('Relaxed policy').check();
    await app.getByText('relaxed policy', { exact: true }).waitFor();
    await expect.poll(() => view.isDetached()).toBe(true);
    const relaxed = await viewIn(page);
    await relaxed.getByText('{"title":"Garden"} shown 1').waitFor();
    await relaxed.locator('#make').click();
    await relaxed.getByText('made', { exact: true }).waitFor();
  });

  it('confirms before it opens a link', async () => {
    const { page, app, view } = await panel();
    await view.locator('#link').click();
    const wish = app.getByRole('group', { name: 'The view wants to open a page' });
    await wish.getByText('https://example.invalid/page').waitFor();
    await wish.getByRole('button', { name: 'Refuse' }).click();
    await view.getByText('"isError":true').waitFor();
    expect(page.context().pages()).toHaveLength(1);
  });

  it('reloads a view with the stored result, and ends one that loops', async () => {
    const { page, app, view } = await panel();
    await app.getByRole('button', { name: 'Reload', exact: true }).click();
    await expect.poll(() => view.isDetached()).toBe(true);
    const again = await viewIn(page);
    await again.getByText('{"title":"Garden"} shown 1').waitFor();
    await page.reload();
    const third = await viewIn(page);
    await third.getByText('{"title":"Garden"} shown 1').waitFor();
    await third.evaluate('setTimeout(() => { for (;;); })');
    await app.getByRole('button', { name: 'Kill' }).click();
    await app.getByText('○ ended').waitFor();
    await expect.poll(() => app.locator('iframe').count()).toBe(0);
    await app.getByRole('button', { name: 'Reload', exact: true }).click();
    await (await viewIn(page)).getByText('shown 1').waitFor();
  });

  it('requests a teardown before it removes a view, and waits for it (AH-12)', async () => {
    const { page, view } = await asking();
    const farewells = page.getByRole('treeitem', { name: /tools\/call farewell · by the view/ });
    await page.getByRole('option', { name: /^farewell/ }).click();
    await expect.poll(() => farewells.count()).toBe(1);
    await expect.poll(() => view.isDetached()).toBe(true);
    await page.getByRole('option', { name: /^asking/ }).click();
    const again = await viewIn(page);
    await again.getByText(/tool-result/).waitFor();
    await page.getByRole('button', { name: 'Reload', exact: true }).click();
    await expect.poll(() => farewells.count()).toBe(2);
    await expect.poll(() => again.isDetached()).toBe(true);
    await (await viewIn(page)).getByText(/tool-result/).waitFor();
  });

  it('allows the page to frame nothing but the sandbox', async () => {
    const { page } = await panel();
    const response = await page.request.get(page.url().split('#')[0] ?? '');
    const policy = response.headers()['content-security-policy'] ?? '';
    expect(policy).toMatch(/frame-src http:\/\/\*\.localhost:\d+;/);
  });

  it('notifies views of changed lists of the server', async () => {
    const { view, server, problems } = await asking();
    await expect.poll(() => view.locator('#heard').textContent()).not.toContain('list_changed');
    server.tools.add(tool('umbrella', {}, () => 'open'));
    await view.getByText(/list_changed/).waitFor();
    expect(problems).toEqual([]);
  });

  it('grants no permission that a view requests until a person does (AH-13)', async () => {
    const { page, app, view } = await asking();
    const allowed = "['geolocation', 'clipboard-write'].filter((name) => document.featurePolicy.allowsFeature(name))";
    await app.getByText('May reach https://weather.invalid').waitFor();
    const asked = app.getByRole('group', { name: 'It asks for' });
    await expect.poll(() => asked.getByRole('checkbox').count()).toBe(2);
    await expect.poll(() => asked.getByRole('checkbox', { checked: true }).count()).toBe(0);
    expect(await view.evaluate(allowed)).toEqual([]);
    await asked.getByLabel('location').check();
    await app.getByText('granted: geolocation').waitFor();
    await expect.poll(() => view.isDetached()).toBe(true);
    const again = await viewIn(page);
    await again.getByText(/tool-result/).waitFor();
    expect(await again.evaluate(allowed)).toEqual(['geolocation']);
  });

  it('lets a person answer sampling requests of a view, after a confirmation', async () => {
    const { page, app, view } = await asking();
    await view.getByText(/sampling/).waitFor();
    await view.locator('#model').click();
    const wish = app.getByRole('group', { name: 'The view wants to ask for answers of a model' });
    await wish.getByRole('button', { name: 'Refuse' }).click();
    await view.getByText('The person does not want that').waitFor();
    await view.locator('#model').click();
    await wish.getByRole('button', { name: 'Let it' }).click();
    const question = page.getByRole('region', { name: 'Question of apps' });
    await question.getByText('A view of apps asks for a model response').waitFor();
    await question.getByText('A word for rain?').waitFor();
    await question.getByLabel('The answer').fill('Drizzle');
    await question.getByRole('button', { name: 'Answer', exact: true }).click();
    await view.getByText('Drizzle').waitFor();
    await app.getByText(/^Messages \d+/).click();
    await app.getByText('sampling/createMessage:').first().waitFor();
    await expect.poll(() => wish.count()).toBe(0);
    await expect.poll(() => question.count()).toBe(0);
  });

  it('shows log messages of a view, and runs it without an origin on request', async () => {
    const { page, app, view } = await asking();
    await view.locator('#log').click();
    await app.getByRole('list', { name: 'Log of the view' }).getByText('It rains').waitFor();
    await view.locator('#who').click();
    await view.getByText(/^I am http.*-view\.localhost/).waitFor();
    await app.getByLabel('Without an origin').check();
    await expect.poll(() => view.isDetached()).toBe(true);
    const opaque = await viewIn(page);
    await opaque.locator('#who').click();
    await opaque.getByText('I am null').waitFor();
  });

  it('sends edited messages again, in both directions, and new ones (AH-17)', async () => {
    const { page, app, view, problems } = await panel();
    await view.locator('#ask').click();
    await view.getByText('from inside').waitFor();
    await app.getByText(/^Messages \d+/).click();
    const writer = app.getByRole('group', { name: 'Write a message' });
    const write = async (message: object) => {
      await writer.locator('.cm-content').click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(JSON.stringify(message));
    };
    const log = app.getByRole('list', { name: 'Messages of the view' });
    await log.getByRole('button', { name: 'Edit ui/notifications/tool-result' }).click();
    const result = { content: [{ type: 'text', text: 'edited' }] };
    await write({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: result });
    await writer.getByRole('button', { name: 'Send to the view' }).click();
    await view.getByText('shown 1 edited').waitFor();

    await log.getByRole('button', { name: 'Edit tools/call' }).click();
    await writer.getByText('again-').waitFor();
    await write({
      jsonrpc: '2.0',
      id: 'x',
      method: 'tools/call',
      params: { name: 'panel', arguments: { title: 'Pond' } },
    });
    await writer.getByRole('button', { name: 'Send as the view' }).click();
    await page.getByRole('treeitem', { name: /tools\/call panel · by the view/ }).waitFor();
    await log.getByText('result x').waitFor();

    await app.getByLabel('Tell the view').selectOption('another place');
    await writer.getByRole('button', { name: 'Send to the view' }).click();
    await view.getByText(/^dark/).waitFor();
    await write({ not: 'closed' });
    await page.keyboard.press('Backspace');
    await writer.getByText('This is no JSON.').waitFor();
    await expect.poll(() => writer.getByRole('button', { name: 'Send to the view' }).isDisabled()).toBe(true);
    expect(problems).toEqual([]);
  });

  it('restores views when the inspector restarts', async () => {
    const target = await overHttp('apps', panelServer());
    const token = 'a-token-of-the-test';
    const port = await freePort();
    const first = await serveInspector({ port, token, targets: [target] });
    const window = await openWindow({ viewport: { width: 1440, height: 900 } });
    const page = await window.newPage();
    await page.goto(first.url);
    await page.getByRole('option', { name: /^panel/ }).click();
    await call(page);
    const before = await viewIn(page);
    const view = page.getByRole('region', { name: 'View', exact: true }).frameLocator('iframe').frameLocator('iframe');
    await first.close();
    await page.getByText('The inspector does not respond.').waitFor();
    const second = await serveInspector({ port, token, targets: [target] });
    onTestFinished(() => second.close());
    await expect.poll(() => before.isDetached()).toBe(true);
    await page.getByRole('heading', { name: 'panel' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /▶ Call/ }).isEnabled()).toBe(true);
    await call(page);
    await view.getByText('shown 2').waitFor();
  });
});
