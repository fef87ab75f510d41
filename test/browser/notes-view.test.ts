import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notesServer } from '@ccmcp/servers/notes';
import { testClient } from '@ccmcp/core/testing';
import type { Server } from '@ccmcp/core';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { axeProblems } from './support/axe.ts';
import { colourOf, enlarge, overflowOf } from './support/layout.ts';
import { focusInFrame, type ShownView, type ShowOptions, showView } from './support/show-view.ts';

/** Markup that would run, or imitate the page, if a note were rendered as HTML. */
const hostile = '<img src=x onerror="document.title=1"><h1>Mine</h1> & <b>bold</b>';

async function notes(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-notes-view-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const server = notesServer({ db: join(folder, 'notes.db'), logLevel: 'emergency' });
  const client = await testClient(server);
  await client.callTool('create_note', { title: 'Garden', content: 'Cut the roses.\nPlant tulips.', tags: ['home'] });
  await client.callTool('create_note', { title: hostile, content: hostile, tags: ['<i>'] });
  return server;
}

async function showNotes(options: Partial<ShowOptions> = {}): Promise<ShownView> {
  const view = await showView(await notes(), { tool: 'list_notes', reducedMotion: true, ...options });
  await view.frame.locator('#list li').first().waitFor();
  return view;
}

/** Sends a result again, as hosts do that replay it. */
const resend = (page: Page, result: object): Promise<void> =>
  page.evaluate(
    (again) =>
      (
        globalThis as unknown as { host: { bridge: { sendToolResult(result: object): Promise<void> } } }
      ).host.bridge.sendToolResult(again),
    result,
  );

const failed = (text: string): Promise<object> => Promise.resolve({ content: [{ type: 'text', text }], isError: true });

