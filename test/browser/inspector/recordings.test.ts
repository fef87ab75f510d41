import { createServer, type Server, tool } from '@ccmcp/core';
import { skills } from '@ccmcp/core/skills';
import { tasks } from '@ccmcp/core/tasks';
import { serveInspector } from '@ccmcp/inspector';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder } from '../../support/ccmcp.ts';
import { hasChromium } from '../../support/chromium.ts';
import { freePort } from '../../support/free-port.ts';
import { seriousProblems } from '../support/axe.ts';
import { openInspector, overHttp } from './open-inspector.ts';

/** A server with something in every part of a recording. */
function atelier(): Server {
  return createServer({
    name: 'atelier',
    version: '1.0.0',
    extensions: [
      tasks(),
      skills({
        'glaze/SKILL.md': '---\nname: glaze\ndescription: Glazes pots. Use for each pot.\n---\nDip it **twice**.\n',
      }),
    ],
    tools: [
      tool(
        'fire',
        { description: 'Fires a pot.', input: { type: 'object', properties: { pot: { type: 'string' } } } as const },
        ({ pot }) => `${pot ?? 'It'} is hard now. ${'x'.repeat(20_000)}`,
      ),
      tool('dry', { description: 'Takes its time.', task: 'required', pollMs: 50 }, () => 'Dry.'),
    ],
  });
}

async function call(page: Page, name: string): Promise<void> {
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('button', { name: '▶ Call' }).click();
  await page.getByRole('region', { name: 'Result' }).getByText('✓ done').waitFor();
}

/** Records a session with the server above; returns the file. */
async function recordSession(): Promise<string> {
  const folder = emptyFolder();
  const { page, close } = await openInspector({ folder, targets: [await overHttp('atelier', atelier())] });
  await page.getByRole('option', { name: /^fire/ }).click();
  await page.getByLabel('pot').fill("the potter's");
  await page.waitForURL(/potter/);
  await call(page, 'fire');
  await call(page, 'dry');
  await page.getByRole('button', { name: 'Skills' }).click();
  await page.getByRole('button', { name: /^glaze/ }).click();
  await page.getByText('twice').waitFor();
  await page.getByRole('button', { name: 'Record', exact: false }).last().click();
  await page.getByRole('button', { name: /Stop recording/ }).click();
  await expect.poll(() => readdirSync(join(folder, '.ccmcp/recordings'))).toHaveLength(1);
  await page.getByRole('button', { name: '● Record', exact: true }).waitFor();
  await close();
  return join(folder, '.ccmcp/recordings', readdirSync(join(folder, '.ccmcp/recordings'))[0] ?? '');
}

/** Another inspector, in which the ids of the recording name other things. */
async function openRecording(file: string) {
  const called: string[] = [];
  const other = createServer({
    name: 'shop',
    version: '1.0.0',
    tools: [tool('fire', {}, () => called.push('fire') && 'Burnt.'), tool('bake', {}, () => 'Baked.')],
  });
  const inspector = await openInspector(
    { folder: emptyFolder(), targets: [await overHttp('shop', other)] },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
  const { page } = inspector;
  await call(page, 'bake');
  await page.getByRole('button', { name: 'Saved and recorded' }).click();
  await page.getByLabel('Open a recording from a file').setInputFiles(file);
  await page.getByText('This is the recording').waitFor();
  return { ...inspector, called };
}

describe.skipIf(!hasChromium)('a restarted inspector', () => {
  it('records from its start, and shows the current lists', async () => {
    const token = 'the-same-token-as-before';
    const bowls = createServer({ name: 'bowls', version: '1', tools: [tool('bowl', {}, () => 'A bowl.')] });
    const plates = createServer({ name: 'plates', version: '1', tools: [tool('plate', {}, () => 'A plate.')] });
    const folder = emptyFolder();
    const port = await freePort();
    const first = await openInspector({ folder, token, port, targets: [await overHttp('pots', bowls)] });
    const { page } = first;
    await page.getByRole('option', { name: /^bowl/ }).waitFor();
    await first.close();
    const second = await serveInspector({ folder, token, port, targets: [await overHttp('pots', plates)] });
    onTestFinished(() => second.close());
    await page.getByRole('option', { name: /^plate/ }).waitFor();
    await expect.poll(() => page.getByRole('option', { name: /^bowl/ }).count()).toBe(0);
    await page.getByRole('button', { name: '● Record', exact: true }).click();
    await page.getByRole('button', { name: /Stop recording/ }).click();
    await page.getByRole('button', { name: 'Saved and recorded' }).click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('This is the recording').waitFor();
    await page
      .getByRole('navigation', { name: 'Servers' })
      .getByRole('button', { name: /^Tools/ })
      .click();
    await page.getByRole('option', { name: /^plate/ }).waitFor();
  });
});

describe.skipIf(!hasChromium)('a recording that is opened on another inspector', () => {
  it('shows lists, calls, tasks, skills and the connection, and allows no call', async () => {
    const { page, problems, called } = await openRecording(await recordSession());
    const servers = page.getByRole('navigation', { name: 'Servers' });
    await page.getByText('atelier 1.0.0').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Reconnect' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Diagnose the connection' }).isDisabled()).toBe(true);
    expect(await seriousProblems(page)).toEqual([]);

    await servers.getByRole('button', { name: /^Tools/ }).click();
    await page.getByRole('option', { name: /^fire/ }).click();
    await page.getByText("the potter's is hard now").first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: '▶ Call' }).isDisabled()).toBe(true);
    await page.keyboard.press('Control+Enter');

    await servers.getByRole('button', { name: /^Tasks/ }).click();
    await page.getByText('completed').first().waitFor();
    await servers.getByRole('button', { name: /^Skills/ }).click();
    await page.getByRole('button', { name: /^glaze/ }).click();
    await page.getByText('twice').waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /Back to live/ }).waitFor();
    await expect.poll(() => page.getByRole('option', { name: /^Connect|Record everything|Ping/ }).count()).toBe(0);
    await page.getByRole('option', { name: /Back to live/ }).click();
    await servers.getByText('shop').waitFor();
    expect(called).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('exports a command, cURL, a test, and the result', async () => {
    const { page } = await openRecording(await recordSession());
    await page
      .getByRole('navigation', { name: 'Servers' })
      .getByRole('button', { name: /^Tools/ })
      .click();
    await page.getByRole('option', { name: /^fire/ }).click();
    const result = page.getByRole('region', { name: 'Result' });
    const copy = async (name: string): Promise<void> => {
      await result.getByRole('button', { name: /^Cop(?:y|ied)$/ }).click();
      await result.getByRole('button', { name }).click();
    };
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    await copy('as a command');
    await expect.poll(clipboard).toBe(`ccmcp call atelier fire 'pot=the potter'\\''s'`);
    await copy('as cURL');
    await expect.poll(clipboard).toMatch(/^curl -sN http:\/\/127\.0\.0\.1:\d+\/mcp [^]*"tools\/call"/);
    await copy('as a test');
    await expect.poll(clipboard).toContain('client.callTool("fire"');
    await copy('the result as JSON');
    await expect.poll(clipboard).toContain("the potter's is hard now");
  });
});
