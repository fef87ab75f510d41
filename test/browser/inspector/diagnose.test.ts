import { createServer, tool } from '@ccmcp/core';
import { oauth, serveHttp } from '@ccmcp/core/http';
import { authorizationServer } from '@ccmcp/core/testing';
import type { Locator } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasChromium, openWindow } from '../../support/chromium.ts';
import { freePort } from '../../support/free-port.ts';
import { inspect } from './command.ts';

/** Clicks through the steps until something appears. */
async function stepsUntil(steps: Locator, there: Locator): Promise<void> {
  const next = steps.getByRole('button', { name: /^Next/ });
  for (;;) {
    await next.or(there).first().waitFor();
    if (await there.isVisible()) return;
    const name = await next.textContent();
    const step = steps.getByRole('button', { name: name ?? '', exact: true });
    await step.click();
    await step.waitFor({ state: 'detached' });
  }
}

describe.skipIf(!hasChromium)('ccmcp inspect', () => {
  it('confirms before it starts a typed program, and shows its command', async () => {
    const { page } = await inspect([]);
    await page.getByLabel(/^Server: an address/).fill('node -e 0');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Start a program?' });
    await question.getByText('node -e 0').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => question.count()).toBe(0);
  });

  it('offers the last connections, and confirms again before it starts a program', async () => {
    const { page, folder } = await inspect([]);
    const script = "process.stdin.once('end', () => {}).resume()";
    const typed = `node -e ${JSON.stringify(script)}`;
    await page.getByLabel(/^Server: an address/).fill(typed);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'Start it' }).click();
    await page.getByText('connecting').first().waitFor();

    const { page: later } = await inspect([], {}, folder);
    await later.getByRole('region', { name: 'Last time' }).getByRole('button', { name: 'node -e' }).click();
    const question = later.getByRole('alertdialog', { name: 'Start a program?' });
    await expect.poll(() => question.textContent()).toContain(script);

    // A link asks for confirmation too.
    await question.getByRole('button', { name: 'Cancel' }).click();
    await later.goto(`${later.url().split('#')[0]}#/${encodeURIComponent(typed)}/tools`);
    await later.getByRole('button', { name: /^Connect node -e/ }).click();
    await question.getByText(script).waitFor();
    await question.getByRole('button', { name: 'Start it' }).click();
    await later.getByText('connecting').first().waitFor();
  });

  it('diagnoses a reachable server and an unreachable one', async () => {
    const server = createServer({ name: 'fine', version: '1', tools: [tool('hello', {}, () => 'hello')] });
    const service = await serveHttp(server);
    onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
    const { page } = await inspect([service.url]);
    await page.getByRole('option', { name: /^hello/ }).waitFor();
    await page.getByRole('button', { name: 'Connection' }).click();
    await page.getByRole('button', { name: 'Diagnose the connection' }).click();
    const examination = page.getByRole('region', { name: 'Diagnosis' });
    await examination.getByText('No problems found.').waitFor();
    await expect.poll(() => examination.getByRole('listitem').count()).toBeGreaterThan(2);

    await page.getByRole('button', { name: 'Add a server' }).click();
    await page.getByLabel(/^Server: an address/).fill('http://127.0.0.1:9/mcp');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'Diagnose the connection' }).click();
    await examination.getByRole('img', { name: 'wrong' }).first().waitFor();
  });

  it('walks through signing in, step by step, up to the tools', async () => {
    const by = await authorizationServer();
    const server = createServer({ name: 'guarded', version: '1', tools: [tool('secret', {}, () => 'told')] });
    const port = await freePort();
    const resource = `http://127.0.0.1:${port}/mcp`;
    const service = await serveHttp(server, { port, resource, auth: oauth({ issuer: by.issuer }) });
    onTestFinished(async () => {
      await service.close({ graceMs: 0, lingerMs: 0 });
      await by.close();
    });
    const { page } = await inspect([service.url]);
    await page.getByRole('navigation').getByRole('img', { name: 'sign in' }).waitFor();
    await page.getByRole('button', { name: 'Step by step' }).click();
    const steps = page.getByRole('region', { name: 'Sign in' });
    const link = steps.getByRole('link', { name: 'Open the sign-in page' });
    await stepsUntil(steps, link);
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.waitForLoadState();
    const tools = page.getByRole('navigation').getByRole('button', { name: /^Tools/ });
    await stepsUntil(steps, tools);
    await tools.click();
    await page.getByRole('option', { name: /^secret/ }).waitFor();
    await expect
      .poll(() => page.getByRole('navigation').getByRole('img', { name: 'connected' }).isVisible())
      .toBe(true);
  });

  it('shows the skill of notes, with files that match the list', async () => {
    const { page } = await inspect(['notes']);
    await page.getByRole('navigation').getByRole('button', { name: 'Skills' }).click();
    await page.locator('.skill-row').first().click();
    await page.getByText('✓ as listed').first().waitFor();
    await expect.poll(() => page.getByText('✕ wrong').count()).toBe(0);
    await expect
      .poll(() => page.getByRole('region', { name: 'SKILL.md' }).locator('.markdown').innerText())
      .toMatch(/\w/);
  });
});

describe.skipIf(!hasChromium)('an inspector that a server has mounted', () => {
  it('diagnoses how others reach that server, and its other connections', async () => {
    const server = createServer({ name: 'mine', version: '1', tools: [tool('hello', {}, () => 'hello')] });
    const { url, inspectorUrl = '', close } = await serveHttp(server, { inspector: true });
    onTestFinished(() => close({ graceMs: 0, lingerMs: 0 }));
    const window = await openWindow({ viewport: { width: 1440, height: 900 } });
    const page = await window.newPage();
    await page.goto(inspectorUrl);
    await page.getByRole('option', { name: /^hello/ }).waitFor();
    await page.getByRole('button', { name: 'Connection' }).click();
    const examination = page.getByRole('region', { name: 'Diagnosis' });
    await examination.getByText(`at ${url}; here it is called in its own process`).waitFor();
    await examination.getByRole('button', { name: 'Diagnose its public URL' }).click();
    await examination.getByText('No problems found.').waitFor();
    const steps = await examination.getByRole('listitem').allInnerTexts();
    expect(steps.map((step) => step.split('\n')[1])).toEqual(
      expect.arrayContaining(['name', 'port', 'endpoint', 'protocol', 'stream', 'other era']),
    );

    await page.getByRole('button', { name: 'Add a server' }).click();
    await page.getByRole('main').getByRole('button', { name: url }).click();
    await page.getByRole('option', { name: /^hello/ }).waitFor();
    await page.getByRole('button', { name: 'Connection' }).click();
    await examination.getByRole('button', { name: 'Diagnose the connection' }).click();
    await examination.getByText('No problems found.').waitFor();

    await page.getByRole('button', { name: 'Add a server' }).click();
    await page.getByLabel(/^Server: an address/).fill('http://127.0.0.1:9/mcp');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await examination.getByRole('button', { name: 'Diagnose the connection' }).click();
    await examination.getByRole('img', { name: 'wrong' }).first().waitFor();
    await examination.getByText('Is the server running').waitFor();
  });
});
