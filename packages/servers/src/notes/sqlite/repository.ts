import { clearInterval, setInterval } from 'node:timers';
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
import { foldedWords } from '../words.ts';
import { type Connection, SqliteFile, transaction } from './connection.ts';
import type { Row } from './driver.ts';
import { toMatch } from './match.ts';
import { migrate, needsMigration } from './schema.ts';

const columns = 'n, title, content, tags, created_at, updated_at, deleted_at';
/** How often a quiet process looks for changes that others made. */
const lookMs = 1000;
const maxChanges = 10_000;
/** As much of a content as a search looks at again, to show where it was found. */
const searchedLength = 100_000;
/** Of more matches than these, only the newest are ranked: a word that is everywhere tells nothing. */
const ranked = 10_000;

/** Notes in one SQLite file that any number of processes may use at the same time. */
export function sqliteNotes(path: string, listener: ChangeListener): NoteRepository {
  let seen: { version: unknown; change: number } | undefined;
  const file = new SqliteFile({ path, prepare });
  const timer = setInterval(refresh, lookMs).unref();

  function prepare(connection: Connection): void {
    const { database } = connection;
    const old = transaction(connection, 'read', () => needsMigration(database, path));
    if (old) {
      transaction(connection, 'write', () => {
        if (!needsMigration(database, path)) return;
        migrate(database, (draft) => insert(connection, { ...draft, ...freshTimes() }));
      });
    }
    // The version counts for one connection only: after another was opened, changes have to be looked for.
    seen = transaction(connection, 'read', () => {
      const version = seen === undefined ? dataVersion(connection) : undefined;
      return { version, change: seen?.change ?? lastChange(connection) };
    });
  }

  function refresh(): void {
    const changes = file.glance((connection) => {
      const version = dataVersion(connection);
      if (seen === undefined || version === seen.version) return [];
      const rows = changesAfter(connection, seen.change);
      seen = { version: rows.length < maxChanges ? version : undefined, change: rows.at(-1)?.number ?? seen.change };
      return rows;
    });
    if (changes !== undefined && changes.length > 0) listener(changes);
  }

  /** Runs a change, and tells of it once it is stored. */
  async function change(work: (connection: Connection) => Changed): Promise<Note> {
    const { note, listed, number } = await file.write(work);
    // Others' changes may lie between: then ours is found again with them, which does no harm.
    if (seen?.change === number - 1) seen.change = number;
    listener([{ id: note.id, listed }]);
    return note;
  }

  return {
    create: (draft) =>
      change((connection) => {
        const note = insert(connection, { ...draft, ...freshTimes() });
        return { note, listed: true, number: lastChange(connection) };
      }),

    get: (id) => file.read((connection) => toNote(live(connection, id))),

    update: (id, changes, { expected } = {}) =>
      change((connection) => {
        const old = toNote(live(connection, id));
        if (expected !== undefined && expected !== old.updated_at) throw conflict(id, old.updated_at);
        const note: Note = { ...old, ...changes, updated_at: later(old.updated_at) };
        const listed = note.title !== old.title || previewOf(note.content) !== previewOf(old.content);
        return { note, listed, number: store(connection, note, { listed }) };
      }),

    remove: (id) =>
      change((connection) => {
        const note = toNote(live(connection, id));
        const n = noteNumber(id);
        const number = nextChange(connection);
        connection
          .sql('update notes set deleted_at = ?, change = ?, listed = ? where n = ?')
          .run(new Date().toISOString(), number, number, n);
        forget(connection, n);
        return { note, listed: true, number };
      }),

    restore: (id) =>
      change((connection) => {
        const row = find(connection, id);
        if (row === undefined) throw missing(id);
        const note = toNote(row);
        const number = nextChange(connection);
        if (row.deleted_at !== null) {
          connection
            .sql('update notes set deleted_at = null, change = ?, listed = ? where n = ?')
            .run(number, number, noteNumber(id));
          index(connection, noteNumber(id), note);
        }
        return { note, listed: row.deleted_at !== null, number };
      }),

    list: ({ tag, order, from, limit }) =>
      file.read((connection) => {
        const [beyond, direction, start] =
          order === 'newest first' ? ['<', 'desc', Number.MAX_SAFE_INTEGER] : ['>', 'asc', 0];
        const shown = `notes.n, title, substr(content, 1, ${previewLength}) as preview, tags, created_at, updated_at`;
        const last = from === undefined ? start : noteNumber(from);
        const rows =
          tag === undefined
            ? connection
                .sql(
                  `select ${shown} from notes where deleted_at is null and n ${beyond} ? order by n ${direction} limit ?`,
                )
                .all(last, limit)
            : connection
                .sql(
                  `select ${shown} from note_tags cross join notes on notes.n = note_tags.n
                   where tag = ? and note_tags.n ${beyond} ? order by note_tags.n ${direction} limit ?`,
                )
                .all(tagKey(tag), last, limit);
        return rows.map(toSummary);
      }),

    search: (phrases, { limit, offset }) =>
      file.read((connection) => {
        if (phrases.length === 0) return [];
        return connection
          .sql(
            `select notes.n, title, substr(content, 1, ${searchedLength}) as content, tags, created_at, updated_at
             from (
               select n from (
                 select rowid as n, bm25(note_words, 8, 1) as score from note_words where note_words match ?
                 order by rowid desc limit ${ranked}
               ) order by score, n desc limit ? offset ?
             ) as found cross join notes on notes.n = found.n`,
          )
          .all(toMatch(phrases), limit, offset)
          .map(toNote);
      }),

    after: (id, limit) =>
      file.read((connection) =>
        connection
          .sql(`select ${columns} from notes where deleted_at is null and n > ? order by n limit ?`)
          .all(id === undefined ? 0 : noteNumber(id), limit)
          .map(toNote),
      ),

    idsLike: (prefix, limit) =>
      file.read((connection) => {
        const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
        const like = `from notes where deleted_at is null and 'note_' || n like ? escape '\\'`;
        const rows = connection.sql(`select n ${like} order by n limit ?`).all(pattern, limit);
        const total = connection.sql(`select count(*) as number ${like}`).all(pattern)[0]?.number;
        return { ids: rows.map(({ n }) => noteId(Number(n))), total: Number(total) };
      }),

    async add(notes) {
      const changes = await file.write((connection) =>
        notes.flatMap((note): NoteChange[] => {
          const same = connection
            .sql('select 1 as one from notes where created_at = ? and title = ? and content = ?')
            .all(note.created_at, note.title, note.content)[0];
          return same === undefined ? [{ id: insert(connection, note).id, listed: true }] : [];
        }),
      );
      if (changes.length > 0) listener(changes);
      return changes.length;
    },

    refresh,

    async close() {
      clearInterval(timer);
      file.close();
    },
  };
}

