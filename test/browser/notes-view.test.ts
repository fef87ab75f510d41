import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notesServer } from '@ccmcp/servers/notes';
import { testClient } from '@ccmcp/core/testing';
import type { Server } from '@ccmcp/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { axeProblems } from './support/axe.ts';
import { colourOf, enlarge, overflowOf } from './support/layout.ts';
import { type ShownView, type ShowOptions, showView } from './support/show-view.ts';

/** What would run, or look like the page's own, if a note were read as HTML. */
const hostile = '<img src=x onerror="document.title=1"><h1>Mine</h1> & <b>bold</b>';

async function notes(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-notes-view-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = notesServer({ db: join(folder, 'notes.db'), logLevel: 'emergency' });
  const client = await testClient(server);
  await client.callTool('create_note', { title: 'Garden', content: 'Cut the roses.\nPlant tulips.', tags: ['home'] });
  await client.callTool('create_note', { title: hostile, content: hostile, tags: ['<i>'] });
  return server;
}

async function shown(options: Partial<ShowOptions> = {}): Promise<ShownView> {
  const view = await showView(await notes(), { tool: 'list_notes', reducedMotion: true, ...options });
  await view.frame.locator('#list li').first().waitFor();
  return view;
}

const failed = (text: string): Promise<object> => Promise.resolve({ content: [{ type: 'text', text }], isError: true });

