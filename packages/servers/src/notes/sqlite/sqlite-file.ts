import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GroupCommit, type Outcome } from '../group-commit.ts';
import { NotesError } from '../note.ts';
import { Connection, loadSqlite, ResultCode, resultCode, type Sqlite, transaction } from './driver.ts';
import { explainError } from './damage.ts';
import { hasPermissionModel } from '../../permission.ts';

/** How long to block the thread for a lock; longer waits are asynchronous. */
const blockingMs = 20;
/** How long work waits for locks of other processes. */
const maxLockWaitMs = 20_000;

/** Options of `SqliteFile`. */
export interface FileOptions {
  path: string;
  /** Checks a newly opened file without changing it. Returns true if it must be prepared. */
  check(connection: Connection, sqlite: Sqlite): boolean;
  /** Prepares the file for use. */
  prepare(connection: Connection): void;
  /** Called when the file is ready. */
  onOpen(connection: Connection): void;
}

/** A database file with several writer processes. Opens on demand, and reopens after errors. */
export class SqliteFile {
  readonly #options: FileOptions;
  #open: { connection: Connection; inode: bigint; logMode: LogMode } | undefined;
  #closed = false;
  readonly #jobs = new GroupCommit<Job>({
    runAlone: ({ kind, work }) => this.#run(kind, work),
    runTogether: (jobs) => {
      const kind = jobs.some((job) => job.kind === 'write') ? 'write' : 'read';
      return this.#run(kind, (connection) => runJobs(connection, jobs));
    },
    failsAll: (error) => error instanceof NotesError && isBusy(error.cause),
  });
  /** The disk failure after which nothing is written. */
  #writeFailure: unknown;

  constructor(options: FileOptions) {
    this.#options = options;
  }

  /** Runs a read transaction, which sees all earlier writes, even pending ones. */
  read<T>(work: (connection: Connection) => T): Promise<T> {
    const job: Job = { kind: 'read', work };
    return (this.#jobs.isBusy ? this.#jobs.add(job) : this.#run('read', work)) as Promise<T>;
  }

  /** Runs a write transaction; resolves when it is durable. */
  write<T>(work: (connection: Connection) => T): Promise<T> {
    return this.#jobs.add({ kind: 'write', work }) as Promise<T>;
  }

  /** Runs a read transaction if that is possible without waiting. */
  tryRead<T>(work: (connection: Connection) => T): T | undefined {
    if (this.#open === undefined) return undefined;
    const { connection } = this.#open;
    try {
      return transaction(connection, 'read', () => work(connection));
    } catch {
      // The next operation reports the error.
      return undefined;
    }
  }

  close(): void {
    this.#closed = true;
    this.#drop();
  }

  /** Runs statements as one transaction. */
  #run<T>(kind: Job['kind'], work: (connection: Connection) => T): Promise<T> {
    return this.#retryWhileBusy((connection) => {
      if (kind === 'read') return transaction(connection, kind, () => work(connection));
      return this.#runWrite(() =>
        transaction(connection, kind, () => {
          const switched = this.#open?.logMode === 'rollback' && journalMode(connection) === 'wal';
          if (switched) throw new LogModeChanged();
          return work(connection);
        }),
      );
    });
  }

  /** After a failed write, unwritten pages may stay in the cache, so that a retry seems to succeed. */
  #runWrite<T>(work: () => T): T {
    if (this.#writeFailure !== undefined) throw diskFailureError(this.#options.path, this.#writeFailure);
    return this.#detectDiskFailure(work);
  }

  /** Runs a possible write; after a disk failure, nothing is written any more. */
  #detectDiskFailure<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (resultCode(error) !== ResultCode.ioError) throw error;
      this.#writeFailure = error;
      this.#drop();
      throw diskFailureError(this.#options.path, error);
    }
  }

  async #retryWhileBusy<T>(work: (connection: Connection) => T): Promise<T> {
    const sqlite = await loadSqlite();
    const deadline = performance.now() + maxLockWaitMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return work(this.#connection(sqlite));
      } catch (error) {
        if (error instanceof NotesError) throw error;
        const busy = isBusy(error);
        if (!busy) this.#drop();
        if (!busy && !(error instanceof LogModeChanged)) throw explainError(error, this.#options.path);
        if (performance.now() > deadline) {
          throw new NotesError('unavailable', 'Another program keeps the notes locked; try again later', {
            cause: error,
          });
        }
        // Jitter, so that processes do not collide again.
        await delay(Math.random() * Math.min(100, 5 * attempt));
      }
    }
  }

  #connection(sqlite: Sqlite): Connection {
    if (this.#closed) throw new NotesError('unavailable', 'The notes are closed');
    const { path, check, prepare, onOpen } = this.#options;
    if (this.#open !== undefined) {
      const inode = inodeOf(path);
      if (inode === this.#open.inode) return this.#open.connection;
      // Writes to a replaced file would be lost, and a WAL of the old one would damage the new one.
      if (this.#open.logMode === 'wal' && inode !== noFile && existsSync(`${path}-wal`)) throw replacedError(path);
      this.#drop();
    }

    createFolders(dirname(path));
    createPrivateFile(path);
    const connection = new Connection(new sqlite(path));
    const { database } = connection;
    try {
      // No spilling before the commit: that would need a lock in the middle of a statement.
      database.exec(`pragma busy_timeout = ${blockingMs}; pragma cache_spill = off`);
      const isNew = check(connection, sqlite);
      const logMode = this.#detectDiskFailure(() => chooseLogMode(connection));
      // "extra" also syncs the end of the rollback journal before a commit is acknowledged.
      database.exec('pragma synchronous = extra; pragma fullfsync = on');
      if (isNew) this.#runWrite(() => prepare(connection));
      onOpen(connection);
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
      // Ignored: nothing more can be done.
    }
  }
}

/** A unit of work. */
interface Job {
  kind: 'read' | 'write';
  work(connection: Connection): unknown;
}

/** The maximum duration of a group; later jobs wait for the next commit. */
const groupMs = 50;

/**
 * Runs jobs in savepoints of the caller's transaction. A rejected job does not affect others; a failure of SQLite
 * ends all.
 */
function runJobs(connection: Connection, jobs: readonly Job[]): Outcome[] {
  const { database } = connection;
  const outcomes: Outcome[] = [];
  const end = performance.now() + groupMs;
  for (const { work } of jobs) {
    database.exec('savepoint job');
    try {
      outcomes.push({ value: work(connection) });
      database.exec('release job');
    } catch (error) {
      if (!(error instanceof NotesError)) throw error;
      outcomes.push({ error });
      database.exec('rollback to job; release job');
    }
    if (performance.now() > end) break;
  }
  return outcomes;
}

function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === ResultCode.busy || code === ResultCode.locked;
}

