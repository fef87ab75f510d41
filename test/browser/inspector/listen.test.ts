import { createServer, prompt, resource, type Server, template, tool } from '@ccmcp/core';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../support/ccmcp.ts';
import { hasChromium } from '../../support/chromium.ts';
import { openInspector, overHttp } from './open-inspector.ts';
import { seriousProblems } from '../support/axe.ts';

function dish(about: string, plates: number) {
  const input = { type: 'object', properties: { plates: { type: 'integer', maximum: plates } } } as const;
  return tool('dish', { description: about, input }, () => 'served');
}

const tray = tool('tray', { description: 'To carry it' }, () => 'a tray');

/** A server whose lists and resources change. */
function canteen(): { server: Server; write: (text: string) => void; readings: () => number; hold: () => () => void } {
  let board = 'Monday\n\nsoup\nbread\n\nopen until ten';
  let readings = 0;
  let held = Promise.resolve();
  const server = createServer({
    name: 'canteen',
    version: '1.0.0',
    tools: [dish('A dish of the day', 4), tray],
    resources: [
      resource('canteen://board', { name: 'board' }, async () => {
        readings += 1;
        await held;
        return board;
      }),
      resource('canteen://oven', { name: 'oven' }, () => JSON.stringify({ degrees: 210, door: 'shut' })),
    ],
    templates: [template('canteen://table/{number}', { name: 'table' }, ({ number }) => `Table ${String(number)}`)],
    prompts: [prompt('order', { title: 'Order', arguments: {} }, () => 'What is there?')],
  });
  return {
    server,
    readings: () => readings,
    hold() {
      let release: () => void = () => {};
      held = new Promise<void>((resolve) => {
        release = resolve;
      });
      return release;
    },
    write(text) {
      board = text;
      server.resources.updated('canteen://board');
    },
  };
}

function changeMuch({ tools, resources, templates, prompts }: Server): void {
  tools.remove('dish');
  tools.remove('tray');
  tools.add(
    dish('A dish of the week', 6),
    tool('cake', { description: 'Sweet' }, () => 'a cake'),
  );
  resources.remove('canteen://oven');
  templates.remove('canteen://table/{number}');
  templates.add(template('canteen://seat/{number}', { name: 'seat' }, ({ number }) => `Seat ${String(number)}`));
  prompts.remove('order');
  prompts.add(prompt('order', { title: 'Order now', arguments: {} }, () => 'What is there?'));
}

/** Connects in an era, and opens the listen page. */
async function listening(server: Server, era: string, { folder = emptyFolder(), window = {} }: Surroundings = {}) {
  const targets = [await overHttp('canteen', server, 'configured')];
  const { page, problems } = await openInspector({ folder, targets }, window);
  await page.getByText('Revision, headers and capabilities').click();
  await page.getByLabel('Revision').selectOption(era);
  await page.getByRole('button', { name: /^canteen/ }).click();
  await page.getByRole('option', { name: /^tray/ }).waitFor();
  await page.evaluate("location.hash = '#/canteen/listen'");
  const subscriptions = page.getByRole('region', { name: 'Subscriptions' });
  await subscriptions.getByText('● open').first().waitFor();
  const board = subscriptions.getByRole('listitem').filter({ hasText: 'canteen://board' }).getByText('● open');
  return { page, problems, board, heard: page.getByRole('region', { name: 'Heard' }) };
}

interface Surroundings {
  folder?: string;
  window?: BrowserContextOptions;
}

