import { type Note, noteId } from '../note.ts';
import type { ChangeListener, NoteChange } from '../repository.ts';
import { clientOptions, type PostgresDatabase } from './database.ts';
import type { Query } from './schema.ts';
import { setTimeout as delay } from 'node:timers/promises';

interface ListenOptions {
  url: string;
  channel: string;
  onPayload(payload: string): void;
  /** Called after a reconnect: notifications may have been missed. */
  onReconnect(): void;
}

const retryMs = 500;

/** Listens on a channel over a separate connection, with reconnects. */
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

/** A notification between instances. */
interface Payload extends NoteChange {
  by: string;
}

/** The result of a change. */
export interface Changed {
  note: Note;
  /** Whether lists change; undefined if nothing changed. */
  listed: boolean | undefined;
}

/** A database with change notifications. */
export interface NotifyingDatabase {
  database: PostgresDatabase;
  listening(): Promise<Subscription>;
  listener: ChangeListener;
  self: string;
}

/** A subscription to changes of other instances. */
export interface Subscription {
  channel: string;
  stop(): Promise<void>;
}

interface HearingOptions {
  self: string;
  listener: ChangeListener;
  missed(sinceMs: number): Promise<NoteChange[]>;
}

/** Subscribes to changes of other instances. After a reconnect, reports all changes since the connection was lost. */
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

/** Notifies other instances, on commit. */
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

/** Runs a change and notifies after the commit. */
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

/** The changes of the last milliseconds, by the clock of the database. */
export async function changesSince(database: PostgresDatabase, milliseconds: number): Promise<NoteChange[]> {
  // With a margin.
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
