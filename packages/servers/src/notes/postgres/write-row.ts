import { type Draft, draftSum, type Note, noteNumber, tagKey } from '../note.ts';
import { columns, toNote } from './note-row.ts';
import type { Query } from './query.ts';
import { toVector } from './text-search.ts';

interface Whose {
  owner: string;
  key?: string | undefined;
}

/** Makes a note; gives none where the owner has one with this key. */
export async function insert(
  query: Query,
  note: Draft & Partial<Pick<Note, 'created_at' | 'updated_at'>>,
  { owner, key }: Whose,
): Promise<Note | undefined> {
  const { title, content, tags, created_at = null, updated_at = null } = note;
  const draft = key === undefined ? null : draftSum(note);
  const [row] = await query(
    `insert into ccmcp_notes (title, content, tags, created_at, updated_at, words, owner, key, draft)
     select $1, $2, $3, coalesce($4::timestamptz, now), coalesce($5::timestamptz, now), $6::tsvector, $7, $8, $9
     from date_trunc('milliseconds', clock_timestamp()) as now
     on conflict (owner, key) where key is not null do nothing
     returning ${columns}`,
    [title, content, tags, created_at, updated_at, toVector({ title, content, tags }), owner, key ?? null, draft],
  );
  if (row === undefined) return undefined;
  const made = toNote(row);
  await indexTags(query, noteNumber(made.id), owner, tags);
  return made;
}

/** A note that is to be made, without a key. */
export interface Creation {
  draft: Draft;
  owner: string;
}

/** Makes notes without keys, in their order. */
export async function insertMany(query: Query, creations: readonly Creation[]): Promise<Note[]> {
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

/** Makes a note findable by its tags. */
export async function indexTags(query: Query, n: number, owner: string, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return;
  await query('insert into ccmcp_note_tags (owner, tag, n) select $3, unnest($1::text[]), $2 on conflict do nothing', [
    tags.map(tagKey),
    n,
    owner,
  ]);
}

/** Takes a note out of what is found by tags. */
export async function forgetTags(query: Query, n: number, owner: string, { tags }: Note): Promise<void> {
  if (tags.length === 0) return;
  await query('delete from ccmcp_note_tags where owner = $3 and n = $1 and tag = any($2::text[])', [
    n,
    tags.map(tagKey),
    owner,
  ]);
}
