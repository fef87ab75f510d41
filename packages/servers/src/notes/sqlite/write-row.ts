import { type Draft, tagKey } from '../note.ts';
import type { Connection } from './connection.ts';
import { indexedWords } from './indexed-words.ts';
import { type NoteRow, noteIn, sumOf, tagsIn } from './note-row.ts';

/** Writes a new note as it is, findable unless it is in the trash; `change` is the number of the change. */
export function insertRow(connection: Connection, row: NoteRow, change: number): void {
  const { n, owner, key, draft, title, content, tags, created_at, updated_at, deleted_at } = row;
  connection
    .sql(
      `insert into notes
         (n, owner, key, draft, title, content, tags, created_at, updated_at, deleted_at, change, listed, sum)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(n, owner, key, draft, title, content, tags, created_at, updated_at, deleted_at, change, change, sumOf(row));
  if (deleted_at === null) index(connection, row, noteIn(row));
}

/** Makes a note findable by its words and tags. */
export function index(connection: Connection, { n, owner }: NoteRow, { title, content, tags }: Draft): void {
  connection
    .sql('insert into note_words (rowid, title, content, tags) values (?, ?, ?, ?)')
    .run(n, ...indexedWords({ title, content, tags }));
  for (const tag of tags) {
    connection.sql('insert or ignore into owned_tags (owner, tag, n) values (?, ?, ?)').run(owner, tagKey(tag), n);
  }
}

/** Takes a note out of what is searched by words and tags. */
export function forget(connection: Connection, { n, owner, tags }: NoteRow): void {
  for (const tag of tagsIn(tags)) {
    connection.sql('delete from owned_tags where owner = ? and tag = ? and n = ?').run(owner, tagKey(tag), n);
  }
  connection.sql('delete from note_words where rowid = ?').run(n);
}
