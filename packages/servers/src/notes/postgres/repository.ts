import { randomUUID } from 'node:crypto';
import type { QueryResultRow as Row } from 'pg';
import {
  type Draft,
  type Note,
  type NoteSummary,
  noteId,
  noteNumber,
  previewLength,
  previewOf,
  tagKey,
} from '../note.ts';
import { conflict, missing, trashed } from '../notes-error.ts';
import type { ChangeListener, NoteChange, NoteRepository } from '../repository.ts';
import { PostgresDatabase } from './connect.ts';
import type { Query } from './query.ts';
import { hear } from './hear.ts';
import { toTsquery, toVector } from './text-search.ts';

/** As much of a content as a search looks at again, to show where it was found. */
const searchedLength = 100_000;
/** Of more matches than these, only the newest are ranked: a word that is everywhere tells nothing. */
const ranked = 10_000;
const maxChanges = 10_000;
const columns = 'n, title, content, tags, created_at, updated_at, deleted_at';

/** What instances tell each other. */
interface Told extends NoteChange {
  by: string;
}

interface Changed {
  note: Note;
  listed: boolean;
}

/** Notes in a PostgreSQL database that any number of instances may use. */
export function postgresNotes(url: string, listener: ChangeListener): NoteRepository {
  const self = randomUUID();
  const database = new PostgresDatabase(url);
  let hearing: Promise<Hearing> | undefined;

  /** Starts hearing of the changes of other instances, before the first of ours. */
  function heard(): Promise<Hearing> {
    hearing ??= database
      .read((query) => hearChanges(query, url, { self, listener, missed: (since) => changesSince(database, since) }))
      .catch((error: unknown) => {
        hearing = undefined;
        throw error;
      });
    return hearing;
  }

  async function read<T>(work: (query: Query) => Promise<T>): Promise<T> {
    await heard();
    return database.read(work);
  }

  /** Runs a change, and tells of it once it is committed. */
  async function change(work: (query: Query) => Promise<Changed>): Promise<Note> {
    const { channel } = await heard();
    const { note, listed } = await database.write(async (query) => {
      const changed = await work(query);
      await tell(query, channel, { id: changed.note.id, listed: changed.listed, by: self });
      return changed;
    });
    listener([{ id: note.id, listed }]);
    return note;
  }

  return {
    create: (draft) => change(async (query) => ({ note: await insert(query, draft), listed: true })),

    get: (id) => read(async (query) => toNote(live(id, await find(query, id)))),

    update: (id, changes, { expected } = {}) =>
      change(async (query) => {
        const old = toNote(live(id, await lock(query, id)));
        if (expected !== undefined && expected !== old.updated_at) throw conflict(id, old.updated_at);
        const { title, content, tags } = { ...old, ...changes };
        const n = noteNumber(id);
        const [row] = await query(
          `update ccmcp_notes
           set title = $2, content = $3, tags = $4, words = $5::tsvector,
             updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
           where n = $1 returning ${columns}`,
          [n, title, content, tags, toVector({ title, content })],
        );
        await forgetTags(query, n, old);
        await indexTags(query, n, tags);
        const note = toNote(row as Row);
        return { note, listed: note.title !== old.title || previewOf(note.content) !== previewOf(old.content) };
      }),

    remove: (id) =>
      change(async (query) => {
        const note = toNote(live(id, await lock(query, id)));
        const n = noteNumber(id);
        await query('update ccmcp_notes set deleted_at = clock_timestamp(), words = null where n = $1', [n]);
        await forgetTags(query, n, note);
        return { note, listed: true };
      }),

    restore: (id) =>
      change(async (query) => {
        const row = await lock(query, id);
        if (row === undefined) throw missing(id);
        const note = toNote(row);
        if (row.deleted_at === null) return { note, listed: false };
        const n = noteNumber(id);
        await query('update ccmcp_notes set deleted_at = null, words = $2::tsvector where n = $1', [n, toVector(note)]);
        await indexTags(query, n, note.tags);
        return { note, listed: true };
      }),

    list: ({ tag, order, from, limit }) =>
      read(async (query) => {
        const [beyond, direction, start] =
          order === 'newest first' ? ['<', 'desc', Number.MAX_SAFE_INTEGER] : ['>', 'asc', 0];
        const last = from === undefined ? start : noteNumber(from);
        const shown = `notes.n, title, left(content, ${previewLength}) as preview, tags, created_at, updated_at`;
        const rows =
          tag === undefined
            ? await query(
                `select ${shown} from ccmcp_notes as notes
                 where deleted_at is null and n ${beyond} $1 order by n ${direction} limit $2`,
                [last, limit],
              )
            : await query(
                `select ${shown} from ccmcp_note_tags as tagged join ccmcp_notes as notes on notes.n = tagged.n
                 where tag = $3 and tagged.n ${beyond} $1 order by tagged.n ${direction} limit $2`,
                [last, limit, tagKey(tag)],
              );
        return rows.map(toSummary);
      }),

    search: (phrases, { limit, offset }) =>
      read(async (query) => {
        if (phrases.length === 0) return [];
        const rows = await query(
          `select notes.n, title, left(content, ${searchedLength}) as content, tags, created_at, updated_at
           from (
             select n, ts_rank('{0.1, 0.2, 0.4, 1}', words, $1::tsquery, 1) as score
             from (
               select n, words from ccmcp_notes where words @@ $1::tsquery order by n desc limit ${ranked}
             ) as matching
             order by score desc, n desc limit $2 offset $3
           ) as found join ccmcp_notes as notes on notes.n = found.n
           order by score desc, notes.n desc`,
          [toTsquery(phrases), limit, offset],
        );
        return rows.map(toNote);
      }),

    after: (id, limit) =>
      read(async (query) => {
        const rows = await query(
          `select ${columns} from ccmcp_notes where deleted_at is null and n > $1 order by n limit $2`,
          [id === undefined ? 0 : noteNumber(id), limit],
        );
        return rows.map(toNote);
      }),

    idsLike: (prefix, limit) =>
      read(async (query) => {
        const rows = await query(
          `select n, count(*) over () as total from ccmcp_notes
           where deleted_at is null and starts_with('note_' || n, $1) order by n limit $2`,
          [prefix.replaceAll('\0', '\ufffd'), limit],
        );
        return { ids: rows.map(({ n }) => noteId(Number(n))), total: Number(rows[0]?.total ?? 0) };
      }),

    async add(notes) {
      const { channel } = await heard();
      const changes = await database.write(async (query) => {
        const added: NoteChange[] = [];
        for (const note of notes) {
          const same = await query(
            'select 1 from ccmcp_notes where created_at = $1 and title = $2 and content = $3 limit 1',
            [note.created_at, note.title, note.content],
          );
          if (same.length > 0) continue;
          const { id } = await insert(query, note);
          added.push({ id, listed: true });
          await tell(query, channel, { id, listed: true, by: self });
        }
        return added;
      });
      if (changes.length > 0) listener(changes);
      return changes.length;
    },

    refresh: () => {},

    async close() {
      await (await hearing)?.stop();
      await database.close();
    },
  };
}

