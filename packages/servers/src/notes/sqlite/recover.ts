import { chmodSync, copyFileSync, existsSync, linkSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { noteId, NotesError } from '../note.ts';
import { DamageError, lengthBeforeTruncation } from './damage.ts';
import { verifyChecksum } from './check.ts';
import { Connection, type Database, loadSqlite, type Row } from './driver.ts';
import { asBytes, insertRow, type NoteRow, rowColumns, parseTags, toRow } from './rows.ts';
import { createCurrentSchema, versionOf } from './schema.ts';

/** The result of a recovery. */
export interface Recovered {
  /** The number of recovered notes. */
  kept: number;
  /** The ids of recovered notes that were altered; they are tagged `damaged`. */
  altered: string[];
  /** The ids of unreadable notes. */
  lost: string[];
}

/** An upper bound for ids, in case the last id is damaged. */
const maxId = 10_000_000;

/** Recovers the readable notes of a file into a new one, without changing the old file. */
export async function recoverFile(from: string, to: string): Promise<Recovered> {
  const sqlite = await loadSqlite();
  if (!existsSync(from)) throw new NotesError('invalid', `There is no file ${from}`);
  if (existsSync(to)) throw new NotesError('invalid', `${to} is there already: name a new file`);
  const folder = mkdtempSync(join(dirname(resolve(to)), '.ccmcp-recover-'));
  try {
    // On a copy, because SQLite would complete interrupted transactions in the old file.
    const copy = join(folder, 'old.db');
    for (const part of ['', '-wal', '-journal']) if (existsSync(from + part)) copyFileSync(from + part, copy + part);
    // SQLite does not open a truncated file, so it is extended; the missing pages are unreadable.
    const length = lengthBeforeTruncation(copy);
    if (length !== undefined) truncateSync(copy, length);
    const [old, created] = [new sqlite(copy), new sqlite(join(folder, 'new.db'))];
    try {
      created.exec('pragma synchronous = extra; pragma fullfsync = on');
      const recovered = copyNotes(old, created);
      created.close();
      chmodSync(join(folder, 'new.db'), 0o600);
      linkSync(join(folder, 'new.db'), to);
      return recovered;
    } finally {
      for (const database of [old, created]) closeQuietly(database);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyNotes(old: Database, target: Database): Recovered {
  const read = readerOf(old);
  const connection = new Connection(target);
  const recovered: Recovered = { kept: 0, altered: [], lost: [] };
  target.exec('begin');
  createCurrentSchema(target);
  const last = lastId(old);
  for (let n = 1; n <= last; n += 1) {
    try {
      const row = read(n);
      if (row === undefined) continue;
      insertRow(connection, row.note, n);
      recovered.kept += 1;
      if (row.altered) recovered.altered.push(noteId(n));
    } catch {
      recovered.lost.push(noteId(n));
    }
  }
  target.exec('commit');
  if (recovered.kept === 0) throw unreadable();
  return recovered;
}

type Read = (n: number) => { note: NoteRow; altered: boolean } | undefined;

function readerOf(database: Database): Read {
  try {
    const columns = versionOf(database) === 1 ? columnsOfFirstVersion : `${rowColumns}, ${asBytes('sum')}`;
    const statement = database.prepare(`select ${columns} from notes where n = ?`);
    return (n) => {
      const [selected] = statement.all(n);
      return selected && readRow(selected);
    };
  } catch (error) {
    throw unreadable(error);
  }
}

const columnsOfFirstVersion = rowColumns
  .replace(/cast\(notes\.(key|draft) as blob\)/g, 'null')
  .replace('cast(notes.owner as blob)', "cast('' as blob)");

/** Tags an altered note. */
function readRow(selected: Row): { note: NoteRow; altered: boolean } {
  const note = toRow(selected);
  parseTags(note.tags);
  try {
    if (selected.sum !== undefined) verifyChecksum(selected);
    return { note, altered: false };
  } catch (error) {
    if (!(error instanceof DamageError)) throw error;
    return { note: { ...note, tags: JSON.stringify([...parseTags(note.tags).map(String), 'damaged']) }, altered: true };
  }
}

function lastId(database: Database): number {
  const found = ['select max(seq) as n from sqlite_sequence', 'select max(n) as n from notes'].map((sql) => {
    try {
      return Number(database.prepare(sql).all()[0]?.n ?? 0);
    } catch {
      return 0;
    }
  });
  return Math.min(Math.max(...found), maxId);
}

function unreadable(cause?: unknown): NotesError {
  return new NotesError(
    'unavailable',
    'No note could be read. The program sqlite3 may get at more: sqlite3 FILE .recover > notes.sql',
    { cause },
  );
}

function closeQuietly(database: Database): void {
  try {
    database.close();
  } catch {
    // It was closed before.
  }
}
