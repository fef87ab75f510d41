import { randomUUID } from 'node:crypto';
import type { QueryResultRow as Row } from 'pg';
import { isFirstNote } from '../first-notes.ts';
import type { GroupCommit } from '../group-commit.ts';
import { type Note, noteId, noteNumber, previewLength, previewOf, tagKey } from '../note.ts';
import { conflict, missing, trashed } from '../notes-error.ts';
import { nobody } from '../owner.ts';
import { asWritten, capitalsOf, type Search } from '../query.ts';
import type { ChangeListener, NoteChange, NoteRepository, Page } from '../repository.ts';
import { PostgresDatabase } from './connect.ts';
import { createWithKey, creationsIn } from './create.ts';
import { columns, toNote, toSummary } from './note-row.ts';
import type { Query } from './query.ts';
import { changeAndTell, type Changed, changesWithin, hearChanges, type Hearing, tell, type Telling } from './tell.ts';
import { toTsquery, toVector } from './text-search.ts';
import { type Creation, forgetTags, indexTags, insert } from './write-row.ts';
import { limits } from '../../limits.ts';

/** As much of a content as a search looks at again, to show where it was found. */
const searchedLength = 100_000;
/** Of more matches than these, only the newest are ranked: a word that is everywhere tells nothing. */
const ranked = 10_000;

const maxScanned = limits.notes.scanned.value;
const maxScannedNotes = limits.notes.scannedNotes.value;
/** What a note is selected by that a search found. */
const foundColumns = `notes.n, title, left(content, ${searchedLength}) as content, tags, created_at, updated_at`;

/** Notes in a PostgreSQL database that any number of instances may use. */
export function postgresNotes(url: string, listener: ChangeListener): NoteRepository {
  const self = randomUUID();
  const database = new PostgresDatabase(url);
  let hearing: Promise<Hearing> | undefined;

  /** Starts hearing of the changes of other instances, before the first of ours. */
  function heard(): Promise<Hearing> {
    hearing ??= database
      .read((query) =>
        hearChanges(query, url, { self, listener, missed: (sinceMs) => changesWithin(database, sinceMs) }),
      )
      .catch((error: unknown) => {
        hearing = undefined;
        throw error;
      });
    return hearing;
  }

  const telling: Telling = { database, heard, listener, self };
  const creations = creationsIn(telling);
  const ownedBy = (owner: string): NoteRepository => ({
    ...readersOf(telling, owner),
    ...writersOf(telling, creations, owner),
    ownedBy,
    refresh: () => {},
    async close() {
      await (await hearing)?.stop();
      await database.close();
    },
  });
  return ownedBy(nobody);
}

type Reader = 'get' | 'list' | 'search' | 'after' | 'idsLike' | 'owns';
type Writer = 'create' | 'update' | 'remove' | 'restore' | 'add';

