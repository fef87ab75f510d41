import { createHash } from 'node:crypto';
import { type Note, type NoteSummary, noteId, type Draft, tagKey } from '../note.ts';
import { DamageError } from './damage.ts';
import type { Row, Connection } from './driver.ts';
import { indexedWords } from './full-text.ts';

/** A row of the table of notes. */
export interface NoteRow {
  n: number;
  owner: string;
  key: string | null;
  /** The hash of its draft, if it has a key. */
  draft: string | null;
  title: string;
  content: string;
  /** A list, as JSON. */
  tags: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

const texts = ['owner', 'key', 'draft', 'title', 'tags', 'created_at', 'updated_at', 'deleted_at'] as const;

/** Selects a text as bytes, because libsql aborts the process on invalid UTF-8. */
export function asBytes(text: string, name: string = text): string {
  return `cast(${text} as blob) as ${name}`;
}

/** The columns of a `NoteRow`, with an expression for the content. */
export function columnsWith(content: string): string {
  return ['notes.n', ...texts.map((name) => asBytes(`notes.${name}`, name)), asBytes(content, 'content')].join(', ');
}

/** The columns of a `NoteRow`. */
export const rowColumns: string = columnsWith('content');

/** The checksum of a row: SQLite does not detect changed text on the disk. */
export function checksum(row: NoteRow): string {
  const { n, owner, key, draft, title, content, tags, created_at, updated_at, deleted_at } = row;
  const text = JSON.stringify([n, owner, key, draft, title, content, tags, created_at, updated_at, deleted_at]);
  return createHash('sha256').update(text).digest('base64').slice(0, 16);
}

/** Converts a selected row. */
export function toRow(row: Row): NoteRow {
  const { n, owner, key, draft, title, content, tags, created_at, updated_at, deleted_at } = row;
  return {
    n: Number(n),
    owner: textIn(owner),
    key: textOrNull(key),
    draft: textOrNull(draft),
    title: textIn(title),
    content: textIn(content),
    tags: textIn(tags),
    created_at: textIn(created_at),
    updated_at: textIn(updated_at),
    deleted_at: textOrNull(deleted_at),
  };
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : textIn(value);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a text selected as bytes. */
export function textIn(bytes: unknown): string {
  if (!(bytes instanceof Uint8Array || bytes instanceof ArrayBuffer)) throw new DamageError('a text is none');
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new DamageError('a text is no UTF-8', { cause: error });
  }
}

/** Converts a row to a note. */
export function noteIn({ n, title, content, tags, created_at, updated_at }: NoteRow): Note {
  return { id: noteId(n), title, content, tags: tagsIn(tags), created_at, updated_at };
}

/** Converts a row with a preview to a summary. */
export function summaryIn(row: NoteRow): NoteSummary {
  const { content: preview, ...facts } = noteIn(row);
  return { ...facts, preview };
}

/** Parses the tags of a row. */
export function tagsIn(json: string): string[] {
  try {
    return JSON.parse(json) as string[];
  } catch (error) {
    throw new DamageError('tags are no list', { cause: error });
  }
}

/** Inserts a note and indexes it unless it is in the trash; `change` is the number of the change. */
export function insertRow(connection: Connection, row: NoteRow, change: number): void {
  const { n, owner, key, draft, title, content, tags, created_at, updated_at, deleted_at } = row;
  connection
    .sql(
      `insert into notes
         (n, owner, key, draft, title, content, tags, created_at, updated_at, deleted_at, change, listed, sum)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(n, owner, key, draft, title, content, tags, created_at, updated_at, deleted_at, change, change, checksum(row));
  if (deleted_at === null) indexNote(connection, row, noteIn(row));
}

/** Adds a note to the full-text and tag indexes. */
export function indexNote(connection: Connection, { n, owner }: NoteRow, { title, content, tags }: Draft): void {
  connection
    .sql('insert into note_words (rowid, title, content, tags) values (?, ?, ?, ?)')
    .run(n, ...indexedWords({ title, content, tags }));
  for (const tag of tags) {
    connection.sql('insert or ignore into owned_tags (owner, tag, n) values (?, ?, ?)').run(owner, tagKey(tag), n);
  }
}

/** Removes a note from the full-text and tag indexes. */
export function unindexNote(connection: Connection, { n, owner, tags }: NoteRow): void {
  for (const tag of tagsIn(tags)) {
    connection.sql('delete from owned_tags where owner = ? and tag = ? and n = ?').run(owner, tagKey(tag), n);
  }
  connection.sql('delete from note_words where rowid = ?').run(n);
}
