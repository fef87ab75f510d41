import { describe, expect, it } from 'vitest';
import { open, openOnce, storeKinds } from './fixtures/stores.ts';
import type { Draft } from './note.ts';
import { parseQuery } from './search.ts';
import type { NoteChange, NoteRepository } from './repository.ts';

const unused = 'note_999';

describe.each(storeKinds)('notes in $name', ({ fresh }) => {
  const make = async (): Promise<NoteRepository> => open(await fresh());

  async function titles(notes: NoteRepository, query: string, page = { limit: 50, offset: 0 }): Promise<string[]> {
    return (await notes.search(parseQuery(query), page)).map(({ title }) => title);
  }

  async function fill(notes: NoteRepository, ...drafts: (Partial<Draft> & { title: string })[]): Promise<void> {
    for (const draft of drafts) await notes.create({ content: '', tags: [], ...draft });
  }

  it('contain two notes at first, the first one a welcome', async () => {
    const notes = await make();
    const all = await notes.after(undefined, 10);
    expect(all.map(({ id }) => id)).toEqual(['note_1', 'note_2']);
    expect(all[0]?.title).toMatch(/welcome/i);
    expect(await titles(notes, 'welcome')).toContain(all[0]?.title);
    expect(await notes.list({ tag: 'welcome', order: 'newest first', limit: 10 })).toHaveLength(2);
  });

  it('are returned unchanged', async () => {
    const notes = await make();
    const draft = {
      title: `It's "quoted" \\ % _ 🎉`,
      content: 'Zeilen\r\nund\ttabs, 漢字, עברית, 👩‍👩‍👧, \u{10ffff}, $1 ? ; drop table notes; --',
      tags: ['Größe', 'two words', '{a,"b"}'],
    };
    const made = await notes.create(draft);
    expect(made).toMatchObject({ id: 'note_3', ...draft });
    expect(made.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(made.updated_at).toBe(made.created_at);
    expect(Object.keys(made).sort()).toEqual(['content', 'created_at', 'id', 'tags', 'title', 'updated_at']);
    expect(await notes.get('note_3')).toEqual(made);
  });

  it('change only the given members and updated_at', async () => {
    const notes = await make();
    const made = await notes.create({ title: 'old', content: 'text', tags: ['a'] });
    const renamed = await notes.update(made.id, { title: 'new' });
    expect(renamed).toEqual({ ...made, title: 'new', updated_at: renamed.updated_at });
    expect(Date.parse(renamed.updated_at)).toBeGreaterThan(Date.parse(made.updated_at));
    const touched = await notes.update(made.id, {});
    expect(touched).toEqual({ ...renamed, updated_at: touched.updated_at });
    expect(Date.parse(touched.updated_at)).toBeGreaterThan(Date.parse(renamed.updated_at));
    expect(await notes.get(made.id)).toEqual(touched);
  });

  it('reject a change of an older version, and one of two concurrent changes (FT-32)', async () => {
    const notes = await make();
    const { id, updated_at: expected } = await notes.create({ title: 'a', content: '', tags: [] });
    const both = await Promise.allSettled([
      notes.update(id, { content: 'one' }, { expected }),
      notes.update(id, { content: 'two' }, { expected }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const rejected = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    const now = await notes.get(id);
    expect(rejected.reason).toMatchObject({ problem: 'conflict', message: expect.stringContaining(now.updated_at) });
    expect((await notes.update(id, { content: 'three' }, { expected: now.updated_at })).content).toBe('three');
  });

  it('are created once per idempotency key (FT-06)', async () => {
    const notes = await make();
    const draft = { title: 'Once', content: 'text', tags: ['a'] };
    const made = await notes.create(draft, { key: 'k1' });
    expect(await notes.create(draft, { key: 'k1' })).toEqual(made);
    const many = await Promise.all(Array.from({ length: 10 }, () => notes.create(draft, { key: 'k2' })));
    expect(new Set(many.map(({ id }) => id)).size).toBe(1);
    expect(await titles(notes, 'once')).toEqual(['Once', 'Once']);
    expect((await notes.create(draft)).id).not.toBe(made.id);
    expect((await notes.ownedBy('ann').create(draft, { key: 'k1' })).id).not.toBe(made.id);

    const changed = await notes.update(made.id, { title: 'Twice' });
    expect(await notes.create(draft, { key: 'k1' })).toEqual(changed);
    for (const other of [{ title: 'Other' }, { content: 'other' }, { tags: [] }]) {
      await expect(notes.create({ ...draft, ...other }, { key: 'k1' })).rejects.toMatchObject({
        problem: 'conflict',
        message: expect.stringMatching(`idempotency_key was used before, for ${made.id}.*choose another key`),
      });
    }
    await notes.remove(made.id);
    expect((await notes.create(draft, { key: 'k1' })).id).toBe(made.id);
  });

  it('are not announced again for a repeated request (FT-06)', async () => {
    const received: NoteChange[] = [];
    const notes = await open(await fresh(), (changes) => received.push(...changes));
    for (let time = 0; time < 3; time += 1) await notes.create({ title: 'a', content: '', tags: [] }, { key: 'k' });
    expect(received).toHaveLength(1);
  });

  it('go to the trash and are restored completely', async () => {
    const notes = await make();
    const made = await notes.create({ title: 'Zebra', content: 'stripes', tags: ['animal'] });
    await notes.remove(made.id);
    for (const work of [notes.get, (id: string) => notes.update(id, {}), notes.remove]) {
      await expect(work(made.id)).rejects.toMatchObject({
        problem: 'missing',
        message: expect.stringMatching(/trash.*restore_note/),
      });
    }
    expect(await titles(notes, 'zebra')).toEqual([]);
    expect(await notes.list({ tag: 'animal', order: 'newest first', limit: 9 })).toEqual([]);
    expect((await notes.list({ order: 'newest first', limit: 9 })).map(({ id }) => id)).toEqual(['note_2', 'note_1']);
    expect(await notes.idsLike(made.id, 9)).toEqual({ ids: [], total: 0 });
    expect((await notes.create({ title: 'next', content: '', tags: [] })).id).toBe('note_4');

    expect(await notes.restore(made.id)).toEqual(made);
    expect(await notes.restore(made.id)).toEqual(made);
    expect(await notes.get(made.id)).toEqual(made);
    expect(await titles(notes, 'zebra stripes')).toEqual(['Zebra']);
    expect(await notes.list({ tag: 'animal', order: 'newest first', limit: 9 })).toHaveLength(1);
  });

  it('name the missing note in errors', async () => {
    const notes = await make();
    for (const id of [unused, 'note_0', 'note_01', 'note_1e3', '1', '', 'note_99999999999999999999', "x' or 1=1"]) {
      for (const work of [notes.get, (id: string) => notes.update(id, {}), notes.remove, notes.restore]) {
        await expect(work(id)).rejects.toMatchObject({ problem: 'missing', message: `There is no note "${id}"` });
      }
    }
  });

  it('are listed in pages without gaps during changes (FT-36)', async () => {
    const notes = await make();
    await fill(notes, ...Array.from({ length: 8 }, (_, index) => ({ title: `t${index}`, content: 'x'.repeat(80) })));
    const first = await notes.list({ order: 'newest first', limit: 4 });
    expect(first.map(({ id }) => id)).toEqual(['note_10', 'note_9', 'note_8', 'note_7']);
    expect(first[0]).toMatchObject({ title: 't7', preview: 'x'.repeat(50), tags: [] });
    await notes.create({ title: 'meanwhile', content: '', tags: [] });
    await notes.remove('note_7');
    const second = await notes.list({ order: 'newest first', from: 'note_7', limit: 4 });
    expect(second.map(({ id }) => id)).toEqual(['note_6', 'note_5', 'note_4', 'note_3']);
    const oldest = await notes.list({ order: 'oldest first', from: 'note_5', limit: 3 });
    expect(oldest.map(({ id }) => id)).toEqual(['note_6', 'note_8', 'note_9']);
    expect((await notes.after('note_5', 2)).map(({ id }) => id)).toEqual(['note_6', 'note_8']);
  });

  it('are listed by tag in any spelling', async () => {
    const notes = await make();
    await fill(notes, { title: 'a', tags: ['Work', 'Straße'] }, { title: 'b', tags: ['WORK'] }, { title: 'c' });
    const tagged = async (tag: string): Promise<string[]> =>
      (await notes.list({ tag, order: 'newest first', limit: 9 })).map(({ title }) => title);
    expect(await tagged('work')).toEqual(['b', 'a']);
    expect(await tagged(' STRAßE ')).toEqual(['a']);
    expect(await tagged('wor')).toEqual([]);
    await notes.update('note_4', { tags: ['home'] });
    expect(await tagged('work')).toEqual(['a']);
    expect(await tagged('home')).toEqual(['b']);
    expect((await notes.list({ tag: 'home', order: 'newest first', from: 'note_4', limit: 9 })).length).toBe(0);
  });

  const texts = openOnce(fresh, (notes) =>
    fill(
      notes,
      { title: 'Meeting', content: 'The budget plan of next year; send it by e-mail.' },
      { title: 'Über uns', content: 'Wer wir sind' },
      { title: 'Pause', content: 'Im Café an der Straße' },
      { title: '旅行', content: '東京と京都へ行く。トウキョウ' },
      { title: 'Greek', content: 'Ο Σίσυφος, हिन्दी and viii' },
    ),
  );

  it.each([
    ['MEETING', ['Meeting', 'Searching']],
    ['meet', ['Meeting', 'Searching']],
    ['eeting', ['Meeting', 'Searching']],
    ['uber', ['Über uns']],
    ['ÜBER', ['Über uns']],
    ['cafe\u0301', ['Pause']],
    ['STRASSE', ['Pause']],
    ['budget meet', ['Meeting']],
    ['budget cafe', []],
    ['"budget plan"', ['Meeting']],
    ['"plan budget"', []],
    ['"budget pla"', []],
    ['e-mail', ['Meeting']],
    ['mail-e', []],
    ['東京', ['旅行']],
    ['京都', ['旅行']],
    ['東都', []],
    ['ﾄｳｷｮｳ', ['旅行']],
    ['Σίσυφος', ['Greek']],
    ['ΣΙΣΥΦΟΣ', ['Greek']],
    ['हिन्दी', ['Greek']],
    ['हन्दी', []],
    ['Ⅷ', ['Greek']],
    ['%', []],
    ['_', []],
    ['"', ['Searching']],
    ['*', []],
    ["'; drop table notes; --", []],
    ['NEAR(a b) AND NOT', []],
    ['OR OR', []],
    ['NEAR OR', []],
    ['title:meeting', []],
    ['-(^', []],
    ['', ['Greek', '旅行', 'Pause', 'Über uns', 'Meeting', 'Searching', 'Welcome']],
  ])('are found by %j (FT-35)', async (query, expected) => {
    expect(await titles(texts(), query)).toEqual(expected);
  });

  const tagged = openOnce(fresh, (notes) =>
    fill(
      notes,
      { title: 'Roses', content: 'They have thorns, cut them', tags: ['garden', 'été', 'summer'] },
      { title: 'Hedge', content: 'green all year', tags: ['south side', 'garden'] },
      { title: 'Run', content: 'over a hedgehog' },
    ),
  );

  it.each([
    ['tags', 'garden', ['Roses', 'Hedge']],
    ['tags with accents', 'ETE', ['Roses']],
    ['words of which one is a tag', 'roses garden', ['Roses']],
    ['a phrase in a tag', '"south side"', ['Hedge']],
    ['no phrase over two tags', '"side garden"', []],
    ['no phrase over a title and a tag', '"roses garden"', []],
    ['what must not be there', 'garden -thorns', ['Hedge']],
    ['a phrase that must not be there', 'garden -"cut them"', ['Hedge']],
    ['a tag that must not be there', 'roses -summer', []],
    ['alternatives', 'thorns OR hedgehog', ['Roses', 'Run']],
    ['alternatives of several words', 'cut thorns OR green hedge OR no such', ['Roses', 'Hedge']],
    ['what must not be there, in one alternative', 'roses -thorns OR green', ['Hedge']],
    ['all but', '-garden -welcome', ['Run']],
    ['all but, or else', '-garden -welcome OR thorns', ['Run', 'Roses']],
    ['another ending', 'rose', ['Roses']],
    ['endings that the words don’t have', 'thorn cutting', ['Roses']],
    ['an ending less', 'runs', ['Run']],
    ['no other ending in quotes', '"runs"', []],
  ])('are found by %s: %s', async (_, query, expected) => {
    const found = await titles(tagged(), query);
    expect(found.filter((title) => !['Searching', 'Welcome'].includes(title)).sort()).toEqual([...expected].sort());
  });

  const substrings = openOnce(fresh, (notes) =>
    fill(
      notes,
      { title: 'title: OVERBUDGETED', tags: ['baggy'] },
      { title: 'inside', content: 'We are overBudgeted' },
      { title: 'Budget', content: 'a word' },
      { title: 'plants', content: 'Plant roses, plant roots' },
      { title: 'arrow', content: 'a=>b, p->q, x(y), 50%_\\, 7" wide' },
      { title: 'party', content: 'ÜBERFÜLLT I♥☂ 🎉' },
      { title: 'Greek and Russian', content: 'Σίσυφοσ ΟΔΥΣΣΕΥΣ, Известь, STRAẞE' },
    ),
  );

  it.each([
    ['the middle of a word', 'budget', ['Budget', 'inside', 'title: OVERBUDGETED']],
    ['any case', 'rBUDg', ['inside', 'title: OVERBUDGETED']],
    ['parts of two words', 'lant ro', ['plants']],
    ['surrounding spaces', '  lant ro\n', ['plants']],
    ['punctuation', '->', ['arrow']],
    ['punctuation inside', 'x(y)', ['arrow']],
    ['what other languages mean', '50%_\\', ['arrow']],
    ['a quote that is not closed', '7"', ['arrow']],
    ['letters with accents', 'FÜLL', ['party']],
    ['letters without case', '♥☂', ['party']],
    ['letters of other scripts', 'ЕСТЬ', ['Greek and Russian']],
    ['a final sigma', 'ΥΣ', ['Greek and Russian']],
    ['a capital sharp s', 'traß', ['Greek and Russian']],
    ['no other words between', 'lant plant', []],
    ['no title that ends where a content begins', 'rrowa', []],
    ['no tag', 'aggy', []],
    ['no character that can not be stored', 'lant\0', []],
    ['no half of a pair', '\ud83c', []],
    ['quotes', '"lant ro"', []],
    ['quotes beside words', '"over" udget', []],
    ['what must not be there', 'udget -over', []],
    [
      'all but a word that is there in the middle of others',
      '-budget -welcome -plants -arrow -party -greek',
      ['inside', 'title: OVERBUDGETED'],
    ],
    ['alternatives', 'udget OR lant', []],
    ['or that stands between nothing', 'OR', ['Budget', 'Searching', 'Welcome']],
  ])('are found by what they contain: %s', async (_, query, expected) => {
    expect(await titles(substrings(), query)).toEqual(expected);
  });

  it('are found by any substring of three characters', async () => {
    const notes = await make();
    const texts = ['p->q: "a" -b\tc', 'ÜBERFÜLLT, Straße', 'Σίσυφος ΟΔΟΣ 東京', '50% _\\ 👩‍👩‍👧 $1', "it's (a|b)*"];
    await fill(notes, ...texts.map((content, index) => ({ title: `t${index}`, content })));
    for (const [index, text] of texts.entries()) {
      const characters = Array.from(text);
      for (let start = 0; start + 3 <= characters.length; start += 1) {
        const part = characters.slice(start, start + 3).join('');
        for (const query of [part, part.toUpperCase(), part.toLowerCase()]) {
          const isContained = text.toLowerCase().includes(query.trim().toLowerCase());
          if (!isContained || parseQuery(query).substring === undefined) continue;
          expect([query, await titles(notes, query)]).toEqual([query, expect.arrayContaining([`t${index}`])]);
        }
      }
    }
  });

  it('with the query as a substring follow word matches, each once, in pages', async () => {
    const notes = await make();
    for (let index = 0; index < 5; index += 1) {
      await fill(
        notes,
        { title: `inside ${index}`, content: 'a subwayxyz' },
        { title: `word ${index}`, content: 'wayxyz' },
      );
    }
    const words = [4, 3, 2, 1, 0].map((index) => `word ${index}`);
    const all = [...words, ...[4, 3, 2, 1, 0].map((index) => `inside ${index}`)];
    expect(await titles(notes, 'wayxyz')).toEqual(all);
    for (const limit of [1, 2, 3, 5, 7]) {
      const paged: string[] = [];
      for (let offset = 0; offset < 15; offset += limit) {
        paged.push(...(await titles(notes, 'wayxyz', { limit, offset })));
      }
      expect(paged).toEqual(all);
    }
  });

  it('with the query as a substring are those of the owner, without the trash', async () => {
    const notes = await make();
    await fill(notes, { title: 'ours', content: 'a subway' });
    await fill(notes.ownedBy('ann'), { title: 'hers', content: 'the subway' });
    expect(await titles(notes, 'ubwa')).toEqual(['ours']);
    expect(await titles(notes.ownedBy('ann'), 'ubwa')).toEqual(['hers']);
    expect(await titles(notes.ownedBy('bob'), 'ubwa')).toEqual([]);
    await notes.remove('note_3');
    expect(await titles(notes, 'ubwa')).toEqual([]);
    await notes.restore('note_3');
    await notes.update('note_3', { content: 'a SUBWAY that changed' });
    expect(await titles(notes, 'y THAT ch')).toEqual(['ours']);
  });

  it('are found by the last words of a long content', async () => {
    const notes = await make();
    await fill(notes, { title: 'long', content: `${'lorem ipsum '.repeat(20_000)}subwayxyz` });
    expect(await titles(notes, 'bwayxyz')).toEqual(['long']);
  });

  it('with exact matches come before those with other endings', async () => {
    const notes = await make();
    await fill(
      notes,
      { title: 'a', content: 'he runs on and on through a long text about something else' },
      { title: 'b', content: 'run run run' },
      { title: 'run', content: 'run' },
      ...Array.from({ length: 20 }, () => ({ title: 'more', content: 'running' })),
    );
    expect((await titles(notes, 'runs')).slice(0, 2)).toEqual(['a', 'run']);
    expect(await titles(notes, 'runs')).toHaveLength(23);
  });

  it('are found by their current tags', async () => {
    const notes = await make();
    await fill(notes, { title: 'x', tags: ['before'] });
    await notes.update('note_3', { tags: ['afterwards'] });
    expect(await titles(notes, 'before')).toEqual([]);
    expect(await titles(notes, 'afterwards')).toEqual(['x']);
    await notes.remove('note_3');
    expect(await titles(notes, 'afterwards')).toEqual([]);
    await notes.restore('note_3');
    expect(await titles(notes, 'afterwards')).toEqual(['x']);
  });

  it('survive a search for ten thousand characters (FT-35)', async () => {
    const notes = await make();
    expect(await titles(notes, 'a '.repeat(5000))).toEqual([expect.any(String), expect.any(String)]);
    expect(await titles(notes, 'x'.repeat(10_000))).toEqual([]);
    expect(await titles(notes, '"'.repeat(10_001))).toEqual([]);
  });

  it('are ranked: title above content, more matches above fewer, the newest of equals first', async () => {
    const notes = await make();
    await fill(
      notes,
      { title: 'one', content: 'apple and other things that are eaten' },
      { title: 'often', content: 'apple apple apple and other things' },
      { title: 'apple', content: 'round and red and other things here' },
      { title: 'one again', content: 'apple and other things that eaten' },
      { title: 'none', content: 'a pear and other things that are eaten' },
    );
    expect(await titles(notes, 'apple')).toEqual(['apple', 'often', 'one again', 'one']);
    expect(await titles(notes, 'apple', { limit: 2, offset: 1 })).toEqual(['often', 'one again']);
  });

  it('are found by their current content', async () => {
    const notes = await make();
    await fill(notes, { title: 'x', content: 'before' });
    await notes.update('note_3', { content: 'afterwards' });
    expect(await titles(notes, 'before')).toEqual([]);
    expect(await titles(notes, 'afterwards')).toEqual(['x']);
    await notes.update('note_3', { title: 'y' });
    expect(await titles(notes, 'afterwards y')).toEqual(['y']);
  });

  it('offer ids with a prefix', async () => {
    const notes = await make();
    await fill(notes, ...Array.from({ length: 10 }, (_, index) => ({ title: `t${index}` })));
    expect(await notes.idsLike('note_1', 3)).toEqual({ ids: ['note_1', 'note_10', 'note_11'], total: 4 });
    expect(await notes.idsLike('', 2)).toEqual({ ids: ['note_1', 'note_2'], total: 12 });
    expect(await notes.idsLike('noteX1', 3)).toEqual({ ids: [], total: 0 });
    expect(await notes.idsLike('note%', 3)).toEqual({ ids: [], total: 0 });
  });

  it('import foreign notes once', async () => {
    const notes = await make();
    const times = { created_at: '2001-02-03T04:05:06.789Z', updated_at: '2002-02-03T04:05:06.789Z' };
    const old = { title: 'old', content: 'letters', tags: ['Then'], ...times };
    expect(await notes.add([old, { ...old, title: 'older' }, old])).toBe(2);
    expect(await notes.add([old])).toBe(0);
    expect(await notes.get('note_3')).toEqual({ id: 'note_3', ...old });
    expect(await titles(notes, 'letters')).toEqual(['older', 'old']);
    expect(await notes.list({ tag: 'then', order: 'oldest first', limit: 5 })).toHaveLength(2);
  });

  it('import seed notes of another store only if they were changed', async () => {
    const [notes, other] = [await make(), await make()];
    await other.update('note_2', { content: 'mine' });
    await notes.remove('note_1');
    const theirs = (await other.after(undefined, 9)).map(({ id: _, ...note }) => note);
    expect(await notes.add(theirs)).toBe(1);
    expect((await notes.after('note_2', 9)).map(({ content }) => content)).toEqual(['mine']);
    expect(await notes.ownedBy('ann').add(theirs)).toBe(2);
  });

  it('are all stored when created concurrently (FT-02)', async () => {
    const notes = await make();
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, index) => notes.create({ title: `t${index}`, content: '', tags: ['many'] })),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(50);
    const all = await notes.list({ tag: 'many', order: 'oldest first', limit: 100 });
    expect(all.map(({ title }) => title).sort()).toEqual(made.map(({ title }) => title).sort());
  });

  it('created concurrently keep their order, and a rejected one does not affect others', async () => {
    const received: NoteChange[] = [];
    const notes = await open(await fresh(), (changes) => received.push(...changes));
    const draft = (title: string): Draft => ({ title, content: title.repeat(3), tags: [title, 'all'] });
    // Any of several concurrent calls with one key may be the first.
    await notes.create(draft('b'), { key: 'k' });
    const outcomes = await Promise.allSettled([
      notes.create(draft('a')),
      notes.create(draft('b'), { key: 'k' }),
      notes.update(unused, { title: 'none' }),
      notes.create(draft('c')),
      notes.create(draft('b'), { key: 'k' }),
      notes.create(draft('other'), { key: 'k' }),
      notes.ownedBy('ann').create(draft('d')),
      notes.create(draft('e')),
    ]);
    const kinds = outcomes.map(({ status }) => status);
    const [done, rejected] = ['fulfilled', 'rejected'];
    expect(kinds).toEqual([done, done, rejected, done, done, rejected, done, done]);
    const listed = await notes.list({ tag: 'all', order: 'oldest first', limit: 9 });
    expect(listed.map(({ title }) => title).sort()).toEqual(['a', 'b', 'c', 'e']);
    const plain = listed.map(({ title }) => title).filter((title) => title !== 'b');
    expect(plain).toEqual(['a', 'c', 'e']);
    expect(await titles(notes, 'ccc')).toEqual(['c']);
    expect(await titles(notes.ownedBy('ann'), 'ddd')).toEqual(['d']);
    expect(received).toHaveLength(5);
    expect(received.filter(({ owner }) => owner === 'ann')).toHaveLength(1);
  });

  it('announce changes, and whether lists change', async () => {
    const received: NoteChange[] = [];
    const notes = await open(await fresh(), (changes) => received.push(...changes));
    const { id } = await notes.create({ title: 'a', content: 'x'.repeat(60), tags: [] });
    await notes.update(id, { content: `${'x'.repeat(60)} and more` });
    await notes.update(id, { title: 'b' });
    await notes.remove(id);
    await notes.restore(id);
    await notes.restore(id);
    await expect(notes.update(unused, {})).rejects.toThrow('no note');
    const listed = [true, false, true, true, true];
    expect(received).toEqual(listed.map((shown) => ({ id, owner: '', listed: shown })));
  });

  it('announce changes by another process', async () => {
    const options = await fresh();
    const received: NoteChange[] = [];
    let wake = (): void => {};
    const ours = await open(options, (changes) => {
      received.push(...changes);
      wake();
    });
    const theirs = await open(options);
    await ours.get('note_1');
    const hearing = async (change: NoteChange): Promise<void> => {
      while (!received.some(({ id, listed }) => id === change.id && listed === change.listed)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          ours.refresh();
        });
      }
      received.length = 0;
    };
    await theirs.create({ title: 'theirs', content: 'x'.repeat(50), tags: [] });
    await hearing({ id: 'note_3', owner: '', listed: true });
    await theirs.update('note_3', { content: `${'x'.repeat(50)}y` });
    await hearing({ id: 'note_3', owner: '', listed: false });
    await ours.create({ title: 'ours', content: '', tags: [] });
    await hearing({ id: 'note_4', owner: '', listed: true });
    await theirs.remove('note_4');
    await hearing({ id: 'note_4', owner: '', listed: true });
    expect(await ours.idsLike('note_4', 1)).toEqual({ ids: [], total: 0 });
  });

  it('can be opened for the first time concurrently', async () => {
    const options = await fresh();
    const all = await Promise.all(Array.from({ length: 8 }, () => open(options)));
    const made = await Promise.all(all.map((notes) => notes.create({ title: 'mine', content: '', tags: [] })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(8);
    expect((await all[0]?.after(undefined, 20))?.length).toBe(10);
  });

  it('are rejected after close', async () => {
    const options = await fresh();
    const notes = await open(options);
    await notes.create({ title: 'kept', content: '', tags: [] });
    await notes.close();
    await expect(notes.get('note_1')).rejects.toMatchObject({ problem: 'unavailable' });
    expect((await (await open(options)).get('note_3')).title).toBe('kept');
  });
});
