import { statSync } from 'node:fs';
import { clearInterval, setInterval } from 'node:timers';
import {
  conflictError,
  hashDraft,
  isSeedNote,
  keyTakenError,
  missingError,
  type Note,
  noteId,
  noteNumber,
  previewLength,
  tagKey,
} from '../note.ts';
import { anonymousOwner } from '../access.ts';
import {
  type ChangeListener,
  changesList,
  maxChanges,
  type NoteChange,
  type NoteRepository,
  type Page,
  pageRange,
  type Reader,
  requireLive,
  searchedLength,
  type Writer,
} from '../repository.ts';
import type { Search } from '../search.ts';
import { checkFile, verifyChecksum } from './check.ts';
import { type Connection, type Row, type Sqlite, transaction } from './driver.ts';
import {
  asBytes,
  checksum,
  columnsWith,
  indexNote,
  insertRow,
  toNote,
  type NoteRow,
  rowColumns,
  toSummary,
  decodeText,
  toRow,
  unindexNote,
} from './rows.ts';
import { ranking, scanForSubstring } from './search.ts';
import { migrate, needsMigration } from './schema.ts';
import { SqliteFile } from './sqlite-file.ts';

/** The polling interval for changes of other processes. */
const pollIntervalMs = 1000;
/** Larger files skip the full check, which would take seconds. */
const maxChecked = 64 * 1024 * 1024;

/** A repository in a SQLite file, for any number of processes. */
export function sqliteNotes(path: string, listener: ChangeListener): NoteRepository {
  let seen: { version: unknown; change: number } | undefined;
  const file = new SqliteFile({ path, check, prepare, onOpen });
  const timer = setInterval(refresh, pollIntervalMs).unref();

  function check(connection: Connection, sqlite: Sqlite): boolean {
    return transaction(connection, 'read', () => {
      const isOld = needsMigration(connection.database, path);
      if (sizeOf(path) <= maxChecked) checkFile(connection, sqlite);
      return isOld;
    });
  }

  function prepare(connection: Connection): void {
    const { database } = connection;
    transaction(connection, 'write', () => {
      if (!needsMigration(database, path)) return;
      migrate(database, (draft) => insert(connection, { ...draft, ...newTimestamps() }, { owner: anonymousOwner }));
    });
  }

  /** The data version belongs to a connection: after a reopen, changes must be queried. */
  function onOpen(connection: Connection): void {
    seen = transaction(connection, 'read', () => {
      const version = seen === undefined ? dataVersion(connection) : undefined;
      return { version, change: seen?.change ?? lastChange(connection) };
    });
  }

  function refresh(): void {
    const changes = file.tryRead((connection) => {
      const version = dataVersion(connection);
      if (seen === undefined || version === seen.version) return [];
      const rows = changesAfter(connection, seen.change);
      seen = { version: rows.length < maxChanges ? version : undefined, change: rows.at(-1)?.number ?? seen.change };
      return rows;
    });
    if (changes !== undefined && changes.length > 0) listener(changes);
  }

  /** Runs a change and notifies after it is stored. */
  async function change(owner: string, work: (connection: Connection) => Changed): Promise<Note> {
    const { note, listed, number } = await file.write(work);
    if (number === undefined) return note;
    // With other changes in between, ours is reported again, which is harmless.
    if (seen?.change === number - 1) seen.change = number;
    listener([{ id: note.id, owner, listed }]);
    return note;
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    file.close();
  }

  const ownedBy = (owner: string): NoteRepository => ({
    ...readersOf(file, owner),
    ...writersOf(file, owner, { change: (work) => change(owner, work), listener }),
    ownedBy,
    refresh,
    close,
  });
  return ownedBy(anonymousOwner);
}