interface Changed extends Omit<NoteChange, 'id'> {
  note: Note;
  number: number;
}

function freshTimes(): Pick<Note, 'created_at' | 'updated_at'> {
  const now = new Date().toISOString();
  return { created_at: now, updated_at: now };
}

/** The time now, but never the same or less than before: whoever compares must see that something changed. */
function later(before: string): string {
  return new Date(Math.max(Date.now(), Date.parse(before) + 1)).toISOString();
}

function insert(connection: Connection, note: Omit<Note, 'id'>): Note {
  const { title, content, tags, created_at, updated_at } = note;
  const number = nextChange(connection);
  const row = connection
    .sql(
      `insert into notes (title, content, tags, created_at, updated_at, change, listed)
       values (?, ?, ?, ?, ?, ?, ?) returning n`,
    )
    .all(title, content, JSON.stringify(tags), created_at, updated_at, number, number)[0];
  const n = Number(row?.n);
  index(connection, n, note);
  return { id: noteId(n), title, content, tags, created_at, updated_at };
}

function store(connection: Connection, note: Note, { listed }: { listed: boolean }): number {
  const n = noteNumber(note.id);
  const number = nextChange(connection);
  forget(connection, n);
  connection
    .sql('update notes set title = ?, content = ?, tags = ?, updated_at = ?, change = ? where n = ?')
    .run(note.title, note.content, JSON.stringify(note.tags), note.updated_at, number, n);
  if (listed) connection.sql('update notes set listed = change where n = ?').run(n);
  index(connection, n, note);
  return number;
}

/** Makes a note findable by its words and tags. */
function index(connection: Connection, n: number, { title, content, tags }: Draft): void {
  connection
    .sql('insert into note_words (rowid, title, content) values (?, ?, ?)')
    .run(n, foldedWords(title).join(' '), foldedWords(content).join(' '));
  for (const tag of tags) connection.sql('insert or ignore into note_tags (tag, n) values (?, ?)').run(tagKey(tag), n);
}

function forget(connection: Connection, n: number): void {
  const tags = connection.sql('select tags from notes where n = ?').all(n)[0]?.tags;
  for (const tag of JSON.parse(String(tags)) as string[]) {
    connection.sql('delete from note_tags where tag = ? and n = ?').run(tagKey(tag), n);
  }
  connection.sql('delete from note_words where rowid = ?').run(n);
}

function find(connection: Connection, id: string): Row | undefined {
  return connection.sql(`select ${columns} from notes where n = ?`).all(noteNumber(id))[0];
}

function live(connection: Connection, id: string): Row {
  const row = find(connection, id);
  if (row === undefined) throw missing(id);
  if (row.deleted_at !== null) throw trashed(id);
  return row;
}

function lastChange(connection: Connection): number {
  return Number(connection.sql('select coalesce(max(change), 0) as number from notes').all()[0]?.number);
}

function nextChange(connection: Connection): number {
  return lastChange(connection) + 1;
}

function changesAfter(connection: Connection, change: number): (NoteChange & { number: number })[] {
  return connection
    .sql(`select n, change, listed from notes where change > ? order by change limit ${maxChanges}`)
    .all(change)
    .map((row) => ({ id: noteId(Number(row.n)), listed: Number(row.listed) > change, number: Number(row.change) }));
}

function dataVersion(connection: Connection): unknown {
  return connection.sql('pragma data_version').all()[0]?.data_version;
}

function toNote({ n, title, content, tags, created_at, updated_at }: Row): Note {
  return {
    id: noteId(Number(n)),
    title: String(title),
    content: String(content),
    tags: JSON.parse(String(tags)) as string[],
    created_at: String(created_at),
    updated_at: String(updated_at),
  };
}

function toSummary({ n, title, tags, created_at, updated_at, preview }: Row): NoteSummary {
  return {
    id: noteId(Number(n)),
    title: String(title),
    tags: JSON.parse(String(tags)) as string[],
    created_at: String(created_at),
    updated_at: String(updated_at),
    preview: String(preview),
  };
}
