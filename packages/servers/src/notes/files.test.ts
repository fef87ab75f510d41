import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../../../test/support/ccmcp.ts';
import { exportNotes, fromMarkdown, importNotes, type NoteFiles, toMarkdown } from './files.ts';
import { open } from './fixtures/stores.ts';
import type { NoteRepository } from './repository.ts';

const drafts = [
  { title: 'Plain', content: 'text', tags: [] },
  { title: '../../etc/passwd', content: '---\nid: 7\n---\n', tags: ['a, b', '"c"', '#d'] },
  { title: '漢字: "quoted"', content: '\n\nlines\r\n\r\n', tags: ['größe'] },
  { title: '???', content: '', tags: [] },
  { title: 'lines\u2028and\u2029paragraphs', content: 'one\u2028two\u2029three', tags: ['a\u2028b'] },
];

function store(): Promise<NoteRepository> {
  return open({ db: join(emptyFolder(), 'notes.db') });
}

async function rest(notes: NoteRepository): Promise<unknown[]> {
  return (await notes.after('note_2', 100)).map(({ id: _, ...note }) => note);
}

describe('notes in files', () => {
  it.each<[string, (folder: string) => NoteFiles]>([
    ['JSON lines', (folder) => ({ jsonLines: join(folder, 'new', 'notes.jsonl') })],
    ['a Markdown folder', (folder) => ({ folder: join(folder, 'new', 'notes') })],
  ])('are imported again from %s unchanged, once', async (_, place) => {
    const [ours, theirs, files] = [await store(), await store(), place(emptyFolder())];
    for (const draft of drafts) await ours.create(draft);
    await ours.remove('note_1');
    await ours.remove('note_2');
    expect(await exportNotes(ours, files)).toBe(5);
    expect(await exportNotes(ours, files)).toBe(5);
    expect(await importNotes(theirs, files)).toEqual({ added: 5, known: 0, problems: [] });
    const byTitle = (notes: unknown[]): unknown[] => notes.map((note) => JSON.stringify(note)).sort();
    expect(byTitle(await rest(theirs))).toEqual(byTitle(await rest(ours)));
    expect(await importNotes(theirs, files)).toEqual({ added: 0, known: 5, problems: [] });
  });

  it('have portable names', async () => {
    const folder = emptyFolder();
    const notes = await store();
    for (const draft of drafts) await notes.create(draft);
    await exportNotes(notes, { folder });
    expect(readdirSync(folder).sort()).toEqual([
      'note_1-Welcome.md',
      'note_2-Searching.md',
      'note_3-Plain.md',
      'note_4-etc-passwd.md',
      'note_5-漢字-quoted.md',
      'note_6.md',
      'note_7-lines-and-paragraphs.md',
    ]);
  });

  it('are imported if they are valid; others are reported', async () => {
    const file = join(emptyFolder(), 'notes.jsonl');
    const lines = [
      '\uFEFF{"title":"good","content":"x"}',
      '{"title":"cut off","con',
      '',
      '[]',
      '{"content":"no title"}',
      '{"title":"no content"}',
      '{"title":"bad time","content":"","created_at":"never"}',
      '{"title":"bad tags","content":"","tags":"x"}',
      '{"title":"nul","content":"\\u0000"}',
      `{"title":"deep time","content":"","created_at":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      `{"title":"deep tags","content":"","tags":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      '{"title":"also good","content":"y","created_at":"2020-01-01T00:00:00+01:00","more":1}',
    ];
    writeFileSync(file, lines.join('\n'));
    const notes = await store();
    const { added, problems } = await importNotes(notes, { jsonLines: file });
    expect(added).toBe(2);
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(
      [2, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => `line ${n}`),
    );
    expect(await rest(notes)).toMatchObject([{ title: 'good' }, { created_at: '2019-12-31T23:00:00.000Z' }]);
    expect((await importNotes(notes, { jsonLines: file })).added).toBe(0);
  });

  it('are skipped if their tags are nested lists', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'a.md'), `---\ntags: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n---\nbody`);
    const { added, problems } = await importNotes(await store(), { folder });
    expect([added, problems]).toEqual([0, [expect.stringContaining('a.md: has tags that are no list of texts')]]);
  });

  it('are imported from folders of other programs', async () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, 'deep', 'er'), { recursive: true });
    writeFileSync(join(folder, 'deep', 'er', 'Daily note.md'), 'just text');
    writeFileSync(join(folder, 'b.md'), '---\r\ntags:\r\n  - one\r\n  - "#two"\r\n---\r\n# Heading\r\ntext');
    writeFileSync(join(folder, 'c.markdown'), '---\ntitle: Third: part\ntags: [x, "y"]\n---\nbody');
    writeFileSync(join(folder, 'picture.png'), 'no');
    const when = new Date('2021-05-06T07:08:09.000Z');
    utimesSync(join(folder, 'deep', 'er', 'Daily note.md'), when, when);
    const notes = await store();
    expect(await importNotes(notes, { folder })).toEqual({ added: 3, known: 0, problems: [] });
    const all = (await notes.after('note_2', 9)).sort((a, b) => a.title.localeCompare(b.title));
    expect(all).toMatchObject([
      { title: 'Daily note', content: 'just text', tags: [], created_at: when.toISOString() },
      { title: 'Heading', content: '# Heading\r\ntext', tags: ['one', 'two'] },
      { title: 'Third: part', content: 'body', tags: ['x', 'y'] },
    ]);
  });

  it('leave no partial file', async () => {
    const folder = emptyFolder();
    const file = join(folder, 'notes.jsonl');
    writeFileSync(file, 'old');
    const notes = await store();
    await notes.close();
    await expect(exportNotes(notes, { jsonLines: file })).rejects.toMatchObject({ problem: 'unavailable' });
    expect(readdirSync(folder)).toEqual(['notes.jsonl']);
    expect(readFileSync(file, 'utf8')).toBe('old');
    await expect(importNotes(await store(), { jsonLines: join(folder, 'none') })).rejects.toThrow(/ENOENT/);
  });
});

describe('a note as Markdown', () => {
  it.each(['\u2028', '\u2029'])('keeps %j in its title, its tags and its content', (separator) => {
    const text = `a${separator}b`;
    const times = { created_at: '2020-01-01T00:00:00.000Z', updated_at: '2020-01-01T00:00:00.000Z' };
    const note = { title: text, content: text, tags: [text], ...times };
    expect(fromMarkdown(toMarkdown({ id: 'note_1', ...note }))).toEqual(note);
  });

  it.each(['\u2028', '\u2029'])('of another program keeps %j too, in front matter and heading', (separator) => {
    const text = `a${separator}b`;
    expect(fromMarkdown(`---\ntitle: ${text}\ntags:\n  - "${text}"\n---\n`)).toMatchObject({
      title: text,
      tags: [text],
    });
    expect(fromMarkdown(`first\n# ${text}\nlast`)).toMatchObject({ title: text });
    expect(fromMarkdown(`first${separator}# no heading`)).not.toHaveProperty('title');
  });

  it('round-trips', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, (title, content) => {
        const times = { created_at: '2020-01-01T00:00:00.000Z', updated_at: '2020-01-01T00:00:00.000Z' };
        const note = { title, content, tags: ['one'], ...times };
        expect(fromMarkdown(toMarkdown({ id: 'note_1', ...note }))).toEqual(note);
      }),
    );
  });
});
