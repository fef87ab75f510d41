import { randomUUID } from 'node:crypto';
import type { QueryResultRow as Row } from 'pg';
import {
  conflictError,
  isSeedNote,
  missingError,
  type Note,
  noteId,
  noteNumber,
  previewLength,
  tagKey,
} from '../note.ts';
import type { GroupCommit } from '../group-commit.ts';
import { anonymousOwner } from '../access.ts';
import { capitalsOf, maxScannedBytes, maxScannedNotes, type Search, withoutForms } from '../search.ts';
import {
  type ChangeListener,
  changesList,
  maxRanked,
  type NoteChange,
  type NoteRepository,
  type Page,
  pageRange,
  type Reader,
  requireLive,
  searchedLength,
  type Writer,
} from '../repository.ts';
import {
  changeAndNotify,
  type Changed,
  changesSince,
  listenForChanges,
  notifyChanges,
  type NotifyingDatabase,
  PostgresDatabase,
  type Subscription,
} from './database.ts';
import {
  columns,
  createGroupCommit,
  createWithKey,
  type Creation,
  indexTags,
  insert,
  toNote,
  toSummary,
  unindexTags,
} from './rows.ts';
import type { Query } from './schema.ts';
import { toTsquery, toVector } from './full-text.ts';

/** The columns of a search result. */
const foundColumns = `notes.n, title, left(content, ${searchedLength}) as content, tags, created_at, updated_at`;

/** A repository in PostgreSQL, for any number of instances. */
export function postgresNotes(url: string, listener: ChangeListener): NoteRepository {
  const instanceId = randomUUID();
  const database = new PostgresDatabase(url);
  let subscription: Promise<Subscription> | undefined;

  /** Subscribes to changes of other instances, before the first own operation. */
  function subscribe(): Promise<Subscription> {
    subscription ??= database
      .read((query) =>
        listenForChanges(query, url, {
          instanceId,
          listener,
          changesSince: (sinceMs) => changesSince(database, sinceMs),
        }),
      )
      .catch((error: unknown) => {
        subscription = undefined;
        throw error;
      });
    return subscription;
  }

  const notifying: NotifyingDatabase = { database, subscribe, listener, instanceId };
  const creations = createGroupCommit(notifying);
  const ownedBy = (owner: string): NoteRepository => ({
    ...readersOf(notifying, owner),
    ...writersOf(notifying, creations, owner),
    ownedBy,
    refresh: () => {},
    async close() {
      await (await subscription)?.stop();
      await database.close();
    },
  });
  return ownedBy(anonymousOwner);
}

function readersOf({ database, subscribe }: NotifyingDatabase, owner: string): Pick<NoteRepository, Reader> {
  async function read<T>(work: (query: Query) => Promise<T>): Promise<T> {
    await subscribe();
    return database.read(work);
  }

  return {
    get: (id) => read(async (query) => toNote(requireLive(id, await find(query, owner, id)))),

    list: ({ tag, order, from, limit }) =>
      read(async (query) => {
        const [beyond, direction, last] = pageRange({ order, from });
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

/** Selects the matches of a search: $1 is its tsquery, $2 the one without other inflections, $3 the owner. */
const matching = `
  select n, words, words @@ $2::tsquery as written from ccmcp_notes
  where words @@ $1::tsquery and owner = $3 order by written desc, n desc limit ${maxRanked}`;

function matchingValues(owner: string, { alternatives }: Search): string[] {
  return [toTsquery(alternatives), toTsquery(withoutForms(alternatives)), owner];
}

async function bestMatches(query: Query, owner: string, search: Search, { limit, offset }: Page): Promise<Note[]> {
  const { alternatives } = search;
  if (alternatives.length === 0) return [];
  // Exclusions alone give no rank.
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

/** The numbers of all ranked notes, on any page. */
async function rankedNumbers(query: Query, owner: string, search: Search): Promise<unknown[]> {
  if (search.alternatives.length === 0) return [];
  const rows = await query(`select n from (${matching}) as matching`, matchingValues(owner, search));
  return rows.map(({ n }) => n);
}

interface ScanOptions extends Page {
  /** The numbers of notes to skip. */
  except: unknown[];
}

/**
 * Finds an owner's notes that contain a lowercase text, the newest first. `lower` of non-ASCII letters depends on the
 * locale of the database, so the relevant capitals are passed.
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
     where bytes <= ${maxScannedBytes} and n not in (select unnest($3::bigint[]))
       and (strpos(${lower('title')}, $2) > 0 or strpos(${lower('content')}, $2) > 0)
     order by n desc limit $4 offset $5`,
    [owner, substring, except, limit, offset, ...(from === '' ? [] : [from, to])],
  );
  return rows.map(toNote);
}

function writersOf(
  notifying: NotifyingDatabase,
  creations: GroupCommit<Creation>,
  owner: string,
): Pick<NoteRepository, Writer> {
  const { database, subscribe, listener, instanceId } = notifying;
  const change = (work: (query: Query) => Promise<Changed>): Promise<Note> => changeAndNotify(notifying, owner, work);

  return {
    create: (draft, { key } = {}) =>
      key === undefined
        ? (creations.add({ draft, owner }) as Promise<Note>)
        : createWithKey(notifying, { draft, owner }, key),

    update: (id, changes, { expected } = {}) =>
      change(async (query) => {
        const old = toNote(requireLive(id, await lock(query, owner, id)));
        if (expected !== undefined && expected !== old.updated_at) throw conflictError(id, old.updated_at);
        const { title, content, tags } = { ...old, ...changes };
        const n = noteNumber(id);
        const [row] = await query(
          `update ccmcp_notes
           set title = $2, content = $3, tags = $4, words = $5::tsvector,
             updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
           where n = $1 returning ${columns}`,
          [n, title, content, tags, toVector({ title, content, tags })],
        );
        await unindexTags(query, n, owner, old);
        await indexTags(query, n, owner, tags);
        const note = toNote(row as Row);
        return { note, listed: changesList(old, note) };
      }),

    remove: (id) =>
      change(async (query) => {
        const note = toNote(requireLive(id, await lock(query, owner, id)));
        const n = noteNumber(id);
        await query('update ccmcp_notes set deleted_at = clock_timestamp(), words = null where n = $1', [n]);
        await unindexTags(query, n, owner, note);
        return { note, listed: true };
      }),

    restore: (id) =>
      change(async (query) => {
        const row = await lock(query, owner, id);
        if (row === undefined) throw missingError(id);
        const note = toNote(row);
        if (row.deleted_at === null) return { note, listed: undefined };
        const n = noteNumber(id);
        await query('update ccmcp_notes set deleted_at = null, words = $2::tsvector where n = $1', [n, toVector(note)]);
        await indexTags(query, n, owner, note.tags);
        return { note, listed: true };
      }),

    async add(notes) {
      const { channel } = await subscribe();
      const changes = await database.write(async (query) => {
        const added: NoteChange[] = [];
        for (const note of notes) {
          if (await exists(query, owner, note)) continue;
          const { id } = (await insert(query, note, { owner })) as Note;
          added.push({ id, owner, listed: true });
        }
        await notifyChanges(query, channel, instanceId, added);
        return added;
      });
      if (changes.length > 0) listener(changes);
      return changes.length;
    },
  };
}

/** True if this note exists already, also in the trash. Seed notes are compared by title and tags. */
async function exists(query: Query, owner: string, note: Omit<Note, 'id'>): Promise<boolean> {
  const { title, content, tags, created_at } = note;
  const same = isSeedNote(note)
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
