import { NotesError } from '../notes-error.ts';
import { type Connection, transaction } from './connection.ts';

/** How changes are kept until they are in the file: in a log that is written ahead, or by a journal to roll back. */
export type LogMode = 'wal' | 'rollback';

/** Before 3.51.3, SQLite could damage a file that several connections write with a write-ahead log. */
const firstWithSafeLog = [3, 51, 3] as const;

/** Sets the best way that is safe here. */
export function chooseLogMode(connection: Connection): LogMode {
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
export function journalMode(connection: Connection): unknown {
  return connection.sql('pragma journal_mode').all()[0]?.journal_mode;
}
