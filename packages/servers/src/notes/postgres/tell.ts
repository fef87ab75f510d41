import type { Note } from '../note.ts';
import { noteId } from '../note.ts';
import type { ChangeListener, NoteChange } from '../repository.ts';
import type { PostgresDatabase } from './connect.ts';
import { hear } from './hear.ts';
import type { Query } from './query.ts';

const maxChanges = 10_000;

/** What instances tell each other. */
interface Told extends NoteChange {
  by: string;
}

/** What a change did. */
export interface Changed {
  note: Note;
  /** Whether lists show it differently; absent where nothing was changed at all. */
  listed: boolean | undefined;
}

/** A database whose changes are told and heard of. */
export interface Telling {
  database: PostgresDatabase;
  heard(): Promise<Hearing>;
  listener: ChangeListener;
  self: string;
}

/** How changes of others are heard of. */
export interface Hearing {
  channel: string;
  stop(): Promise<void>;
}

interface HearingOptions {
  self: string;
  listener: ChangeListener;
  missed(sinceMs: number): Promise<NoteChange[]>;
}

/** Hears of others' changes. Where the connection was lost meanwhile, all that changed since is told. */
export async function hearChanges(
  query: Query,
  url: string,
  { self, listener, missed }: HearingOptions,
): Promise<Hearing> {
  const [row] = await query('select current_schema() as schema');
  const channel = `ccmcp_notes ${String(row?.schema)}`.slice(0, 63);
  let last = performance.now();
  const { stop } = await hear({
    url,
    channel,
    told: (payload) => {
      last = performance.now();
      const { by, ...change } = JSON.parse(payload) as Told;
      if (by !== self) listener([change]);
    },
    again: () => {
      void missed(performance.now() - last).then(listener, () => {});
      last = performance.now();
    },
  });
  return { channel, stop };
}

/** Tells other instances of changes, once they are committed. */
export async function tell(query: Query, channel: string, by: string, changes: readonly NoteChange[]): Promise<void> {
  const told = changes.map((change): string => JSON.stringify({ ...change, by } satisfies Told));
  if (told.length > 0) await query('select pg_notify($1, told) from unnest($2::text[]) as told', [channel, told]);
}

/** Runs a change, and tells of it once it is committed. */
export async function changeAndTell(
  { database, heard, listener, self }: Telling,
  owner: string,
  work: (query: Query) => Promise<Changed>,
): Promise<Note> {
  const { channel } = await heard();
  const { note, listed } = await database.write(async (query) => {
    const changed = await work(query);
    if (changed.listed !== undefined) {
      await tell(query, channel, self, [{ id: changed.note.id, owner, listed: changed.listed }]);
    }
    return changed;
  });
  if (listed !== undefined) listener([{ id: note.id, owner, listed }]);
  return note;
}

/** What changed within a time until now. The clock is the database's, as in what it compares: ours may be set otherwise. */
export async function changesWithin(database: PostgresDatabase, milliseconds: number): Promise<NoteChange[]> {
  // Rather too much than too little.
  const seconds = milliseconds / 1000 + 60;
  const rows = await database.read((query) =>
    query(
      `select n, owner from ccmcp_notes, cast(now() - make_interval(secs => $1) as timestamptz) as start
       where updated_at >= start or deleted_at >= start order by n limit ${maxChanges}`,
      [seconds],
    ),
  );
  return rows.map(({ n, owner }) => ({ id: noteId(Number(n)), owner: String(owner), listed: true }));
}