function readersOf({ database, heard }: Telling, owner: string): Pick<NoteRepository, Reader> {
  async function read<T>(work: (query: Query) => Promise<T>): Promise<T> {
    await heard();
    return database.read(work);
  }

  return {
    get: (id) => read(async (query) => toNote(live(id, await find(query, owner, id)))),

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
                 where owner = $3 and deleted_at is null and n ${beyond} $1 order by n ${direction} limit $2`,
                [last, limit, owner],
              )
            : await query(
                `select ${shown} from ccmcp_note_tags as tagged join ccmcp_notes as notes on notes.n = tagged.n
                 where tagged.owner = $3 and tag = $4 and tagged.n ${beyond} $1
                 order by tagged.n ${direction} limit $2`,
                [last, limit, owner, tagKey(tag)],
              );
        return rows.map(toSummary);
      }),

    search: (search, { limit, offset }) =>
      read(async (query) => {
        const best = await bestMatches(query, owner, search, { limit, offset });
        const { substring } = search;
        if (best.length === limit || substring === undefined) return best;
        const except = await rankedNumbers(query, owner, search);
        const others = await scanForSubstring(query, owner, substring, {
          except,
          limit: limit - best.length,
          offset: Math.max(0, offset - except.length),
        });
        return [...best, ...others];
      }),

    after: (id, limit) =>
      read(async (query) => {
        const rows = await query(
          `select ${columns} from ccmcp_notes where owner = $3 and deleted_at is null and n > $1 order by n limit $2`,
          [id === undefined ? 0 : noteNumber(id), limit, owner],
        );
        return rows.map(toNote);
      }),

    idsLike: (prefix, limit) =>
      read(async (query) => {
        const rows = await query(
          `select n, count(*) over () as total from ccmcp_notes
           where owner = $3 and deleted_at is null and starts_with('note_' || n, $1) order by n limit $2`,
          [prefix.replaceAll('\0', '\ufffd'), limit, owner],
        );
        return { ids: rows.map(({ n }) => noteId(Number(n))), total: Number(rows[0]?.total ?? 0) };
      }),

    owns: (id) => read(async (query) => (await find(query, owner, id)) !== undefined),
  };
}

/** Selects what fits a search, with the texts of it and of the same as it is written as $1 and $2, and the owner as $3. */
const matching = `
  select n, words, words @@ $2::tsquery as written from ccmcp_notes
  where words @@ $1::tsquery and owner = $3 order by written desc, n desc limit ${ranked}`;

function matchingValues(owner: string, { alternatives }: Search): string[] {
  return [toTsquery(alternatives), toTsquery(asWritten(alternatives)), owner];
}

async function bestMatches(query: Query, owner: string, search: Search, { limit, offset }: Page): Promise<Note[]> {
  const { alternatives } = search;
  if (alternatives.length === 0) return [];
  // Where something must only not be there, nothing says which note is better.
  const score = alternatives.some(({ wanted }) => wanted.length === 0)
    ? '0'
    : `ts_rank('{0.1, 0.2, 0.4, 1}', words, case when written then $2::tsquery else $1::tsquery end, 1)`;
  const rows = await query(
    `select ${foundColumns} from (
       select n, written, ${score} as score from (${matching}) as matching
       order by written desc, score desc, n desc limit $4 offset $5
     ) as found join ccmcp_notes as notes on notes.n = found.n
     order by written desc, score desc, notes.n desc`,
    [...matchingValues(owner, search), limit, offset],
  );
  return rows.map(toNote);
}

/** The numbers of all notes that the pages of best matches have. */
async function rankedNumbers(query: Query, owner: string, search: Search): Promise<unknown[]> {
  if (search.alternatives.length === 0) return [];
  const rows = await query(`select n from (${matching}) as matching`, matchingValues(owner, search));
  return rows.map(({ n }) => n);
}

interface ScanOptions extends Page {
  /** Numbers of notes to leave out. */
  except: unknown[];
}

/**
 * The notes of an owner that contain a text in lower case, the newest first. What is lower case beyond ASCII depends on the
 * database's locale, so the capitals that matter are given.
 */
async function scanForSubstring(
  query: Query,
  owner: string,
  substring: string,
  { except, limit, offset }: ScanOptions,
): Promise<Note[]> {
  const { from, to } = capitalsOf(substring);
  const lower = (column: string): string => {
    const ascii = `lower(${column} collate "C")`;
    return from === '' ? ascii : `translate(${ascii}, $6, $7)`;
  };
  const rows = await query(
    `select ${foundColumns} from (
       select ${columns}, sum(octet_length(title) + octet_length(content)) over (order by n desc) as bytes
       from ccmcp_notes where owner = $1 and deleted_at is null order by n desc limit ${maxScannedNotes}
     ) as notes
     where bytes <= ${maxScanned} and n not in (select unnest($3::bigint[]))
       and (strpos(${lower('title')}, $2) > 0 or strpos(${lower('content')}, $2) > 0)
     order by n desc limit $4 offset $5`,
    [owner, substring, except, limit, offset, ...(from === '' ? [] : [from, to])],
  );
  return rows.map(toNote);
}

function writersOf(telling: Telling, creations: GroupCommit<Creation>, owner: string): Pick<NoteRepository, Writer> {
  const { database, heard, listener, self } = telling;
  const change = (work: (query: Query) => Promise<Changed>): Promise<Note> => changeAndTell(telling, owner, work);

  return {
    create: (draft, { key } = {}) =>
      key === undefined
        ? (creations.add({ draft, owner }) as Promise<Note>)
        : createWithKey(telling, { draft, owner }, key),

    update: (id, changes, { expected } = {}) =>
      change(async (query) => {
        const old = toNote(live(id, await lock(query, owner, id)));
        if (expected !== undefined && expected !== old.updated_at) throw conflict(id, old.updated_at);
        const { title, content, tags } = { ...old, ...changes };
        const n = noteNumber(id);
        const [row] = await query(
          `update ccmcp_notes
           set title = $2, content = $3, tags = $4, words = $5::tsvector,
             updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
           where n = $1 returning ${columns}`,
          [n, title, content, tags, toVector({ title, content, tags })],
        );
        await forgetTags(query, n, owner, old);
        await indexTags(query, n, owner, tags);
        const note = toNote(row as Row);
        return { note, listed: note.title !== old.title || previewOf(note.content) !== previewOf(old.content) };
      }),

    remove: (id) =>
      change(async (query) => {
        const note = toNote(live(id, await lock(query, owner, id)));
        const n = noteNumber(id);
        await query('update ccmcp_notes set deleted_at = clock_timestamp(), words = null where n = $1', [n]);
        await forgetTags(query, n, owner, note);
        return { note, listed: true };
      }),

    restore: (id) =>
      change(async (query) => {
        const row = await lock(query, owner, id);
        if (row === undefined) throw missing(id);
        const note = toNote(row);
        if (row.deleted_at === null) return { note, listed: undefined };
        const n = noteNumber(id);
        await query('update ccmcp_notes set deleted_at = null, words = $2::tsvector where n = $1', [n, toVector(note)]);
        await indexTags(query, n, owner, note.tags);
        return { note, listed: true };
      }),

    async add(notes) {
      const { channel } = await heard();
      const changes = await database.write(async (query) => {
        const added: NoteChange[] = [];
        for (const note of notes) {
          if (await isHere(query, owner, note)) continue;
          const { id } = (await insert(query, note, { owner })) as Note;
          added.push({ id, owner, listed: true });
        }
        await tell(query, channel, self, added);
        return added;
      });
      if (changes.length > 0) listener(changes);
      return changes.length;
    },
  };
}

/** True where there is this note already, also in the trash. Each store has its own first notes. */
async function isHere(query: Query, owner: string, note: Omit<Note, 'id'>): Promise<boolean> {
  const { title, content, tags, created_at } = note;
  const same = isFirstNote(note)
    ? await query('select 1 from ccmcp_notes where owner = $1 and title = $2 and tags = $3 limit 1', [
        owner,
        title,
        tags,
      ])
    : await query(
        'select 1 from ccmcp_notes where owner = $1 and created_at = $2 and title = $3 and content = $4 limit 1',
        [owner, created_at, title, content],
      );
  return same.length > 0;
}

async function find(query: Query, owner: string, id: string): Promise<Row | undefined> {
  return (await query(`select ${columns} from ccmcp_notes where n = $1 and owner = $2`, [noteNumber(id), owner]))[0];
}

async function lock(query: Query, owner: string, id: string): Promise<Row | undefined> {
  const sql = `select ${columns} from ccmcp_notes where n = $1 and owner = $2 for update`;
  return (await query(sql, [noteNumber(id), owner]))[0];
}

function live(id: string, row: Row | undefined): Row {
  if (row === undefined) throw missing(id);
  if (row.deleted_at !== null) throw trashed(id);
  return row;
}
