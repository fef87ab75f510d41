import type { QueryResultRow } from 'pg';
import { type Draft, NotesError, seedNotes } from '../note.ts';
import { toVector } from './full-text.ts';

/** Runs one statement with values for `$1` and so on. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<QueryResultRow[]>;

/** The key of the advisory lock. */
const migrationLock = 7_205_117_431;

type Step = (query: Query) => Promise<unknown>;

/** Migrations: each upgrades from the version of its index. */
const steps: readonly Step[] = [
  async (query) => {
    await query(`
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
      insert into ccmcp_notes_version values (0)`);
    for (const { title, content, tags } of seedNotes) {
      await query(
        `with made as (
           insert into ccmcp_notes (title, content, tags, created_at, updated_at, words)
           values ($1, $2, $3, now(), now(), $4::tsvector) returning n
         )
         insert into ccmcp_note_tags (tag, n) select unnest($3::text[]), n from made`,
        [title, content, tags, toVector({ title, content, tags })],
      );
    }
  },

  // Owners and idempotency keys.
  (query) =>
    query(`
      alter table ccmcp_notes
        add column owner text not null default '', add column key text, add column draft text;
      drop index ccmcp_notes_live;
      create index ccmcp_notes_owned on ccmcp_notes (owner, n) where deleted_at is null;
      create unique index ccmcp_notes_key on ccmcp_notes (owner, key) where key is not null;
      alter table ccmcp_note_tags add column owner text not null default '';
      alter table ccmcp_note_tags drop constraint ccmcp_note_tags_pkey, add primary key (owner, tag, n)`),

  // Adds tags to the search index.
  async (query) => {
    let last = 0;
    for (;;) {
      const rows = await query(
        'select n, title, content, tags from ccmcp_notes where n > $1 and deleted_at is null order by n limit 100',
        [last],
      );
      if (rows.length === 0) return;
      last = Number(rows.at(-1)?.n);
      const vectors = rows.map((row) => toVector(row as unknown as Draft));
      await query(
        `update ccmcp_notes set words = given.words::tsvector
         from unnest($1::bigint[], $2::text[]) as given (n, words) where ccmcp_notes.n = given.n`,
        [rows.map(({ n }) => n), vectors],
      );
    }
  },
];

interface Database {
  query: Query;
  transaction(work: (query: Query) => Promise<void>): Promise<void>;
}

/** Migrates a database to the current version. Concurrent instances wait for the first one. */
export async function migrate({ query, transaction }: Database): Promise<void> {
  if ((await versionOf(query)) === steps.length) return;
  await transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [migrationLock]);
    const version = await versionOf(query);
    if (version > steps.length) {
      throw new NotesError(
        'unavailable',
        `The database was prepared by a newer version of this program (${version}, this one knows ${steps.length})`,
      );
    }
    for (const step of steps.slice(version)) await step(query);
    await query('update ccmcp_notes_version set version = $1', [steps.length]);
  });
}

async function versionOf(query: Query): Promise<number> {
  // Not to_regclass, which may return a stale result after the lock.
  const tables = await query(
    `select 1 from pg_tables where tablename = 'ccmcp_notes_version' and schemaname = any(current_schemas(false))`,
  );
  if (tables.length === 0) return 0;
  const [row] = await query('select version from ccmcp_notes_version');
  return Number(row?.version);
}
