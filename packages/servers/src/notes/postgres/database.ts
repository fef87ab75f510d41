import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { type Note, noteId, NotesError } from '../note.ts';
import { migrate, type Query } from './schema.ts';
import { type ChangeListener, maxChanges, type NoteChange } from '../repository.ts';

/** Transient error codes of the driver, the network and the server. */
const transientCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  '40001',
  '40P01',
  '53300',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
]);

/** Permanent errors of the server, by code. */
const permanentErrors: ReadonlyMap<unknown, string> = new Map([
  ['25006', 'The notes can only be read: the database is read-only'],
  ['28000', 'The database rejects the user of DATABASE_URL'],
  ['28P01', 'The database rejects the password of DATABASE_URL'],
  ['3D000', 'The database of DATABASE_URL does not exist'],
  ['42501', 'The user of DATABASE_URL may not do this in the database'],
  ['53100', 'There is no space left for the database. Nothing was changed'],
]);

/** Converts a database error. Only after a failed commit is the outcome unknown. */
function explainError(error: unknown, outcome: 'not done' | 'perhaps done'): unknown {
  if (!(error instanceof Error) || error instanceof NotesError) return error;
  const { code } = error as { code?: unknown };
  const known = permanentErrors.get(code);
  if (known !== undefined) return new NotesError('unavailable', known, { cause: error });
  return transientCodes.has(code) || connectionErrors.test(error.message) ? unreachable(outcome, error) : error;
}

/** Connection errors of the driver without a code. */
const connectionErrors =
  /timeout|connection terminated|not queryable|connection error|socket hang up|use a pool after calling end/i;

function unreachable(outcome: 'not done' | 'perhaps done', cause: unknown): NotesError {
  const doubt = outcome === 'perhaps done' ? '. Look whether the change was made before you repeat it' : '';
  return new NotesError('unavailable', `The database with the notes can't be reached; try again soon${doubt}`, {
    cause,
  });
}

/** Timeouts of a statement, on the server and on the client. */
const statementMs = 10_000;
const answerMs = 12_000;

/** The options of each connection. */
function clientOptions(url: string): Record<string, string | number | boolean> {
  return {
    connectionString: url,
    application_name: 'ccmcp notes',
    connectionTimeoutMillis: 5000,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    keepAlive: true,
  };
}

/** A PostgreSQL connection pool, opened on demand. */
export class PostgresDatabase {
  readonly #url: string;
  #pool: Pool | undefined;
  #ready: Promise<Pool> | undefined;
  #ended: Promise<void> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async read<T>(work: (query: Query) => Promise<T>): Promise<T> {
    try {
      const pool = await this.#getPool();
      return await work(async (text, values = []) => (await pool.query(text, [...values])).rows);
    } catch (error) {
      throw explainError(error, 'not done');
    }
  }

  /** Runs statements in a transaction; resolves after the commit. */
  async write<T>(work: (query: Query) => Promise<T>): Promise<T> {
    try {
      return await inTransaction(await this.#getPool(), work);
    } catch (error) {
      throw explainError(error, 'not done');
    }
  }

  async close(): Promise<void> {
    this.#ended ??= this.#pool?.end();
    await this.#ended;
  }

  #getPool(): Promise<Pool> {
    this.#ready ??= this.#connect().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #connect(): Promise<Pool> {
    const { default: pg } = await import('pg');
    this.#pool ??= new pg.Pool({
      ...clientOptions(this.#url),
      max: 10,
      idleTimeoutMillis: 60_000,
    }).on('error', ignore);
    const pool = this.#pool;
    await migrate({
      query: async (text, values = []) => (await pool.query(text, [...values])).rows,
      transaction: (work) => inTransaction(pool, work),
    });
    return pool;
  }
}

/** Forces synchronous commits, even if the database is configured otherwise: acknowledged changes must be durable. */
const begin = `begin; select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`;

async function inTransaction<T>(pool: Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection that breaks between statements emits an error; the next statement fails anyway.
  client.on('error', ignore);
  const query: Query = async (text, values = []) => (await client.query(text, [...values])).rows;
  try {
    await query(begin);
    const result = await work(query);
    await query('commit').catch((error: unknown) => {
      throw explainError(error, 'perhaps done');
    });
    release(client);
    return result;
  } catch (error) {
    await query('rollback').then(
      () => release(client),
      (broken: Error) => release(client, broken),
    );
    throw error;
  }
}

function release(client: PoolClient, broken?: Error): void {
  client.off('error', ignore);
  client.release(broken);
}

/** The pool replaces broken idle connections. */
function ignore(): void {}

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
  subscribe(): Promise<Subscription>;
  listener: ChangeListener;
  instanceId: string;
}

/** A subscription to changes of other instances. */
export interface Subscription {
  channel: string;
  stop(): Promise<void>;
}

interface ChangeListenOptions {
  instanceId: string;
  listener: ChangeListener;
  changesSince(sinceMs: number): Promise<NoteChange[]>;
}

/** Subscribes to changes of other instances. After a reconnect, reports all changes since the connection was lost. */
export async function listenForChanges(
  query: Query,
  url: string,
  { instanceId, listener, changesSince }: ChangeListenOptions,
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
      if (by !== instanceId) listener([change]);
    },
    onReconnect: () => {
      void changesSince(performance.now() - last).then(listener, () => {});
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
  const payloads = changes.map((change): string => JSON.stringify({ ...change, by } satisfies Payload));
  if (payloads.length > 0)
    await query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [channel, payloads]);
}

/** Runs a change and notifies after the commit. */
export async function changeAndNotify(
  { database, subscribe, listener, instanceId }: NotifyingDatabase,
  owner: string,
  work: (query: Query) => Promise<Changed>,
): Promise<Note> {
  const { channel } = await subscribe();
  const { note, listed } = await database.write(async (query) => {
    const changed = await work(query);
    if (changed.listed !== undefined) {
      await notifyChanges(query, channel, instanceId, [{ id: changed.note.id, owner, listed: changed.listed }]);
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