/** Another process changed the journal mode. */
class LogModeChanged extends Error {}

/** Creates folders durably: SQLite syncs its files, but not their folders. */
function createFolders(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined || process.platform === 'win32' || hasPermissionModel()) return;
  const top = dirname(first);
  for (let made = folder; made.length > top.length; made = dirname(made)) sync(dirname(made));
}

/** Creates the file with private permissions before SQLite does, which copies them to its WAL. */
function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It exists already, or SQLite reports the error.
  }
}

function sync(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const noFile = -1n;

function inodeOf(path: string): bigint {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? noFile;
}

function diskFailureError(path: string, cause: unknown): NotesError {
  return new NotesError(
    'unavailable',
    `The disk failed to write the notes: whether the last change was kept is not known, and no more are taken (${path}). ` +
      'Look after the disk, then start this program again',
    { cause },
  );
}

function replacedError(path: string): NotesError {
  return new NotesError(
    'unavailable',
    `${path} was replaced while it was in use: end all programs that use it, then remove ${path}-wal and ${path}-shm`,
  );
}

/** The journal mode: write-ahead log or rollback journal. */
type LogMode = 'wal' | 'rollback';

/** Before 3.51.3, SQLite could damage a WAL database with several writers. */
const firstWithSafeLog = [3, 51, 3] as const;

/** Sets the best safe journal mode. */
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

/** True if several processes can safely share a WAL. */
export function isSafeWithLog(version: string): boolean {
  const numbers = version.split('.').map(Number);
  for (const [place, least] of firstWithSafeLog.entries()) {
    const number = numbers[place] ?? 0;
    if (number !== least) return number > least;
  }
  return true;
}

/** The current journal mode. */
function journalMode(connection: Connection): unknown {
  return connection.sql('pragma journal_mode').all()[0]?.journal_mode;
}