describe.skipIf(!hasChromium).each(['stateless', 'handshake'])('what is heard of changes (%s)', (era) => {
  it('shows additions, removals and changes in each list, and the differences of definitions', async () => {
    const { server } = canteen();
    const { page, problems, heard } = await listening(server, era);
    await heard.getByText('No changes yet.').waitFor();
    changeMuch(server);

    const tools = heard.getByRole('button', { name: /list of tools/ }).first();
    await expect.poll(() => tools.innerText()).toMatch(/\+ cake\s+− tray\s+≠ dish/);
    await expect
      .poll(() =>
        heard
          .getByRole('button', { name: /list of prompts/ })
          .first()
          .innerText(),
      )
      .toMatch(/≠ order/);
    const resources = heard.getByRole('button', { name: /list of resources/ }).first();
    await expect.poll(() => resources.innerText()).toMatch(/− canteen:\/\/oven/);
    await expect.poll(() => resources.innerText()).toMatch(/\+ canteen:\/\/seat\/\{number\}/);

    await tools.click();
    const entries = heard.getByRole('region', { name: 'tools that changed' });
    const differences = entries.getByRole('list', { name: '2 differences' });
    await differences.getByText('A dish of the week').waitFor();
    await expect.poll(() => differences.innerText()).toMatch(/description[^]*day[^]*week[^]*maximum\s+4\s+6/);
    await entries.getByRole('button', { name: 'added cake' }).click();
    await entries.getByText('"Sweet"').waitFor();

    await expect.poll(() => page.url()).toMatch(/#\/canteen\/listen\/\d+$/);
    await page.reload();
    await differences.getByText('A dish of the week').waitFor();
    await entries.getByRole('button', { name: 'Go to it, dish' }).click();
    await page.getByRole('heading', { name: 'dish', exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('shows line by line what changed in a subscribed resource', async () => {
    const { server, write, readings } = canteen();
    const { page, problems, heard, board } = await listening(server, era);
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Resources/ })
      .click();
    await page.getByRole('option', { name: /canteen:\/\/board/ }).click();
    await page.getByRole('button', { name: 'Listen for changes' }).click();
    await expect.poll(() => page.getByLabel('Resources', { exact: true }).inputValue()).toBe('canteen://board');
    await page.getByRole('main').getByRole('button', { name: 'Listen', exact: true }).click();
    await board.waitFor();
    await expect.poll(readings).toBe(1);

    write('Monday\n\nsoup\nfish\n\nopen until ten');
    const row = heard.getByRole('button', { name: /resource .*canteen:\/\/board/ });
    await expect.poll(() => row.first().innerText()).toContain('≠ changed');
    await row.first().click();
    const differences = heard.getByRole('list', { name: '1 differences' });
    await expect.poll(() => differences.locator('del').allInnerTexts()).toEqual(['− bread']);
    await expect.poll(() => differences.locator('ins').allInnerTexts()).toEqual(['+ fish']);
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('received changes', () => {
  it('offer to read a resource that is not read automatically', async () => {
    const { server, write, hold } = canteen();
    const { page, heard, board } = await listening(server, 'stateless');
    await page.getByLabel('Resources', { exact: true }).fill('canteen://board');
    await page.getByLabel(/read them now and on every/).uncheck();
    await page.getByRole('main').getByRole('button', { name: 'Listen', exact: true }).click();
    await board.waitFor();
    write('Tuesday');
    const row = heard.getByRole('button', { name: /resource .*canteen:\/\/board/ });
    await row.getByText('not read since').waitFor();
    await row.click();
    await heard.getByText('It was never read').waitFor();
    await heard.getByRole('button', { name: 'Read it' }).click();
    await heard.getByText('there is nothing to compare').waitFor();
    write('Wednesday');
    await expect.poll(() => row.count()).toBe(2);
    await row.first().click();
    await heard.getByText('Reading it shows what changed').waitFor();
    const release = hold();
    await heard.getByRole('button', { name: 'Read it' }).click();
    await heard.getByText('It is being read').waitFor();
    release();
    await heard.getByRole('list', { name: '1 differences' }).getByText('Tuesday').waitFor();
    await heard.getByRole('list', { name: '1 differences' }).getByText('Wednesday').waitFor();
  });

  it('show a notification without a difference', async () => {
    const { server } = canteen();
    const { heard } = await listening(server, 'stateless');
    server.tools.remove('tray');
    server.tools.add(tray);
    const row = heard.getByRole('button', { name: /list of tools no differences/ });
    await row.click();
    await heard.getByText('Its tools are the same as before.').waitFor();
    await expect.poll(() => heard.getByRole('region', { name: 'tools that changed' }).count()).toBe(0);
  });

  it('are usable with the keyboard, in a narrow window and in the dark', async () => {
    const { server } = canteen();
    const window = { viewport: { width: 420, height: 800 }, colorScheme: 'dark' } as const;
    const { page, heard } = await listening(server, 'stateless', { window });
    changeMuch(server);
    const rows = heard.locator('.change-row');
    await heard.getByRole('button', { name: /list of tools .*cake/ }).waitFor();
    await heard.getByRole('button', { name: /list of prompts .*order/ }).waitFor();
    await heard.getByRole('button', { name: /list of resources .*oven/ }).waitFor();
    await expect.poll(() => heard.getByText('reloading').count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await heard.locator('li:nth-child(2) > .change-row:focus').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.nth(1).getAttribute('aria-expanded')).toBe('true');
    await heard
      .getByRole('region', { name: /that changed/ })
      .first()
      .waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => rows.nth(1).getAttribute('aria-expanded')).toBe('false');
  });

  it('are in a recording, with the differences', async () => {
    const { server, write, readings } = canteen();
    const folder = emptyFolder();
    const { page, heard, board } = await listening(server, 'stateless', { folder });
    await page.getByRole('button', { name: '● Record', exact: true }).click();
    await page.getByLabel('Resources', { exact: true }).fill('canteen://board');
    await page.getByRole('main').getByRole('button', { name: 'Listen', exact: true }).click();
    await board.waitFor();
    await expect.poll(readings).toBe(1);
    changeMuch(server);
    await heard.getByRole('button', { name: /list of tools .*cake/ }).waitFor();
    write('Monday\nclosed');
    await heard.getByRole('button', { name: /resource .*changed/ }).waitFor();
    await page.getByRole('button', { name: /Stop recording/ }).click();
    await expect.poll(() => readdirSync(join(folder, '.ccmcp/recordings'))).toHaveLength(1);
    await page.getByRole('button', { name: '● Record', exact: true }).waitFor();

    const file = join(folder, '.ccmcp/recordings', readdirSync(join(folder, '.ccmcp/recordings'))[0] ?? '');
    const { page: later, problems } = await openInspector({ folder: emptyFolder() });
    await later.getByRole('button', { name: 'Saved and recorded' }).click();
    await later.getByLabel('Open a recording from a file').setInputFiles(file);
    await later.getByText('This is the recording').waitFor();
    await later.getByRole('navigation', { name: 'Servers' }).getByRole('button', { name: 'Listen' }).click();
    const told = later.getByRole('region', { name: 'Heard' });
    await told.getByRole('button', { name: /list of tools .*cake/ }).click();
    await told.getByText('A dish of the week').waitFor();
    await told.getByRole('button', { name: /resource .*changed/ }).click();
    await told.getByText('+ closed').waitFor();
    expect(problems).toEqual([]);
  });
});
