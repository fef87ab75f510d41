import { type Draft, NotesError, seedNotes } from '../note.ts';
import type { Database } from './driver.ts';
import { checksum, indexedWords, rowColumns, toNote, toRow } from './rows.ts';

/** The application id of our files: "note". */
const applicationId = 0x6e6f7465;

type Step = (database: Database) => void;

/**
 * Migrations: each upgrades from the version of its index. `change` numbers every change of any note; `listed` is the
 * number of the last one that lists show.
 */
const steps: readonly Step[] = [
  (database) =>
    database.exec(
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
    ),

  // Owners, idempotency keys and checksums.
  (database) => {
    database.exec(
      `alter table notes add column owner text not null default '';
       alter table notes add column key text;
       alter table notes add column draft text;
       alter table notes add column sum text not null default '';
       drop index notes_live;
       create index notes_owned on notes (owner) where deleted_at is null;
       create unique index notes_key on notes (owner, key) where key is not null;
       create table owned_tags (
         owner text not null, tag text not null, n integer not null, primary key (owner, tag, n)
       ) strict, without rowid;
       insert into owned_tags select '', tag, n from note_tags;
       drop table note_tags;`,
    );
    const next = database.prepare(`select ${rowColumns} from notes where n > ? order by n limit 1`);
    const store = database.prepare('update notes set sum = ? where n = ?');
    for (let [row] = next.all(0); row !== undefined; [row] = next.all(Number(row.n))) {
      store.run(checksum(toRow(row)), Number(row.n));
    }
  },

  // Adds tags to the search index.
  (database) => {
    database.exec(
      `drop table note_words;
       create virtual table note_words using fts5 (
         title, content, tags, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3'
       );`,
    );
    const next = database.prepare(
      `select ${rowColumns} from notes where n > ? and deleted_at is null order by n limit 1`,
    );
    const add = database.prepare('insert into note_words (rowid, title, content, tags) values (?, ?, ?, ?)');
    for (let [row] = next.all(0); row !== undefined; [row] = next.all(Number(row.n))) {
      add.run(Number(row.n), ...indexedWords(toNote(toRow(row))));
    }
  },
];

/** The first version with checksums. */
export const firstVersionWithChecksums = 2;

/** Creates the tables of a version in an empty database. */
export function createTables(database: Database, version: number): void {
  for (const step of steps.slice(0, version)) step(database);
}

/** Creates the current schema without notes, inside the caller's transaction. */
export function createCurrentSchema(database: Database): void {
  createTables(database, steps.length);
  mark(database);
}

function mark(database: Database): void {
  database.exec(`pragma application_id = ${applicationId}`);
  database.exec(`pragma user_version = ${steps.length}`);
}

/** Migrates a file to the current version inside the caller's transaction; adds seed notes to a new one. */
export function migrate(database: Database, insert: (draft: Draft) => void): void {
  const version = versionOf(database);
  for (const step of steps.slice(version)) step(database);
  mark(database);
  if (version === 0) for (const draft of seedNotes) insert(draft);
}

/** Whether a file needs a migration. Throws for a foreign file and for a newer version. */
export function needsMigration(database: Database, path: string): boolean {
  const version = versionOf(database);
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

/** The schema version of a file; 0 for an empty one. */
export function versionOf(database: Database): number {
  return pragma(database, 'user_version');
}

function pragma(database: Database, name: string): number {
  return Number(database.prepare(`pragma ${name}`).all()[0]?.[name]);
}

function tables(database: Database): number {
  return Number(database.prepare('select count(*) as number from sqlite_master').all()[0]?.number);
}