interface Hearing {
  channel: string;
  stop(): Promise<void>;
}

interface HearingOptions {
  self: string;
  listener: ChangeListener;
  missed(since: Date): Promise<NoteChange[]>;
}

/** Hears of others' changes. Where the connection was lost meanwhile, all that changed since is told. */
async function hearChanges(query: Query, url: string, { self, listener, missed }: HearingOptions): Promise<Hearing> {
  const [row] = await query('select current_schema() as schema');
  const channel = `ccmcp_notes ${String(row?.schema)}`.slice(0, 63);
  let last = new Date();
  const { stop } = await hear({
    url,
    channel,
    told: (payload) => {
      last = new Date();
      const { by, ...change } = JSON.parse(payload) as Told;
      if (by !== self) listener([change]);
    },
    again: () => {
      void missed(last).then(listener, () => {});
      last = new Date();
    },
  });
  return { channel, stop };
}

async function tell(query: Query, channel: string, told: Told): Promise<void> {
  await query('select pg_notify($1, $2)', [channel, JSON.stringify(told)]);
}

/** What changed since a time, by the database's clock or nearly so: rather too much than too little. */
async function changesSince(database: PostgresDatabase, time: Date): Promise<NoteChange[]> {
  const from = new Date(time.getTime() - 60_000);
  const rows = await database.read((query) =>
    query(`select n from ccmcp_notes where updated_at >= $1 or deleted_at >= $1 order by n limit ${maxChanges}`, [
      from,
    ]),
  );
  return rows.map(({ n }) => ({ id: noteId(Number(n)), listed: true }));
}

async function insert(query: Query, note: Draft & Partial<Pick<Note, 'created_at' | 'updated_at'>>): Promise<Note> {
  const { title, content, tags, created_at = null, updated_at = null } = note;
  const [row] = await query(
    `insert into ccmcp_notes (title, content, tags, created_at, updated_at, words)
     select $1, $2, $3, coalesce($4::timestamptz, now), coalesce($5::timestamptz, now), $6::tsvector
     from date_trunc('milliseconds', clock_timestamp()) as now
     returning ${columns}`,
    [title, content, tags, created_at, updated_at, toVector({ title, content })],
  );
  const made = toNote(row as Row);
  await indexTags(query, noteNumber(made.id), tags);
  return made;
}

async function indexTags(query: Query, n: number, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return;
  await query('insert into ccmcp_note_tags select unnest($1::text[]), $2 on conflict do nothing', [
    tags.map(tagKey),
    n,
  ]);
}

async function forgetTags(query: Query, n: number, { tags }: Note): Promise<void> {
  if (tags.length === 0) return;
  await query('delete from ccmcp_note_tags where n = $1 and tag = any($2::text[])', [n, tags.map(tagKey)]);
}

async function find(query: Query, id: string): Promise<Row | undefined> {
  return (await query(`select ${columns} from ccmcp_notes where n = $1`, [noteNumber(id)]))[0];
}

async function lock(query: Query, id: string): Promise<Row | undefined> {
  return (await query(`select ${columns} from ccmcp_notes where n = $1 for update`, [noteNumber(id)]))[0];
}

function live(id: string, row: Row | undefined): Row {
  if (row === undefined) throw missing(id);
  if (row.deleted_at !== null) throw trashed(id);
  return row;
}

function toNote({ n, title, content, tags, created_at, updated_at }: Row): Note {
  return {
    id: noteId(Number(n)),
    title: title as string,
    content: content as string,
    tags: tags as string[],
    created_at: (created_at as Date).toISOString(),
    updated_at: (updated_at as Date).toISOString(),
  };
}

function toSummary({ n, title, preview, tags, created_at, updated_at }: Row): NoteSummary {
  return {
    id: noteId(Number(n)),
    title: title as string,
    tags: tags as string[],
    created_at: (created_at as Date).toISOString(),
    updated_at: (updated_at as Date).toISOString(),
    preview: preview as string,
  };
}
