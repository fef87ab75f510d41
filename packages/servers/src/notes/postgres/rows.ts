import type { QueryResultRow as Row } from 'pg';
import {
  type Draft,
  hashDraft,
  keyTakenError,
  type Note,
  noteId,
  noteNumber,
  NotesError,
  type NoteSummary,
  tagKey,
} from '../note.ts';
import type { Query } from './schema.ts';
import { toVector } from './full-text.ts';
import { GroupCommit, type Outcome } from '../group-commit.ts';
import { changeAndNotify, notifyChanges, type NotifyingDatabase } from './database.ts';

/** Creates a note with an idempotency key. */
export function createWithKey(notifying: NotifyingDatabase, { draft, owner }: Creation, key: string): Promise<Note> {
  return changeAndNotify(notifying, owner, async (query) => {
    const created = await insert(query, draft, { owner, key });
    if (created !== undefined) return { note: created, listed: true };
    const [row] = await query(`select ${columns}, draft from ccmcp_notes where owner = $1 and key = $2`, [owner, key]);
    const note = toNote(row as Row);
    if (row?.draft !== hashDraft(draft)) throw keyTakenError(note.id);
    return { note, listed: undefined };
  });
}

/** Creates notes with group commit: concurrent ones share a few statements and one commit. */
export function createGroupCommit(notifying: NotifyingDatabase): GroupCommit<Creation> {
  const { database, subscribe, listener, instanceId } = notifying;

  async function runTogether(creations: readonly Creation[]): Promise<Outcome[]> {
    const { channel } = await subscribe();
    const group = limitGroup(creations);
    const { notes, changes } = await database.write(async (query) => {
      const notes = await insertMany(query, group);
      const changes = notes.map(({ id }, index) => ({ id, owner: (group[index] as Creation).owner, listed: true }));
      await notifyChanges(query, channel, instanceId, changes);
      return { notes, changes };
    });
    listener(changes);
    return notes.map((value) => ({ value }));
  }

  return new GroupCommit({
    runAlone: ({ draft, owner }) =>
      changeAndNotify(notifying, owner, async (query) => {
        const note = (await insert(query, draft, { owner })) as Note;
        return { note, listed: true };
      }),
    runTogether,
    // If the database is unreachable, all fail, and their outcome may be unknown.
    failsAll: (error) => error instanceof NotesError && error.problem === 'unavailable',
  });
}

/** The maximum size of one statement, in characters. */
const maxStatementLength = 1024 * 1024;

function limitGroup(creations: readonly Creation[]): readonly Creation[] {
  let room = maxStatementLength;
  const end = creations.findIndex(({ draft }, index) => {
    room -= draft.content.length;
    return room < 0 && index > 0;
  });
  return end === -1 ? creations : creations.slice(0, end);
}

/** The columns of a note. */
export const columns = 'n, title, content, tags, created_at, updated_at, deleted_at';

/** Converts a row to a note. */
export function toNote({ n, title, content, tags, created_at, updated_at }: Row): Note {
  return {
    id: noteId(Number(n)),
    title: title as string,
    content: content as string,
    tags: tags as string[],
    created_at: (created_at as Date).toISOString(),
    updated_at: (updated_at as Date).toISOString(),
  };
}

/** Converts a row with a preview to a summary. */
export function toSummary(row: Row): NoteSummary {
  const { content: _, ...facts } = toNote(row);
  return { ...facts, preview: row.preview as string };
}

interface Whose {
  owner: string;
  key?: string | undefined;
}

/** Inserts a note; returns undefined if the owner has one with this key. */
export async function insert(
  query: Query,
  note: Draft & Partial<Pick<Note, 'created_at' | 'updated_at'>>,
  { owner, key }: Whose,
): Promise<Note | undefined> {
  const { title, content, tags, created_at = null, updated_at = null } = note;
  const draft = key === undefined ? null : hashDraft(note);
  const [row] = await query(
    `insert into ccmcp_notes (title, content, tags, created_at, updated_at, words, owner, key, draft)
     select $1, $2, $3, coalesce($4::timestamptz, now), coalesce($5::timestamptz, now), $6::tsvector, $7, $8, $9
     from date_trunc('milliseconds', clock_timestamp()) as now
     on conflict (owner, key) where key is not null do nothing
     returning ${columns}`,
    [title, content, tags, created_at, updated_at, toVector({ title, content, tags }), owner, key ?? null, draft],
  );
  if (row === undefined) return undefined;
  const created = toNote(row);
  await indexTags(query, noteNumber(created.id), owner, tags);
  return created;
}

/** A note to create, without a key. */
export interface Creation {
  draft: Draft;
  owner: string;
}

/** Inserts notes without keys, in order. */
async function insertMany(query: Query, creations: readonly Creation[]): Promise<Note[]> {
  const drafts = creations.map(({ draft, owner }) => ({ ...draft, owner, words: toVector(draft) }));
  const rows = await query(
    `insert into ccmcp_notes (title, content, tags, created_at, updated_at, words, owner)
     select title, content, tags, now, now, words::tsvector, owner
     from date_trunc('milliseconds', clock_timestamp()) as now, rows from (
       jsonb_to_recordset($1::jsonb) as (title text, content text, tags text[], words text, owner text)
     ) with ordinality as given (title, content, tags, words, owner, place)
     order by place
     returning ${columns}`,
    [JSON.stringify(drafts)],
  );
  const notes = rows.map(toNote).sort((one, other) => noteNumber(one.id) - noteNumber(other.id));
  const tagged = notes.flatMap(({ id, tags }, index) =>
    tags.map((tag) => ({ owner: creations[index]?.owner, tag: tagKey(tag), n: noteNumber(id) })),
  );
  if (tagged.length > 0) {
    await query(
      `insert into ccmcp_note_tags (owner, tag, n)
       select owner, tag, n from jsonb_to_recordset($1::jsonb) as (owner text, tag text, n bigint)
       on conflict do nothing`,
      [JSON.stringify(tagged)],
    );
  }
  return notes;
}

/** Adds a note to the tag index. */
export async function indexTags(query: Query, n: number, owner: string, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return;
  await query('insert into ccmcp_note_tags (owner, tag, n) select $3, unnest($1::text[]), $2 on conflict do nothing', [
    tags.map(tagKey),
    n,
    owner,
  ]);
}

/** Removes a note from the tag index. */
export async function unindexTags(query: Query, n: number, owner: string, { tags }: Note): Promise<void> {
  if (tags.length === 0) return;
  await query('delete from ccmcp_note_tags where owner = $3 and n = $1 and tag = any($2::text[])', [
    n,
    tags.map(tagKey),
    owner,
  ]);
}