function readersOf(file: SqliteFile, owner: string): Pick<NoteRepository, Reader> {
  return {
    get: (id) => file.read((connection) => toNote(requireLive(id, find(connection, owner, id)))),

    list: ({ tag, order, from, limit }) =>
      file.read((connection) => {
        const [beyond, direction, last] = pageRange({ order, from });
        const shown = columnsWith(`substr(content, 1, ${previewLength})`);
        const rows =
          tag === undefined
            ? connection
                .sql(
                  `select ${shown} from notes
                   where owner = ? and deleted_at is null and n ${beyond} ? order by n ${direction} limit ?`,
                )
                .all(owner, last, limit)
            : connection
                .sql(
                  `select ${shown} from owned_tags as tagged cross join notes on notes.n = tagged.n
                   where tagged.owner = ? and tag = ? and tagged.n ${beyond} ? order by tagged.n ${direction} limit ?`,
                )
                .all(owner, tagKey(tag), last, limit);
        return rows.map((row) => toSummary(toRow(row)));
      }),

    search: (search, { limit, offset }) =>
      file.read((connection) => {
        const best = bestMatches(connection, owner, search, { limit, offset });
        const { substring } = search;
        if (best.length === limit || substring === undefined) return best;
        const except = rankedNumbers(connection, owner, search);
        const others = scanForSubstring(connection, owner, substring, {
          except,
          limit: limit - best.length,
          offset: Math.max(0, offset - except.size),
        });
        const select = connection.sql(`select ${foundColumns} from notes where n = ?`);
        return [...best, ...others.flatMap((n) => select.all(n).map(foundNote))];
      }),

    after: (id, limit) =>
      file.read((connection) =>
        connection
          .sql(
            `select ${rowColumns}, ${asBytes('sum')} from notes where owner = ? and deleted_at is null and n > ? order by n limit ?`,
          )
          .all(owner, id === undefined ? 0 : noteNumber(id), limit)
          .map(checkedNote),
      ),

    idsLike: (prefix, limit) =>
      file.read((connection) => {
        const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
        const like = `from notes where owner = ? and deleted_at is null and 'note_' || n like ? escape '\\'`;
        const rows = connection.sql(`select n ${like} order by n limit ?`).all(owner, pattern, limit);
        const total = connection.sql(`select count(*) as number ${like}`).all(owner, pattern)[0]?.number;
        return { ids: rows.map(({ n }) => noteId(Number(n))), total: Number(total) };
      }),

    owns: (id) => file.read((connection) => find(connection, owner, id) !== undefined),
  };
}

/** The columns of a search result. */
const foundColumns = `${columnsWith(`substr(content, 1, ${searchedLength})`)}, ${asBytes('sum')},
  length(content) <= ${searchedLength} as whole`;

function foundNote(row: Row): Note {
  return row.whole === 1 ? checkedNote(row) : toNote(toRow(row));
}

function bestMatches(connection: Connection, owner: string, { alternatives }: Search, { limit, offset }: Page): Note[] {
  if (alternatives.length === 0) return [];
  const { sql, values } = ranking(alternatives, owner);
  return connection
    .sql(`select ${foundColumns} from (${sql} limit ? offset ?) as found cross join notes on notes.n = found.n`)
    .all(...values, limit, offset)
    .map(foundNote);
}

/** The numbers of all ranked notes, on any page. */
function rankedNumbers(connection: Connection, owner: string, { alternatives }: Search): Set<number> {
  if (alternatives.length === 0) return new Set();
  const { sql, values } = ranking(alternatives, owner);
  return new Set(
    connection
      .sql(sql)
      .all(...values)
      .map(({ n }) => Number(n)),
  );
}

interface Changing {
  change(work: (connection: Connection) => Changed): Promise<Note>;
  listener: ChangeListener;
}

function writersOf(file: SqliteFile, owner: string, { change, listener }: Changing): Pick<NoteRepository, Writer> {
  return {
    create: (draft, { key } = {}) =>
      change((connection) => {
        const before = key === undefined ? undefined : findByKey(connection, owner, key);
        if (before !== undefined) {
          if (before.draft !== hashDraft(draft)) throw keyTakenError(noteId(before.n));
          return { note: toNote(before), listed: false, number: undefined };
        }
        const note = insert(connection, { ...draft, ...newTimestamps() }, { owner, key });
        return { note, listed: true, number: lastChange(connection) };
      }),

    update: (id, changes, { expected } = {}) =>
      change((connection) => {
        const row = requireLive(id, find(connection, owner, id));
        const old = toNote(row);
        if (expected !== undefined && expected !== old.updated_at) throw conflictError(id, old.updated_at);
        const note: Note = { ...old, ...changes, updated_at: nextTimestamp(old.updated_at) };
        const listed = changesList(old, note);
        unindexNote(connection, row);
        const { title, content, updated_at } = note;
        const tags = JSON.stringify(note.tags);
        const number = store(connection, { ...row, title, content, tags, updated_at }, { listed });
        indexNote(connection, row, note);
        return { note, listed, number };
      }),

    remove: (id) =>
      change((connection) => {
        const row = requireLive(id, find(connection, owner, id));
        const number = store(connection, { ...row, deleted_at: new Date().toISOString() }, { listed: true });
        unindexNote(connection, row);
        return { note: toNote(row), listed: true, number };
      }),

    restore: (id) =>
      change((connection) => {
        const row = find(connection, owner, id);
        if (row === undefined) throw missingError(id);
        const note = toNote(row);
        if (row.deleted_at === null) return { note, listed: false, number: undefined };
        const number = store(connection, { ...row, deleted_at: null }, { listed: true });
        indexNote(connection, row, note);
        return { note, listed: true, number };
      }),

    async add(notes) {
      const changes = await file.write((connection) =>
        notes.flatMap((note): NoteChange[] => {
          return exists(connection, owner, note)
            ? []
            : [{ id: insert(connection, note, { owner }).id, owner, listed: true }];
        }),
      );
      if (changes.length > 0) listener(changes);
      return changes.length;
    },
  };
}

