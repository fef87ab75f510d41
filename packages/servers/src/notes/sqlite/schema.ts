import { firstNotes } from '../first-notes.ts';
import type { Draft } from '../note.ts';
import { NotesError } from '../notes-error.ts';
import type { Database } from './driver.ts';

/** Marks a file as one of ours: the letters "note". */
const applicationId = 0x6e6f7465;

/**
 * Each step leads from its place in this list to the next version. `change` numbers every change of any note, `listed`
 * is the number of the last one that lists show.
 */
const steps: readonly string[] = [
  `create table notes (
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
   );`,
];

/** Brings a file to the present version, inside a transaction of the caller; a new one gets its first notes. */
export function migrate(database: Database, insert: (draft: Draft) => void): void {
  const version = pragma(database, 'user_version');
  for (const step of steps.slice(version)) database.exec(step);
  database.exec(`pragma application_id = ${applicationId}`);
  database.exec(`pragma user_version = ${steps.length}`);
  if (version === 0) for (const draft of firstNotes) insert(draft);
}

/** Tells whether a file has to be brought to the present version; one that isn't ours, or from the future, is refused. */
export function needsMigration(database: Database, path: string): boolean {
  const version = pragma(database, 'user_version');
  const owner = pragma(database, 'application_id');
  if (version > steps.length) {
    throw new NotesError(
      'unavailable',
      `${path} was written by a newer version of this program (${version}, this one knows ${steps.length})`,
    );
  }
  const foreign = owner !== applicationId && (owner !== 0 || version !== 0 || tables(database) > 0);
  if (foreign) throw new NotesError('unavailable', `${path} is a database of another program`);
  return version < steps.length;
}

function pragma(database: Database, name: string): number {
  return Number(database.prepare(`pragma ${name}`).all()[0]?.[name]);
}

function tables(database: Database): number {
  return Number(database.prepare('select count(*) as number from sqlite_master').all()[0]?.number);
}
