import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GroupCommit, type Outcome } from '../group-commit.ts';
import { NotesError } from '../notes-error.ts';
import { Connection, loadSqlite, ResultCode, resultCode, type Sqlite, transaction } from './driver.ts';
import { explainError } from './damage.ts';
import { limits } from '../../limits.ts';
import { hasPermissionModel } from '../../permission.ts';

/** How changes are kept until they are in the file: in a log that is written ahead, or by a journal to roll back. */
type LogMode = 'wal' | 'rollback';

/** Before 3.51.3, SQLite could damage a file that several connections write with a write-ahead log. */
const firstWithSafeLog = [3, 51, 3] as const;

/** Sets the best way that is safe here. */
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

/** The way that the file is in now, in SQLite's word. */
function journalMode(connection: Connection): unknown {
  return connection.sql('pragma journal_mode').all()[0]?.journal_mode;
}

/** How long the thread may stand still for a lock; longer waits leave it free. */
const blockingMs = 20;
/** How long a piece of work waits in all for other processes. */
const maxLockWaitMs = limits.notes.lockMs.value;

/** What is done with a file before it is used. */
export interface FileOptions {
  path: string;
  /** Looks whether a file that was just opened can be used; nothing was changed in it. True where it must be prepared. */
  check(connection: Connection, sqlite: Sqlite): boolean;
  /** Writes what must be there before it is used. */
  prepare(connection: Connection): void;
  /** Called when it is ready. */
  onOpen(connection: Connection): void;
}

/** A database file that several processes write: opened when needed, opened again after trouble. */
export class SqliteFile {
  readonly #options: FileOptions;
  #open: { connection: Connection; inode: bigint; logMode: LogMode } | undefined;
  #closed = false;
  readonly #pieces = new GroupCommit<Piece>({
    runAlone: ({ kind, work }) => this.#run(kind, work),
    runTogether: (pieces) => {
      const kind = pieces.some((piece) => piece.kind === 'write') ? 'write' : 'read';
      return this.#run(kind, (connection) => outcomesOf(connection, pieces));
    },
    failsAll: (error) => error instanceof NotesError && isBusy(error.cause),
  });
  /** Why nothing is written any more. */
  #writeFailure: unknown;

  constructor(options: FileOptions) {
    this.#options = options;
  }

  /** Runs statements that only read. They see what was to be written before, also where that still waits. */
  read<T>(work: (connection: Connection) => T): Promise<T> {
    const piece: Piece = { kind: 'read', work };
    return (this.#pieces.isBusy ? this.#pieces.add(piece) : this.#run('read', work)) as Promise<T>;
  }

  /** Runs statements that count all or not at all; when the promise is kept, all of it is on the disk. */
  write<T>(work: (connection: Connection) => T): Promise<T> {
    return this.#pieces.add({ kind: 'write', work }) as Promise<T>;
  }

  /** Runs statements that read if that is possible at once. */
  tryRead<T>(work: (connection: Connection) => T): T | undefined {
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

  /** Runs statements as one transaction. */
  #run<T>(kind: Piece['kind'], work: (connection: Connection) => T): Promise<T> {
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

  /** What a disk failed to take may seem to be there as long as the machine runs: a second try could succeed in vain. */
  #runWrite<T>(work: () => T): T {
    if (this.#writeFailure !== undefined) throw diskFailureError(this.#options.path, this.#writeFailure);
    return this.#detectDiskFailure(work);
  }

  /** Does something that may write; where the disk fails, nothing is written from then on. */
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
        // Different waits, so that processes that met once don't meet again.
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
      // A file that was replaced would take notes that nobody finds again, and a log of the old one would damage it.
      if (this.#open.logMode === 'wal' && inode !== noFile && existsSync(`${path}-wal`)) throw replacedError(path);
      this.#drop();
    }

    makeFolders(dirname(path));
    makePrivate(path);
    const connection = new Connection(new sqlite(path));
    const { database } = connection;
    try {
      // No change may reach the file before its commit: that would need a lock in the middle of a statement.
      database.exec(`pragma busy_timeout = ${blockingMs}; pragma cache_spill = off`);
      const isNew = check(connection, sqlite);
      const logMode = this.#detectDiskFailure(() => chooseLogMode(connection));
      // "extra" also makes sure that the end of a rollback journal is on the disk before a note is acknowledged.
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
      // Nothing more can be done about it.
    }
  }
}

/** Statements that belong together. */
interface Piece {
  kind: 'read' | 'write';
  work(connection: Connection): unknown;
}

/** How long pieces may hold the thread before they are committed; the others wait for the next commit. */
const groupMs = 50;

/** Runs pieces inside a transaction of the caller. What one refuses to do harms no other; a failure of SQLite ends all. */
function outcomesOf(connection: Connection, pieces: readonly Piece[]): Outcome[] {
  const { database } = connection;
  const outcomes: Outcome[] = [];
  const end = performance.now() + groupMs;
  for (const { work } of pieces) {
    database.exec('savepoint piece');
    try {
      outcomes.push({ value: work(connection) });
      database.exec('release piece');
    } catch (error) {
      if (!(error instanceof NotesError)) throw error;
      outcomes.push({ error });
      database.exec('rollback to piece; release piece');
    }
    if (performance.now() > end) break;
  }
  return outcomes;
}

function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === ResultCode.busy || code === ResultCode.locked;
}

/** Another process has changed how the file keeps its changes. */
class LogModeChanged extends Error {}

/** Makes folders that are there for good: SQLite sees to its files, but not to the folders around them. */
function makeFolders(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined || process.platform === 'win32' || hasPermissionModel()) return;
  const top = dirname(first);
  for (let made = folder; made.length > top.length; made = dirname(made)) sync(dirname(made));
}

/** Makes the file before SQLite does, readable by its owner only. SQLite gives its log and its index the same mode. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there already, or SQLite tells why it can't be.
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
