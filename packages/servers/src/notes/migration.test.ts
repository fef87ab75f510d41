import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder } from '../../../../test/support/ccmcp.ts';
import { open, connectDirectly, postgresKinds } from './fixtures/stores.ts';
import type { NoteRepository } from './repository.ts';
import { parseQuery } from './search.ts';
import { loadSqlite } from './sqlite/driver.ts';

const time = '2024-05-06T07:08:09.123Z';

/** Expects two notes, one of them in the trash, as they were before notes had owners. */
async function expectOldNotes(notes: NoteRepository): Promise<NoteRepository> {
  const old = { title: 'Old', content: 'words', tags: ['Tag'], created_at: time, updated_at: time };
  expect(await notes.get('note_1')).toEqual({ id: 'note_1', ...old });
  expect(await notes.list({ tag: 'tag', order: 'newest first', limit: 9 })).toHaveLength(1);
  expect(await notes.search(parseQuery('words'), { limit: 9, offset: 0 })).toHaveLength(1);
  expect(await notes.search(parseQuery('tag'), { limit: 9, offset: 0 })).toHaveLength(1);
  await expect(notes.get('note_2')).rejects.toThrow(/trash/);
  expect((await notes.restore('note_2')).title).toBe('Gone');
  expect((await notes.create({ title: 'New', content: '', tags: [] }, { key: 'k' })).id).toBe('note_3');
  return notes.ownedBy('ann');
}

it('a SQLite file of version 1 keeps its notes without an owner', async () => {
  const db = join(emptyFolder(), 'notes.db');
  const sqlite = new (await loadSqlite())(db);
  sqlite.exec(`
    create table notes (
         n integer primary key autoincrement,
         title text not null,
         content text not null,
         tags text not null,
         created_at text not null,
         updated_at text not null,
         deleted_at text,
         change integer not null,
         listed integer not null
       ) strict;
    create index notes_live on notes (n) where deleted_at is null;
    create index notes_created on notes (created_at);
    create unique index notes_change on notes (change);
    create table note_tags (tag text not null, n integer not null, primary key (tag, n)) strict, without rowid;
    create virtual table note_words using fts5 (
      title, content, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3'
    );
    pragma application_id = 0x6e6f7465;
    pragma user_version = 1;
    insert into notes (title, content, tags, created_at, updated_at, deleted_at, change, listed)
      values ('Old', 'words', '["Tag"]', '${time}', '${time}', null, 1, 1), ('Gone', '', '[]', '${time}', '${time}', '${time}', 2, 2);
    insert into note_tags values ('tag', 1);
    insert into note_words (rowid, title, content) values (1, 'old', 'words')`);
  sqlite.close();
  const notes = await open({ db });
  expect(await (await expectOldNotes(notes)).after(undefined, 9)).toEqual([]);
  await notes.close();
  expect((await (await open({ db })).get('note_1')).title).toBe('Old');
});

it('a SQLite file of version 2 is checked for damage, then its tags are indexed', async () => {
  const db = join(emptyFolder(), 'notes.db');
  const first = await open({ db });
  await first.create({ title: 'Old', content: 'words', tags: ['Some Tag'] });
  await first.create({ title: 'Gone', content: '', tags: ['Some Tag'] });
  await first.remove('note_4');
  await first.close();
  const sqlite = new (await loadSqlite())(db);
  sqlite.exec(`
    drop table note_words;
    create virtual table note_words using fts5 (
         title, content, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3'
       );
    insert into note_words (rowid, title, content) values (1, 'welcome', ''), (2, 'searching', ''), (3, 'old', 'words');
    pragma user_version = 2`);
  sqlite.close();
  const bytes = readFileSync(db);
  const second = await open({ db });
  const found = await second.search(parseQuery('"some tag"'), { limit: 9, offset: 0 });
  expect(found.map(({ title }) => title)).toEqual(['Old']);
  expect(await second.search(parseQuery('old word'), { limit: 9, offset: 0 })).toHaveLength(1);
  await second.close();

  const place = bytes.indexOf('Some Tag');
  bytes[place] = 'T'.charCodeAt(0);
  writeFileSync(db, bytes);
  await expect((await open({ db })).get('note_1')).rejects.toThrow(/damaged/);
});

it.each(postgresKinds)(
  'a database in $name from before notes had owners keeps its notes, as nobody’s',
  async ({ fresh }) => {
    const options = await fresh();
    const client = await connectDirectly(options);
    await client.query(`
    create table ccmcp_notes (
      n bigint generated always as identity primary key,
      title text not null,
      content text not null,
      tags text[] not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      words tsvector
    );
    create index ccmcp_notes_live on ccmcp_notes (n) where deleted_at is null;
    create index ccmcp_notes_created on ccmcp_notes (created_at);
    create index ccmcp_notes_updated on ccmcp_notes (updated_at);
    create index ccmcp_notes_words on ccmcp_notes using gin (words);
    create table ccmcp_note_tags (tag text not null, n bigint not null, primary key (tag, n));
    create table ccmcp_notes_version (version integer not null);
    insert into ccmcp_notes_version values (1);
    insert into ccmcp_notes (title, content, tags, created_at, updated_at, deleted_at, words)
      values ('Old', 'words', '{Tag}', '${time}', '${time}', null, '''words'':1'), ('Gone', '', '{}', '${time}', '${time}', now(), null);
    insert into ccmcp_note_tags values ('tag', 1)`);
    expect(await (await expectOldNotes(await open(options))).after(undefined, 9)).toEqual([]);
  },
);
