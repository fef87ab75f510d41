import { createHash } from 'node:crypto';
import { type Note, type NoteSummary, noteId, type Draft, tagKey } from '../note.ts';
import { DamageError } from './damage.ts';
import type { Connection, Row, Value } from './driver.ts';
import { foldedWords } from '../search.ts';

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

const textColumns = [
  'owner',
  'key',
  'draft',
  'title',
  'content',
  'tags',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof NoteRow)[];

/** Selects a text as bytes, because libsql aborts the process on invalid UTF-8. */
export function asBytes(text: string, name: string = text): string {
  return `cast(${text} as blob) as ${name}`;
}

/** The columns of a `NoteRow`, with an expression for the content. */
export function columnsWith(content: string): string {
  const expression = (name: string): string => (name === 'content' ? content : `notes.${name}`);
  return ['notes.n', ...textColumns.map((name) => asBytes(expression(name), name))].join(', ');
}

/** The columns of a `NoteRow`. */
export const rowColumns: string = columnsWith('content');

function valuesOf(row: NoteRow): Value[] {
  return [row.n, ...textColumns.map((name) => row[name])];
}

/** The checksum of a row: SQLite does not detect changed text on the disk. */
export function checksum(row: NoteRow): string {
  return createHash('sha256')
    .update(JSON.stringify(valuesOf(row)))
    .digest('base64')
    .slice(0, 16);
}

const nullable: ReadonlySet<string> = new Set(['key', 'draft', 'deleted_at']);

/** Converts a selected row. */
export function toRow(row: Row): NoteRow {
  const texts = textColumns.map((name) => [
    name,
    row[name] === null && nullable.has(name) ? null : decodeText(row[name]),
  ]);
  return { n: Number(row.n), ...Object.fromEntries(texts) } as NoteRow;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a text selected as bytes. */
export function decodeText(bytes: unknown): string {
  if (!(bytes instanceof Uint8Array || bytes instanceof ArrayBuffer)) throw new DamageError('a text is none');
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new DamageError('a text is no UTF-8', { cause: error });
  }
}

/** Converts a row to a note. */
export function toNote({ n, title, content, tags, created_at, updated_at }: NoteRow): Note {
  return { id: noteId(n), title, content, tags: parseTags(tags), created_at, updated_at };
}

/** Converts a row with a preview to a summary. */
export function toSummary(row: NoteRow): NoteSummary {
  const { content: preview, ...facts } = toNote(row);
  return { ...facts, preview };
}

/** Parses the tags of a row. */
export function parseTags(json: string): string[] {
  try {
    return JSON.parse(json) as string[];
  } catch (error) {
    throw new DamageError('tags are no list', { cause: error });
  }
}

/** Inserts a note and indexes it unless it is in the trash; `change` is the number of the change. */
export function insertRow(connection: Connection, row: NoteRow, change: number): void {
  const values = [...valuesOf(row), change, change, checksum(row)];
  connection
    .sql(
      `insert into notes (n, ${textColumns.join(', ')}, change, listed, sum)
       values (${values.map(() => '?').join(', ')})`,
    )
    .run(...values);
  if (row.deleted_at === null) indexNote(connection, row, toNote(row));
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
  for (const tag of parseTags(tags)) {
    connection.sql('delete from owned_tags where owner = ? and tag = ? and n = ?').run(owner, tagKey(tag), n);
  }
  connection.sql('delete from note_words where rowid = ?').run(n);
}

/** An unsearchable word that prevents phrases across tags. */
const gap = ' · ';

/** The folded words of a note, by column of the index: title, content, tags. */
export function indexedWords({ title, content, tags }: Draft): [string, string, string] {
  const words = (text: string): string => foldedWords(text).join(' ');
  return [words(title), words(content), tags.map(words).join(gap)];
}
