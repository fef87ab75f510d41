import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NotesError } from '../notes-error.ts';
import { type Database, loadSqlite, ResultCode, resultCode, type Sqlite, type Statement } from './driver.ts';
import { explain } from './explain.ts';
import { limits } from '../../limits.ts';

/** How long the thread may stand still for a lock; longer waits leave it free. */
const blockingMs = 20;
/** How long a piece of work waits in all for other processes. */
const patienceMs = limits.notes.lockMs.value;

export interface ConnectionOptions {
  path: string;
  /** Prepares a file that was just opened. */
  prepare(connection: Connection): void;
}

/** One open file. */
export class Connection {
  readonly database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.database = database;
  }

  /** A statement that is compiled once. */
  sql(text: string): Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

/**
 * Runs statements that see one state of the file, and count all or not at all. The lock is taken before any of them:
 * libsql would keep one that another process refused half open, and with it the file locked for everyone.
 */
export function transaction<T>({ database }: Connection, kind: 'read' | 'write', work: () => T): T {
  try {
    database.exec(kind === 'read' ? 'begin; select 1 from sqlite_master limit 1' : 'begin immediate');
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    try {
      database.exec('rollback');
    } catch {
      // It had not begun, or SQLite has rolled back by itself.
    }
    throw error;
  }
}

/** A database file that several processes write: opened when needed, opened again after trouble. */
export class SqliteFile {
  readonly #options: ConnectionOptions;
  #open: { connection: Connection; inode: bigint; logMode: LogMode } | undefined;
  #closed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Runs statements that only read. */
  read<T>(work: (connection: Connection) => T): Promise<T> {
    return this.#patiently((connection) => transaction(connection, 'read', () => work(connection)));
  }

  /** Runs statements as one transaction; when the promise is kept, all of it is on the disk. */
  write<T>(work: (connection: Connection) => T): Promise<T> {
    return this.#patiently((connection) =>
      transaction(connection, 'write', () => {
        const switched = this.#open?.logMode === 'rollback' && journalMode(connection) === 'wal';
        if (switched) throw new LogModeChanged();
        return work(connection);
      }),
    );
  }

  /** Runs statements that read if that is possible at once. */
  glance<T>(work: (connection: Connection) => T): T | undefined {
    if (this.#open === undefined) return undefined;
    const { connection } = this.#open;
    try {
      return transaction(connection, 'read', () => work(connection));
    } catch {
      // Whatever is wrong shows with the next piece of work, which can wait and explain.
      return undefined;
    }
  }

  close(): void {
    this.#closed = true;
    this.#drop();
  }

  async #patiently<T>(work: (connection: Connection) => T): Promise<T> {
    const sqlite = await loadSqlite();
    const deadline = performance.now() + patienceMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return work(this.#connection(sqlite));
      } catch (error) {
        if (error instanceof NotesError) throw error;
        const code = resultCode(error);
        const busy = code === ResultCode.busy || code === ResultCode.locked;
        if (!busy) this.#drop();
        if (!busy && !(error instanceof LogModeChanged)) throw explain(error, this.#options.path);
        if (performance.now() > deadline) {
          throw new NotesError('unavailable', 'Another program keeps the notes locked; try again later', {
            cause: error,
          });
        }
        // Different waits, so that processes that met once don't meet again.
        await delay(Math.random() * Math.min(100, 5 * attempt));
      }
    }
  }

  #connection(sqlite: Sqlite): Connection {
    if (this.#closed) throw new NotesError('unavailable', 'The notes are closed');
    const { path, prepare } = this.#options;
    if (this.#open !== undefined) {
      const inode = inodeOf(path);
      if (inode === this.#open.inode) return this.#open.connection;
      // A file that was replaced would take notes that nobody finds again, and a log of the old one would damage it.
      if (this.#open.logMode === 'wal' && inode !== nowhere && existsSync(`${path}-wal`)) throw replaced(path);
      this.#drop();
    }

    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const connection = new Connection(new sqlite(path));
    const { database } = connection;
    try {
      // No change may reach the file before its commit: that would need a lock in the middle of a statement.
      database.exec(`pragma busy_timeout = ${blockingMs}; pragma cache_spill = off`);
      const logMode = chooseLogMode(connection);
      // "extra" also makes sure that the end of a rollback journal is on the disk before a note is acknowledged.
      database.exec('pragma synchronous = extra; pragma fullfsync = on');
      prepare(connection);
      this.#open = { connection, inode: inodeOf(path), logMode };
      return connection;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  #drop(): void {
    const { connection } = this.#open ?? {};
    this.#open = undefined;
    try {
      connection?.database.close();
    } catch {
      // Nothing more can be done about it.
    }
  }
}

type LogMode = 'wal' | 'rollback';

class LogModeChanged extends Error {}

/** Before 3.51.3, SQLite could damage a file that several connections write with a write-ahead log. */
const firstWithSafeLog = [3, 51, 3] as const;

function chooseLogMode(connection: Connection): LogMode {
  const { database } = connection;
  const version = String(connection.sql('select sqlite_version() as version').all()[0]?.version);
  if (isSafeWithLog(version)) {
    database.exec('pragma journal_mode = wal');
    return 'wal';
  }
  if (hasLog(connection)) database.exec('pragma journal_mode = delete');
  if (!hasLog(connection)) return 'rollback';
  throw new NotesError(
    'unavailable',
    `A program with a newer SQLite has the notes open in a way that isn't safe with SQLite ${version}: ` +
      'close it, or use Node 22.13 or later here too',
  );
}

function hasLog(connection: Connection): boolean {
  return transaction(connection, 'read', () => journalMode(connection) === 'wal');
}

/** True where several processes may share a write-ahead log. */
export function isSafeWithLog(version: string): boolean {
  const numbers = version.split('.').map(Number);
  for (const [place, least] of firstWithSafeLog.entries()) {
    const number = numbers[place] ?? 0;
    if (number !== least) return number > least;
  }
  return true;
}

function journalMode(connection: Connection): unknown {
  return connection.sql('pragma journal_mode').all()[0]?.journal_mode;
}

const nowhere = -1n;

function inodeOf(path: string): bigint {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? nowhere;
}

function replaced(path: string): NotesError {
  return new NotesError(
    'unavailable',
    `${path} was replaced while it was in use: end all programs that use it, then remove ${path}-wal and ${path}-shm`,
  );
}