describe.skipIf(!hasChromium)('the view of the notes, in the official host', () => {
  it('lists what the tool found, without asking again, and shows contents as they are', async () => {
    const { frame, called, strayed } = await shown();
    expect(await frame.locator('#list strong').allTextContents()).toEqual([hostile, 'Garden', 'Searching', 'Welcome']);
    expect(called).toEqual([]);
    await frame.locator('#list button').first().click();
    await frame.locator('#title', { hasText: hostile }).waitFor();
    expect(await frame.locator('#content').textContent()).toBe(hostile);
    expect(await frame.locator('#note-tags').textContent()).toBe('<i>');
    expect(await frame.locator('article img, article b, #list img').count()).toBe(0);
    expect(strayed).toEqual([]);
  });

  it('searches while one types, and filters by tag', async () => {
    const { frame } = await shown();
    await frame.getByRole('searchbox').fill('tulip');
    await expect.poll(() => frame.locator('#list strong').allTextContents()).toEqual(['Garden']);
    expect(await frame.locator('#list mark').textContent()).toBe('tulips');
    await frame.getByRole('searchbox').fill('zeppelin');
    await frame.getByText('No note was found.').waitFor();
    await frame.getByRole('button', { name: 'home', exact: true }).click();
    await expect.poll(() => frame.locator('#list strong').allTextContents()).toEqual(['Garden']);
    expect(await frame.getByRole('button', { name: 'home', exact: true }).getAttribute('aria-pressed')).toBe('true');
    await frame.getByRole('button', { name: 'home', exact: true }).click();
    await expect.poll(() => frame.locator('#list li').count()).toBe(4);
  });

  it('begins with what was searched for, or with the note that was read', async () => {
    const server = await notes();
    const found = await showView(server, { tool: 'search_notes', args: { query: 'roses' }, reducedMotion: true });
    await found.frame.getByText('1 note', { exact: true }).waitFor();
    expect(await found.frame.getByRole('searchbox').inputValue()).toBe('roses');
    const read = await showView(server, { tool: 'get_note', args: { id: 'note_3' }, reducedMotion: true });
    await read.frame.getByRole('heading', { name: 'Garden' }).waitFor();
    await expect.poll(() => read.frame.locator('#list li').count()).toBe(4);
  });

  it('writes, changes and deletes notes by the keyboard, and brings one back', async () => {
    const { frame, page, client } = await shown();
    await frame.getByRole('button', { name: 'New note', exact: true }).press('Enter');
    await frame.getByLabel('Title').fill('Milk');
    await page.keyboard.press('Tab');
    await page.keyboard.type('shop, today');
    await page.keyboard.press('Tab');
    await page.keyboard.type('and bread');
    await page.keyboard.press('Control+Enter');
    await frame.getByRole('heading', { name: 'Milk' }).waitFor();
    expect((await client.callTool('get_note', { id: 'note_5' })).structuredContent).toMatchObject({
      title: 'Milk',
      content: 'and bread',
      tags: ['shop', 'today'],
    });
    await frame.getByRole('button', { name: 'Edit' }).press('Enter');
    await frame.getByLabel('Title').fill('Oat milk');
    await page.keyboard.press('Enter');
    await frame.getByRole('heading', { name: 'Oat milk' }).waitFor();
    await expect.poll(() => frame.locator('#list strong').allTextContents()).toContain('Oat milk');

    await frame.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.keyboard.press('Escape');
    expect(await frame.getByRole('heading', { name: 'Oat milk' }).count()).toBe(1);
    await frame.getByRole('button', { name: 'Delete' }).click();
    await frame.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await frame.getByText(/^“.Oat milk.” is in the trash$/).waitFor();
    await expect.poll(() => frame.locator('#list strong').allTextContents()).not.toContain('Oat milk');
    await frame.getByRole('button', { name: 'Undo' }).click();
    await frame.getByRole('heading', { name: 'Oat milk' }).waitFor();
    await expect.poll(() => frame.locator('#list strong').allTextContents()).toContain('Oat milk');
  });

  it('says in words that somebody else changed a note meanwhile, and loses neither version', async () => {
    const { frame, client } = await shown();
    const edit = async (text: string): Promise<void> => {
      await frame.getByRole('button', { name: 'Edit' }).click();
      await frame.getByLabel('Text').fill(text);
      await client.callTool('update_note', { id: 'note_3', content: `Theirs before ${text}` });
      await frame.getByRole('button', { name: 'Save', exact: true }).click();
      await frame.getByRole('heading', { name: 'This note was changed meanwhile' }).waitFor();
      expect(await frame.locator('#their-content').textContent()).toBe(`Theirs before ${text}`);
      expect(await frame.getByLabel('Text').inputValue()).toBe(text);
    };
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await edit('one');
    await frame.getByRole('button', { name: 'Keep mine' }).click();
    await frame.locator('#content', { hasText: /^one$/ }).waitFor();
    expect((await client.callTool('get_note', { id: 'note_3' })).structuredContent).toMatchObject({ content: 'one' });

    await edit('two');
    await frame.getByRole('button', { name: 'Take theirs' }).click();
    await frame.getByRole('button', { name: 'Throw it away' }).click();
    await frame.locator('#content', { hasText: 'Theirs before two' }).waitFor();

    await frame.getByRole('button', { name: 'Edit' }).click();
    await frame.getByLabel('Text').fill('three');
    await client.callTool('delete_note', { id: 'note_3' });
    await frame.getByRole('button', { name: 'Save', exact: true }).click();
    await frame.getByRole('heading', { name: 'This note was deleted meanwhile' }).waitFor();
    await frame.getByRole('button', { name: 'Save as a new note' }).click();
    await frame.locator('#about', { hasText: 'note_5' }).waitFor();
    expect((await client.callTool('get_note', { id: 'note_5' })).structuredContent).toMatchObject({ content: 'three' });
  });

  it('shows errors in place, and keeps what was written until it is saved once', async () => {
    let fails = true;
    const { frame, client } = await shown({
      around: async (name, _, call) => {
        if (name !== 'create_note' || !fails) return call();
        fails = false;
        // It arrives, and its answer does not.
        await call();
        throw new Error('The connection broke');
      },
    });
    await frame.getByRole('button', { name: 'New note', exact: true }).click();
    await frame.getByRole('button', { name: 'Save', exact: true }).click();
    await frame.getByText('A note needs a title').waitFor();
    await frame.getByLabel('Title').fill('Once');
    await frame.getByLabel('Text').fill('Only');
    await frame.getByRole('button', { name: 'Save', exact: true }).click();
    await frame.getByRole('alert').getByText('What you wrote is still here').waitFor();
    expect(await frame.getByLabel('Text').inputValue()).toBe('Only');
    await frame.getByRole('button', { name: 'Save', exact: true }).click();
    await frame.getByRole('heading', { name: 'Once' }).waitFor();
    const { structuredContent } = await client.callTool('search_notes', { query: 'Once' });
    expect((structuredContent as { notes: object[] }).notes).toHaveLength(1);
  });

  it('asks before something unsaved is thrown away', async () => {
    const { frame, page } = await shown();
    await frame.getByRole('button', { name: 'New note', exact: true }).click();
    await frame.getByLabel('Title').fill('Draft');
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await frame.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    expect(await frame.getByLabel('Title').inputValue()).toBe('Draft');
    await frame.getByLabel('Title').press('Escape');
    await frame.getByText('not saved yet').waitFor();
    await frame.getByRole('button', { name: 'Throw it away' }).click();
    await expect.poll(() => frame.getByLabel('Title').count()).toBe(1);
    await expect.poll(() => frame.getByLabel('Title').isVisible()).toBe(false);
    await page.keyboard.press('Tab');
  });

  it('says what the server refuses: in the list, and in the note', async () => {
    const { frame } = await shown({
      around: (name, _, call) =>
        name === 'delete_note' || name === 'search_notes' ? failed(`No ${name} today`) : call(),
    });
    await frame.getByRole('searchbox').fill('roses');
    await frame.getByRole('alert').getByText('No search_notes today').waitFor();
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await frame.getByRole('button', { name: 'Delete' }).click();
    await frame.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await frame.getByRole('alert').getByText('No delete_note today').waitFor();
    expect(await frame.getByRole('heading', { name: 'Garden' }).count()).toBe(1);
  });

  it('can be read where a host lets views call nothing', async () => {
    const { frame, called } = await shown({ capabilities: {} });
    expect(await frame.locator('#list li').count()).toBe(4);
    await frame.getByText('This host lets views call no tools').waitFor();
    expect(await frame.getByRole('button', { name: 'New note', exact: true }).count()).toBe(0);
    expect(await frame.getByText('Choose a note').isVisible()).toBe(false);
    expect(await frame.getByRole('alert').count()).toBe(0);
    expect(await frame.locator('#list button:enabled').count()).toBe(0);
    expect(await axeProblems(frame)).toEqual([]);
    expect(called).toEqual([]);
    const read = await showView(await notes(), { tool: 'get_note', args: { id: 'note_3' }, capabilities: {} });
    await read.frame.getByRole('heading', { name: 'Garden' }).waitFor();
    expect(await read.frame.getByRole('button').count()).toBe(0);
  });

  it('says where to begin while there is nothing', async () => {
    const server = await notes();
    const client = await testClient(server);
    for (const number of [1, 2, 3, 4]) await client.callTool('delete_note', { id: `note_${number}` });
    const { frame } = await showView(server, { tool: 'list_notes', reducedMotion: true });
    await frame.getByText('There are no notes yet.').waitFor();
    expect(await frame.locator('#none').textContent()).toBe('Write the first one.');
  });

  it('shows each text in the direction of its script, and leaves its own words as they are', async () => {
    const server = await notes();
    const client = await testClient(server);
    const content = 'שלום, עולם.\nHello, world.';
    await client.callTool('create_note', { title: 'קניות', content, tags: ['בית'] });
    const { frame } = await showView(server, { tool: 'list_notes', reducedMotion: true, context: { locale: 'he-IL' } });
    const row = frame.locator('#list button', { hasText: 'קניות' });
    const direction = (element: unknown): string =>
      (globalThis as unknown as { getComputedStyle(of: unknown): { direction: string } }).getComputedStyle(element)
        .direction;
    expect(await row.locator('strong').evaluate(direction)).toBe('rtl');
    await row.click();
    await frame.getByRole('heading', { name: 'קניות' }).waitFor();
    expect(await frame.locator('#title').evaluate(direction)).toBe('rtl');
    expect(await frame.locator('#about').textContent()).toMatch(/^note_5 · changed \u2068.+\u2069$/);
    // Each line begins at the side where its script does.
    const [first = 0, second = 0] = await frame.locator('#content').evaluate((element) => {
      interface Box {
        left: number;
      }
      interface Range {
        setStart(node: unknown, at: number): void;
        setEnd(node: unknown, at: number): void;
        getBoundingClientRect(): Box;
      }
      const { document } = globalThis as unknown as { document: { createRange(): Range } };
      const text = (element as unknown as { firstChild: { data: string } }).firstChild;
      const { left } = (element as unknown as { getBoundingClientRect(): Box }).getBoundingClientRect();
      const end = text.data.indexOf('\n');
      return [
        [0, end],
        [end + 1, text.data.length],
      ].map(([from = 0, to = 0]) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, to);
        return Math.round(range.getBoundingClientRect().left - left);
      });
    });
    expect(first).toBeGreaterThan(100);
    expect(second).toBe(0);
  });

  it('goes by the theme of the host, shows one thing at a time where it is narrow, and takes its leave', async () => {
    const { frame, page, change, sizes, teardown } = await shown({ width: 320, theme: 'light' });
    const light = await colourOf(frame);
    await change({ theme: 'dark' });
    await expect.poll(() => colourOf(frame)).not.toBe(light);
    expect(await overflowOf(frame)).toBe(0);
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await frame.getByRole('heading', { name: 'Garden' }).waitFor();
    expect(await frame.getByRole('searchbox').isVisible()).toBe(false);
    await frame.getByRole('button', { name: 'All notes' }).click();
    expect(await frame.getByRole('heading', { name: 'Garden' }).isVisible()).toBe(false);
    expect(await frame.locator('#list button:focus').textContent()).toContain('Garden');
    await page.setViewportSize({ width: 640, height: 900 });
    await enlarge(frame);
    expect(await overflowOf(frame)).toBe(0);
    expect((await sizes()).at(-1)?.height).toBeGreaterThan(200);
    expect(await teardown()).toEqual({});
  });

  it.each(['light', 'dark'] as const)('has nothing that axe finds, in a %s host', async (theme) => {
    const { frame } = await shown({ theme });
    expect(await axeProblems(frame)).toEqual([]);
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await frame.getByRole('heading', { name: 'Garden' }).waitFor();
    expect(await axeProblems(frame)).toEqual([]);
    await frame.getByRole('button', { name: 'Edit' }).click();
    await frame.getByLabel('Title').fill('');
    await frame.getByRole('button', { name: 'Save', exact: true }).click();
    expect(await axeProblems(frame)).toEqual([]);
    await frame.getByLabel('Title').press('Escape');
    await frame.getByRole('dialog').waitFor();
    expect(await axeProblems(frame)).toEqual([]);
  });
});