describe.skipIf(!hasChromium)('the view of the notes, in the official host', () => {
  it('lists what the tool found, without another request, and shows contents unchanged', async () => {
    const { frame, called, strayed } = await showNotes();
    await expect
      .poll(() => frame.locator('#list strong').allTextContents())
      .toEqual([hostile, 'Garden', 'Searching', 'Welcome']);
    expect(called).toEqual([]);
    await frame.locator('#list button').first().click();
    await frame.locator('#title', { hasText: hostile }).waitFor();
    await expect.poll(() => frame.locator('#content').textContent()).toBe(hostile);
    await expect.poll(() => frame.locator('#note-tags').textContent()).toBe('<i>');
    await expect.poll(() => frame.locator('article img, article b, #list img').count()).toBe(0);
    expect(strayed).toEqual([]);
  });

  it('searches while the person types, and filters by tag', async () => {
    const { frame } = await showNotes();
    await frame.getByRole('searchbox').fill('tulip');
    await expect.poll(() => frame.locator('#list strong').allTextContents()).toEqual(['Garden']);
    await expect.poll(() => frame.locator('#list mark').textContent()).toBe('tulips');
    await frame.getByRole('searchbox').fill('zeppelin');
    await frame.getByText('No note was found.').waitFor();
    await frame.getByRole('button', { name: 'home', exact: true }).click();
    await expect.poll(() => frame.locator('#list strong').allTextContents()).toEqual(['Garden']);
    await expect
      .poll(() => frame.getByRole('button', { name: 'home', exact: true }).getAttribute('aria-pressed'))
      .toBe('true');
    await frame.getByRole('button', { name: 'home', exact: true }).click();
    await expect.poll(() => frame.locator('#list li').count()).toBe(4);
  });

  it('begins with the query, or with the note that was read', async () => {
    const server = await notes();
    const found = await showView(server, { tool: 'search_notes', args: { query: 'roses' }, reducedMotion: true });
    await found.frame.getByText('1 note', { exact: true }).waitFor();
    await expect.poll(() => found.frame.getByRole('searchbox').inputValue()).toBe('roses');
    const read = await showView(server, { tool: 'get_note', args: { id: 'note_3' }, reducedMotion: true });
    await read.frame.getByRole('heading', { name: 'Garden' }).waitFor();
    await expect.poll(() => read.frame.locator('#list li').count()).toBe(4);
  });

  it('creates, changes, deletes and restores notes by keyboard', async () => {
    const { frame, page, client } = await showNotes();
    await focusInFrame(page, frame.getByRole('button', { name: 'New note', exact: true }));
    await page.keyboard.press('Enter');
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
    await expect.poll(() => frame.getByRole('heading', { name: 'Oat milk' }).count()).toBe(1);
    await frame.getByRole('button', { name: 'Delete' }).click();
    await frame.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await frame.getByText(/^“.Oat milk.” is in the trash$/).waitFor();
    await expect.poll(() => frame.locator('#list strong').allTextContents()).not.toContain('Oat milk');
    await frame.getByRole('button', { name: 'Undo' }).click();
    await frame.getByRole('heading', { name: 'Oat milk' }).waitFor();
    await expect.poll(() => frame.locator('#list strong').allTextContents()).toContain('Oat milk');
  });

  it('reports a concurrent change of a note, and loses neither version', async () => {
    const { frame, client } = await showNotes();
    const edit = async (text: string): Promise<void> => {
      await frame.getByRole('button', { name: 'Edit' }).click();
      await frame.getByLabel('Text').fill(text);
      await client.callTool('update_note', { id: 'note_3', content: `Theirs before ${text}` });
      await frame.getByRole('button', { name: 'Save', exact: true }).click();
      await frame.getByRole('heading', { name: 'This note was changed meanwhile' }).waitFor();
      await expect.poll(() => frame.locator('#their-content').textContent()).toBe(`Theirs before ${text}`);
      await expect.poll(() => frame.getByLabel('Text').inputValue()).toBe(text);
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

  it('shows errors in place, and keeps the typed text until it is saved once', async () => {
    let fails = true;
    const { frame, client } = await showNotes({
      around: async (name, _, call) => {
        if (name !== 'create_note' || !fails) return call();
        fails = false;
        // The request arrives, but its response does not.
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
    await expect.poll(() => frame.getByLabel('Text').inputValue()).toBe('Only');
    await frame.getByRole('button', { name: 'Save', exact: true }).click();
    await frame.getByRole('heading', { name: 'Once' }).waitFor();
    const { structuredContent } = await client.callTool('search_notes', { query: 'Once' });
    expect((structuredContent as { notes: object[] }).notes).toHaveLength(1);
  });

  it('confirms before it discards unsaved text', async () => {
    const { frame, page } = await showNotes();
    await frame.getByRole('button', { name: 'New note', exact: true }).click();
    await frame.getByLabel('Title').fill('Draft');
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await frame.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    await expect.poll(() => frame.getByLabel('Title').inputValue()).toBe('Draft');
    await frame.getByLabel('Title').press('Escape');
    await frame.getByText('not saved yet').waitFor();
    await frame.getByRole('button', { name: 'Throw it away' }).click();
    await expect.poll(() => frame.getByLabel('Title').count()).toBe(1);
    await expect.poll(() => frame.getByLabel('Title').isVisible()).toBe(false);
    await page.keyboard.press('Tab');
  });

  it('loses no typed text while a note is saved, opened or deleted', async () => {
    const held = new Map<string, () => void>();
    const slow = new Set<string>();
    const { frame, client } = await showNotes({
      around: async (name, _, call) => {
        const result = await call();
        if (slow.has(name)) await new Promise<void>((resolve) => held.set(name, resolve));
        return result;
      },
    });
    const arrives = async (name: string): Promise<void> => {
      await expect.poll(() => held.has(name)).toBe(true);
      held.get(name)?.();
      held.delete(name);
    };
    const button = (name: string): Locator => frame.getByRole('button', { name, exact: true });
    const text = frame.getByLabel('Text');

    slow.add('create_note');
    await button('New note').click();
    await frame.getByLabel('Title').fill('Letter');
    await text.fill('Dear');
    await button('Save').click();
    await text.fill('Dear all');
    await arrives('create_note');
    await frame.getByText('not saved yet').waitFor();
    await expect.poll(() => text.inputValue()).toBe('Dear all');
    await button('Save').click();
    await frame.locator('#content', { hasText: /^Dear all$/ }).waitFor();
    const { structuredContent } = await client.callTool('search_notes', { query: 'Letter' });
    expect((structuredContent as { notes: object[] }).notes).toHaveLength(1);

    slow.add('get_note');
    const garden = frame.getByRole('button', { name: /^Garden/ });
    await garden.click();
    await expect.poll(() => garden.getAttribute('aria-current')).toBe('true');
    await button('New note').click();
    await expect.poll(() => garden.getAttribute('aria-current')).toBeNull();
    await frame.getByLabel('Title').fill('Another');
    await arrives('get_note');
    await expect.poll(() => held.size).toBe(0);
    await client.callTool('list_notes');
    await expect.poll(() => frame.getByLabel('Title').inputValue()).toBe('Another');
    await expect.poll(() => frame.getByLabel('Title').isVisible()).toBe(true);
    await frame.getByLabel('Title').press('Escape');
    await button('Throw it away').click();

    // Nothing was typed when the note was selected; something was when it arrived.
    await button('New note').click();
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await frame.getByLabel('Title').fill('Late');
    await arrives('get_note');
    await frame.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    await expect.poll(() => frame.getByLabel('Title').inputValue()).toBe('Late');
    await expect.poll(() => frame.getByLabel('Title').isVisible()).toBe(true);
    await frame.getByLabel('Title').press('Escape');
    await button('Throw it away').click();

    slow.delete('get_note');
    slow.add('delete_note');
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await button('Delete').click();
    await frame.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await button('New note').click();
    await frame.getByLabel('Title').fill('Meanwhile');
    await arrives('delete_note');
    await frame.getByText(/is in the trash$/).waitFor();
    await expect.poll(() => frame.getByLabel('Title').inputValue()).toBe('Meanwhile');
    await expect.poll(() => frame.getByLabel('Title').isVisible()).toBe(true);
    await expect.poll(() => frame.locator('#none').isVisible()).toBe(false);
  });

  it('accepts a late result without disturbing the current edit', async () => {
    const server = await notes();
    const { frame, client, page } = await showNotes();
    await frame.getByRole('searchbox').fill('tulip');
    await expect.poll(() => frame.locator('#list strong').allTextContents()).toEqual(['Garden']);
    await frame.getByRole('button', { name: 'New note', exact: true }).click();
    await frame.getByLabel('Title').fill('Begun');
    const late = await (await testClient(server)).callTool('get_note', { id: 'note_3' });
    await resend(page, late);
    await client.callTool('list_notes');
    await frame.locator('#list[aria-busy="false"]').waitFor();
    await expect.poll(() => frame.getByRole('heading', { name: 'Garden' }).isVisible()).toBe(false);
    await expect.poll(() => frame.getByLabel('Title').inputValue()).toBe('Begun');
    await resend(page, await (await testClient(server)).callTool('list_notes'));
    await expect.poll(() => frame.getByRole('searchbox').inputValue()).toBe('tulip');
  });

  it('saves unsaved text as a separate note when the host removes the view', async () => {
    const { frame, client, teardown } = await showNotes();
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await frame.getByRole('button', { name: 'Edit' }).click();
    expect(await teardown()).toEqual({});
    await frame.getByLabel('Text').fill('Half a thought');
    expect(await teardown()).toEqual({});
    expect(await teardown()).toEqual({});
    expect((await client.callTool('get_note', { id: 'note_5' })).structuredContent).toMatchObject({
      title: 'Garden (draft)',
      content: 'Half a thought',
      tags: ['home'],
    });
    expect((await client.callTool('get_note', { id: 'note_6' })).isError).toBe(true);
    expect((await client.callTool('get_note', { id: 'note_3' })).structuredContent).toMatchObject({
      content: 'Cut the roses.\nPlant tulips.',
    });
  });

  it('changes only those members of a note that the person changed', async () => {
    const server = await notes();
    const client = await testClient(server);
    const content = 'One\r\nTwo';
    await client.callTool('create_note', { title: 'Windows', content, tags: ['one, two'] });
    const { frame } = await showView(server, { tool: 'list_notes', reducedMotion: true });
    await frame.getByRole('button', { name: /^Windows/ }).click();
    await frame.getByRole('button', { name: 'Edit' }).click();
    await frame.getByLabel('Title').fill('Doors');
    await frame.getByRole('button', { name: 'Save', exact: true }).click();
    await frame.getByRole('heading', { name: 'Doors' }).waitFor();
    const { structuredContent } = await client.callTool('get_note', { id: 'note_5' });
    expect(structuredContent).toMatchObject({ title: 'Doors', content, tags: ['one, two'] });
  });

  it('searches all notes or those of a tag, and shows which', async () => {
    const { frame } = await showNotes();
    const home = frame.getByRole('button', { name: 'home', exact: true });
    await home.click();
    await expect.poll(() => frame.locator('#list li').count()).toBe(1);
    await frame.getByRole('searchbox').fill('search');
    await expect.poll(() => frame.locator('#list strong').allTextContents()).toContain('Searching');
    await expect.poll(() => home.getAttribute('aria-pressed')).toBe('false');
  });

  it('keeps its height for many notes, shows the selected one, and keeps the focus', async () => {
    const server = await notes();
    const client = await testClient(server);
    for (let number = 0; number < 60; number++)
      await client.callTool('create_note', { title: `Note ${number}`, content: '' });
    const args = { limit: 50 };
    const { frame, page, sizes } = await showView(server, {
      tool: 'list_notes',
      args,
      reducedMotion: true,
      fits: true,
    });
    await frame.locator('#list li').nth(49).waitFor();
    const more = frame.getByRole('button', { name: 'Show more' });
    await focusInFrame(page, more);
    await page.keyboard.press('Enter');
    await expect.poll(() => frame.locator('#list li').count()).toBe(64);
    await expect.poll(async () => (await sizes()).at(-1)?.height).toBeLessThan(700);
    await expect.poll(() => frame.locator('#list button:focus').textContent()).toContain('Note 9');

    await page.keyboard.press('Enter');
    await frame.getByRole('heading', { name: 'Note 9' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => frame.locator('#list button:focus').textContent()).toContain('Note 8');
    await resend(page, await client.callTool('list_notes', { limit: 60 }));
    await expect.poll(() => frame.locator('#list button:focus').textContent()).toContain('Note 8');
    expect(await axeProblems(frame)).toEqual([]);
  });

  it('shows rejections of the server, in the list and in the note', async () => {
    const { frame } = await showNotes({
      around: (name, _, call) =>
        name === 'delete_note' || name === 'search_notes' ? failed(`No ${name} today`) : call(),
    });
    await frame.getByRole('searchbox').fill('roses');
    await frame.getByRole('alert').getByText('No search_notes today').waitFor();
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await frame.getByRole('button', { name: 'Delete' }).click();
    await frame.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await frame.getByRole('alert').getByText('No delete_note today').waitFor();
    await expect.poll(() => frame.getByRole('heading', { name: 'Garden' }).count()).toBe(1);
  });

  it('is readable if a host allows views no calls', async () => {
    const { frame, called } = await showNotes({ capabilities: {} });
    await expect.poll(() => frame.locator('#list li').count()).toBe(4);
    await frame.getByText('This host lets views call no tools').waitFor();
    await expect.poll(() => frame.getByRole('button', { name: 'New note', exact: true }).count()).toBe(0);
    await expect.poll(() => frame.getByText('Choose a note').isVisible()).toBe(false);
    await expect.poll(() => frame.getByRole('alert').count()).toBe(0);
    await expect.poll(() => frame.locator('#list button:enabled').count()).toBe(0);
    expect(await axeProblems(frame)).toEqual([]);
    expect(called).toEqual([]);
    const read = await showView(await notes(), { tool: 'get_note', args: { id: 'note_3' }, capabilities: {} });
    await read.frame.getByRole('heading', { name: 'Garden' }).waitFor();
    await expect.poll(() => read.frame.getByRole('button').count()).toBe(0);
  });

  it('shows how to start when it is empty', async () => {
    const server = await notes();
    const client = await testClient(server);
    for (const number of [1, 2, 3, 4]) await client.callTool('delete_note', { id: `note_${number}` });
    const { frame } = await showView(server, { tool: 'list_notes', reducedMotion: true });
    await frame.getByText('There are no notes yet.').waitFor();
    await expect.poll(() => frame.locator('#none').textContent()).toBe('Write the first one.');
  });

  it('shows each text in the direction of its script, and its own labels unchanged', async () => {
    const server = await notes();
    const client = await testClient(server);
    const content = 'שלום, עולם.\nHello, world.';
    await client.callTool('create_note', { title: 'קניות', content, tags: ['בית'] });
    const { frame } = await showView(server, { tool: 'list_notes', reducedMotion: true, context: { locale: 'he-IL' } });
    const row = frame.locator('#list button', { hasText: 'קניות' });
    const direction = (element: unknown): string =>
      (globalThis as unknown as { getComputedStyle(of: unknown): { direction: string } }).getComputedStyle(element)
        .direction;
    await expect.poll(() => row.locator('strong').evaluate(direction)).toBe('rtl');
    await row.click();
    await frame.getByRole('heading', { name: 'קניות' }).waitFor();
    await expect.poll(() => frame.locator('#title').evaluate(direction)).toBe('rtl');
    await expect.poll(() => frame.locator('#about').textContent()).toMatch(/^note_5 · changed \u2068.+\u2069$/);
    // Each line begins at the start side of its script.
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

  it('uses the theme of the host, shows one pane at a time if narrow, and closes', async () => {
    const { frame, page, change, sizes, teardown } = await showNotes({ width: 320, theme: 'light' });
    const light = await colourOf(frame);
    await change({ theme: 'dark' });
    await expect.poll(() => colourOf(frame)).not.toBe(light);
    await expect.poll(() => overflowOf(frame)).toBe(0);
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await frame.getByRole('heading', { name: 'Garden' }).waitFor();
    await expect.poll(() => frame.getByRole('searchbox').isVisible()).toBe(false);
    await frame.getByRole('button', { name: 'All notes' }).click();
    await expect.poll(() => frame.getByRole('heading', { name: 'Garden' }).isVisible()).toBe(false);
    await expect.poll(() => frame.locator('#list button:focus').textContent()).toContain('Garden');
    await page.setViewportSize({ width: 640, height: 900 });
    await enlarge(frame);
    await expect.poll(() => overflowOf(frame)).toBe(0);
    await expect.poll(async () => (await sizes()).at(-1)?.height).toBeGreaterThan(200);
    expect(await teardown()).toEqual({});
  });

  it('has no problem for axe, in a light host and in a dark one', async () => {
    const { frame, change } = await showNotes({ theme: 'dark' });
    let shade = '';
    const inBoth = async (): Promise<string[]> => {
      const found: string[] = [];
      for (const theme of ['light', 'dark'] as const) {
        await change({ theme });
        await expect.poll(() => colourOf(frame)).not.toBe(shade);
        shade = await colourOf(frame);
        found.push(...(await axeProblems(frame)).map((problem) => `${theme}: ${problem}`));
      }
      return found;
    };
    shade = await colourOf(frame);
    expect(await inBoth()).toEqual([]);
    await frame.getByRole('button', { name: /^Garden/ }).click();
    await frame.getByRole('heading', { name: 'Garden' }).waitFor();
    expect(await inBoth()).toEqual([]);
    await frame.getByRole('button', { name: 'Edit' }).click();
    await frame.getByLabel('Title').fill('');
    await frame.getByRole('button', { name: 'Save', exact: true }).click();
    expect(await inBoth()).toEqual([]);
    await frame.getByLabel('Title').press('Escape');
    await frame.getByRole('dialog').waitFor();
    expect(await inBoth()).toEqual([]);
  });
});
