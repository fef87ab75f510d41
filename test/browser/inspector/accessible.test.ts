import { tool } from '@ccmcp/core';
import type { OfferedTarget } from '@ccmcp/inspector';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { sampleServer } from './sample-server.ts';
import { openInspector, overHttp } from './open-inspector.ts';
import { seriousProblems } from '../support/axe.ts';

type State = (page: Page, server: ReturnType<typeof sampleServer>) => Promise<unknown>;

const call = async (page: Page, name: string) => {
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
  await page.getByRole('button', { name: '▶ Call' }).click();
};

/** States of the page, and how to reach each from the list of tools without a selection. */
const states = {
  'nothing chosen': (page) => page.getByText('Order first').waitFor(),
  'a server to be added': async (page) => {
    await page.getByRole('button', { name: 'Add a server' }).click();
    await page.getByText('Revision, headers and capabilities').click();
  },
  'a connection that failed': async (page) => {
    await page.getByRole('button', { name: /^failed broken/ }).click();
    await page.getByRole('alert').waitFor();
  },
  'a form, tried too early': async (page) => {
    await page.getByRole('option', { name: /^order/ }).click();
    await page.getByLabel('title').fill('S');
    await page.getByRole('main').getByRole('alert').first().waitFor();
    await page.getByRole('button', { name: '▶ Call' }).click();
    await page.getByRole('button', { name: '▶ Call anyway' }).waitFor();
  },
  'a table': async (page) => {
    await call(page, 'menu');
    await page.getByRole('tab', { name: /^Table/ }).click();
  },
  'a tool that failed': async (page) => {
    await call(page, 'burn');
    await page.getByText('the tool failed').waitFor();
  },
  'a call that runs': async (page) => {
    await call(page, 'stew');
    await page.getByText('Running').waitFor();
  },
  'a form in a call': async (page) => {
    await call(page, 'reserve');
    await page.getByRole('region', { name: 'Question of kitchen' }).waitFor();
  },
  'a model asked in a call': async (page) => {
    await call(page, 'taste');
    await page.getByRole('region', { name: 'Question of kitchen' }).waitFor();
  },
  'a question elsewhere': async (page) => {
    await call(page, 'reserve');
    await page.getByRole('region', { name: 'Question of kitchen' }).waitFor();
    await page.getByRole('option', { name: /^menu/ }).click();
    await askedElsewhere(page, 'kitchen asks in reserve');
  },
  'two results compared': async (page) => {
    await call(page, 'menu');
    await page.getByText('schema ✓').waitFor();
    await page.getByRole('button', { name: '▶ Call' }).click();
    await page.getByText('2 of 2').waitFor();
    await page.getByRole('button', { name: 'Compare with another call' }).click();
    await page.getByRole('button', { name: /^with call 1/ }).click();
    await page.getByRole('region', { name: 'Difference' }).waitFor();
  },
  'what can be copied': async (page) => {
    await call(page, 'menu');
    await page.getByText('schema ✓').waitFor();
    await page.keyboard.press('c');
  },
  'a list that changed': async (page, server) => {
    server.tools.add(tool('dessert', { description: 'Sweet' }, () => 'cake'));
    await page.getByText('The list changed:').click();
  },
  'the timeline with a message': async (page) => {
    await call(page, 'menu');
    await page.getByText('schema ✓').waitFor();
    await page.getByRole('button', { name: 'Whole window' }).click();
    await page.getByRole('treeitem', { name: /tools\/call/ }).click();
    await page.getByRole('complementary', { name: 'Message' }).waitFor();
  },
  'the connection': async (page) => {
    await page.getByRole('button', { name: 'Connection' }).click();
    await page.getByText('Other connection settings').click();
  },
  'what is listened to': async (page) => {
    await page.getByRole('navigation').getByRole('button', { name: 'Listen' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Listen' }).click();
    await page.getByText('● open').first().waitFor();
  },
  'what was heard': async (page, server) => {
    await page.getByRole('navigation').getByRole('button', { name: 'Listen' }).click();
    await page.getByText('● open').first().waitFor();
    server.tools.remove('burn');
    server.tools.add(tool('burn', { description: 'Fails at times.' }, () => 'burnt'));
    await page.getByRole('button', { name: /list of tools .*burn/ }).click();
    await page.getByText('Fails at times.').waitFor();
  },
  'what is saved': (page) => page.getByRole('button', { name: 'Saved and recorded' }).click(),
  'command palette': async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
  },
  'all keys': async (page) => {
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  },
} satisfies Readonly<Record<string, State>>;

const broken: OfferedTarget = {
  label: 'broken',
  kind: 'url',
  origin: 'given',
  resolve: async () => ({ kind: 'url', url: 'http://127.0.0.1:9/mcp', label: 'broken' }),
};

// The second is a common window size at 200 %.
const looks = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 720, height: 450, colorScheme: 'light' },
  { width: 420, height: 800, colorScheme: 'dark' },
] as const;

/** The states in the order of visits in one page. A pending question and a maximized timeline come last. */
const visits = {
  'servers and connections': [
    'nothing chosen',
    'a server to be added',
    'a connection that failed',
    'the connection',
    'what is saved',
    'a form in a call',
  ],
  'forms and results': [
    'a form, tried too early',
    'two results compared',
    'what can be copied',
    'a table',
    'a tool that failed',
    'a model asked in a call',
  ],
  'changes and what waits': [
    'a list that changed',
    'what is listened to',
    'what was heard',
    'a call that runs',
    'a question elsewhere',
  ],
  'windows above the page and the timeline': ['command palette', 'all keys', 'the timeline with a message'],
} as const;

describe.skipIf(!hasChromium)('with assistive technology and large text, the inspector is usable', () => {
  it('in every state', () => {
    expect(Object.values(visits).flat().sort()).toEqual(Object.keys(states).sort());
  });

  it.each(Object.entries(visits))('with %s', async (_, names) => {
    const server = sampleServer();
    const { page } = await openInspector({ targets: [await overHttp('kitchen', server), broken] });
    const found: string[] = [];
    for (const name of names) {
      await page.getByRole('option', { name: /^menu/ }).waitFor();
      await states[name](page, server);
      for (const { width, height, colorScheme } of looks) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        found.push(...(await seriousProblems(page)).map((problem) => `${name}, ${width} ${colorScheme}: ${problem}`));
        const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (wider > 0) found.push(`${name}, ${width}: wider than the window by ${wider}`);
      }
      await backToTools(page);
    }
    expect(found).toEqual([]);
  });
});

/** Closes dialogs, and returns to the start state. */
async function backToTools(page: Page): Promise<void> {
  const { width, height, colorScheme } = looks[0];
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  if ((await page.getByRole('dialog').count()) > 0) await page.keyboard.press('Escape');
  await page.evaluate("location.hash = '#/kitchen/tools'");
}

/** Waits until this is the only question in the tray. */
async function askedElsewhere(page: Page, question: string): Promise<void> {
  const listed = page.getByRole('complementary', { name: 'Questions' }).getByRole('paragraph');
  await expect.poll(() => listed.allInnerTexts()).toEqual([expect.stringContaining(question) as string]);
}