interface Changed {
  note: Note;
  listed: boolean;
  /** Undefined if nothing changed. */
  number: number | undefined;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function newTimestamps(): Pick<Note, 'created_at' | 'updated_at'> {
  const now = new Date().toISOString();
  return { created_at: now, updated_at: now };
}

/** The current time, but always later than before, so that comparisons detect the change. */
function nextTimestamp(before: string): string {
  return new Date(Math.max(Date.now(), Date.parse(before) + 1)).toISOString();
}

function insert(
  connection: Connection,
  note: Omit<Note, 'id'>,
  { owner, key = null }: { owner: string; key?: string | null | undefined },
): Note {
  const { title, content, tags, created_at, updated_at } = note;
  const n = lastNumber(connection) + 1;
  const draft = key === null ? null : hashDraft(note);
  const json = JSON.stringify(tags);
  insertRow(
    connection,
    { n, owner, key, draft, title, content, tags: json, created_at, updated_at, deleted_at: null },
    nextChange(connection),
  );
  return { id: noteId(n), title, content, tags, created_at, updated_at };
}

/** Updates a note and returns the number of the change. */
function store(connection: Connection, row: NoteRow, { listed }: { listed: boolean }): number {
  const { n, title, content, tags, updated_at, deleted_at } = row;
  const number = nextChange(connection);
  connection
    .sql(
      `update notes set title = ?, content = ?, tags = ?, updated_at = ?, deleted_at = ?, change = ?, sum = ?
       where n = ?`,
    )
    .run(title, content, tags, updated_at, deleted_at, number, checksum(row), n);
  if (listed) connection.sql('update notes set listed = change where n = ?').run(n);
  return number;
}

function find(connection: Connection, owner: string, id: string): NoteRow | undefined {
  const [row] = connection
    .sql(`select ${rowColumns}, ${asBytes('sum')} from notes where n = ? and owner = ?`)
    .all(noteNumber(id), owner);
  return row && checkedRow(row);
}

function findByKey(connection: Connection, owner: string, key: string): NoteRow | undefined {
  const [row] = connection
    .sql(`select ${rowColumns}, ${asBytes('sum')} from notes where owner = ? and key = ?`)
    .all(owner, key);
  return row && checkedRow(row);
}

function checkedRow(selected: Row): NoteRow {
  verifyChecksum(selected);
  return toRow(selected);
}

function checkedNote(selected: Row): Note {
  return toNote(checkedRow(selected));
}

/** True if this note exists already, also in the trash. Seed notes are compared by title and tags. */
function exists(connection: Connection, owner: string, note: Omit<Note, 'id'>): boolean {
  const { title, content, tags, created_at } = note;
  const [same] = isSeedNote(note)
    ? connection
        .sql('select 1 as one from notes where owner = ? and title = ? and tags = ?')
        .all(owner, title, JSON.stringify(tags))
    : connection
        .sql('select 1 as one from notes where owner = ? and created_at = ? and title = ? and content = ?')
        .all(owner, created_at, title, content);
  return same !== undefined;
}

/** The last assigned id. */
function lastNumber(connection: Connection): number {
  const [row] = connection.sql(`select max(seq) as number from sqlite_sequence where name = 'notes'`).all();
  return Number(row?.number ?? 0);
}

function lastChange(connection: Connection): number {
  return Number(connection.sql('select coalesce(max(change), 0) as number from notes').all()[0]?.number);
}

function nextChange(connection: Connection): number {
  return lastChange(connection) + 1;
}

function changesAfter(connection: Connection, change: number): (NoteChange & { number: number })[] {
  return connection
    .sql(
      `select n, ${asBytes('owner')}, change, listed from notes where change > ? order by change limit ${maxChanges}`,
    )
    .all(change)
    .map((row) => ({
      id: noteId(Number(row.n)),
      owner: decodeText(row.owner),
      listed: Number(row.listed) > change,
      number: Number(row.change),
    }));
}

function dataVersion(connection: Connection): unknown {
  return connection.sql('pragma data_version').all()[0]?.data_version;
}
