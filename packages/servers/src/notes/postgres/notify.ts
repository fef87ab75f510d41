import { type Note, noteId } from '../note.ts';
import type { ChangeListener, NoteChange } from '../repository.ts';
import { clientOptions, type PostgresDatabase } from './database.ts';
import type { Query } from './schema.ts';
import { setTimeout as delay } from 'node:timers/promises';

interface ListenOptions {
  url: string;
  channel: string;
  onPayload(payload: string): void;
  /** Called after a connection was lost and is there again: something may have been missed. */
  onReconnect(): void;
}

const retryMs = 500;

/** Hears what is told on a channel, over a connection of its own that is made again when it is lost. */
async function listen(options: ListenOptions): Promise<{ stop(): Promise<void> }> {
  const { default: pg } = await import('pg');
  const { url, channel, onPayload, onReconnect } = options;
  let stopped = false;
  let client = await connect();

  async function connect(): Promise<InstanceType<typeof pg.Client>> {
    const made = new pg.Client(clientOptions(url));
    made.on('error', () => {});
    made.on('notification', ({ payload }) => onPayload(payload ?? ''));
    try {
      await made.connect();
      await made.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      await made.end().catch(() => {});
      throw error;
    }
    made.once('end', () => void reconnect());
    return made;
  }

  async function reconnect(): Promise<void> {
    for (;;) {
      if (stopped) return;
      try {
        client = await connect();
        break;
      } catch {
        await delay(retryMs, undefined, { ref: false });
      }
    }
    if (stopped) await client.end();
    else onReconnect();
  }

  return {
    stop: async () => {
      stopped = true;
      await client.end();
    },
  };
}

const maxChanges = 10_000;

/** What instances tell each other. */
interface Payload extends NoteChange {
  by: string;
}

/** What a change did. */
export interface Changed {
  note: Note;
  /** Whether lists show it differently; absent where nothing was changed at all. */
  listed: boolean | undefined;
}

/** A database whose changes are told and heard of. */
export interface NotifyingDatabase {
  database: PostgresDatabase;
  listening(): Promise<Subscription>;
  listener: ChangeListener;
  self: string;
}

/** How changes of others are heard of. */
export interface Subscription {
  channel: string;
  stop(): Promise<void>;
}

interface HearingOptions {
  self: string;
  listener: ChangeListener;
  missed(sinceMs: number): Promise<NoteChange[]>;
}

/** Hears of others' changes. Where the connection was lost meanwhile, all that changed since is told. */
export async function listenForChanges(
  query: Query,
  url: string,
  { self, listener, missed }: HearingOptions,
): Promise<Subscription> {
  const [row] = await query('select current_schema() as schema');
  const channel = `ccmcp_notes ${String(row?.schema)}`.slice(0, 63);
  let last = performance.now();
  const { stop } = await listen({
    url,
    channel,
    onPayload: (payload) => {
      last = performance.now();
      const { by, ...change } = JSON.parse(payload) as Payload;
      if (by !== self) listener([change]);
    },
    onReconnect: () => {
      void missed(performance.now() - last).then(listener, () => {});
      last = performance.now();
    },
  });
  return { channel, stop };
}

/** Tells other instances of changes, once they are committed. */
export async function notifyChanges(
  query: Query,
  channel: string,
  by: string,
  changes: readonly NoteChange[],
): Promise<void> {
  const onPayload = changes.map((change): string => JSON.stringify({ ...change, by } satisfies Payload));
  if (onPayload.length > 0)
    await query('select pg_notify($1, told) from unnest($2::text[]) as told', [channel, onPayload]);
}

/** Runs a change, and tells of it once it is committed. */
export async function changeAndNotify(
  { database, listening, listener, self }: NotifyingDatabase,
  owner: string,
  work: (query: Query) => Promise<Changed>,
): Promise<Note> {
  const { channel } = await listening();
  const { note, listed } = await database.write(async (query) => {
    const changed = await work(query);
    if (changed.listed !== undefined) {
      await notifyChanges(query, channel, self, [{ id: changed.note.id, owner, listed: changed.listed }]);
    }
    return changed;
  });
  if (listed !== undefined) listener([{ id: note.id, owner, listed }]);
  return note;
}

/** What changed within a time until now. The clock is the database's, as in what it compares: ours may be set otherwise. */
export async function changesSince(database: PostgresDatabase, milliseconds: number): Promise<NoteChange[]> {
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
