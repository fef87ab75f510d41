import { noteId, tagKey } from '../note.ts';
import { type Connection, type Database, ResultCode, resultCode, type Row, type Sqlite } from './driver.ts';
import { DamageError } from './damage.ts';
import { asBytes, rowColumns, checksum, parseTags, decodeText, toRow } from './rows.ts';
import { firstVersionWithChecksums, createTables, versionOf } from './schema.ts';

/** Errors unrelated to the contents of the file. */
const transientCodes: ReadonlySet<number | undefined> = new Set([
  ResultCode.busy,
  ResultCode.locked,
  ResultCode.ioError,
  ResultCode.full,
  ResultCode.cannotOpen,
]);

/** Checks the whole file inside the caller's transaction. Throws `DamageError` if anything was altered. */
export function checkFile(connection: Connection, sqlite: Sqlite): void {
  const { database } = connection;
  try {
    checkPages(database);
    const version = versionOf(database);
    checkTables(database, sqlite, version);
    if (version >= firstVersionWithChecksums) checkNotes(database);
  } catch (error) {
    const code = resultCode(error);
    if (error instanceof DamageError || transientCodes.has(code)) throw error;
    if (code === undefined) throw error;
    throw new DamageError(shorten((error as Error).message), { cause: error });
  }
}

/** Checks table by table: a check of the whole file would include the full-text index, which takes longest. */
function checkPages(database: Database): void {
  const found = database
    .prepare(
      `select ${asBytes('integrity_check', 'found')} from sqlite_master, pragma_integrity_check(name)
       where type = 'table' and rootpage > 0`,
    )
    .all();
  for (const row of found) if (decodeText(row.found) !== 'ok') throw new DamageError(shorten(decodeText(row.found)));
}

/** Compares the schema of the file with the expected one. */
function checkTables(database: Database, sqlite: Sqlite, version: number): void {
  const model = new sqlite(':memory:');
  try {
    createTables(model, version);
    if (tablesOf(database) !== tablesOf(model)) throw new DamageError('its tables are others than they should be');
  } finally {
    model.close();
  }
}

function tablesOf(database: Database): string {
  const rows = database
    .prepare(
      `select ${asBytes("type || ' ' || name || ' ' || coalesce(sql, '')", 'words')} from sqlite_master
       where name not like 'note_words_%' order by type, name`,
    )
    .all();
  // Versions of SQLite differ in quotes and whitespace.
  return rows.map(({ words }) => decodeText(words).replace(/[\s"]+/g, '')).join('\n');
}

function checkNotes(database: Database): void {
  const next = database.prepare(`select ${rowColumns}, ${asBytes('sum')} from notes where n > ? order by n limit 100`);
  const tagsOf = database.prepare('select 1 as one from owned_tags where owner = ? and tag = ? and n = ?');
  let last = 0;
  let tagged = 0;
  for (let rows: Row[] = next.all(0); rows.length > 0; rows = next.all(last)) {
    for (const selected of rows) {
      const row = toRow(selected);
      verifyChecksum(selected);
      last = row.n;
      if (row.deleted_at !== null) continue;
      const keys = new Set(parseTags(row.tags).map(tagKey));
      tagged += keys.size;
      for (const key of keys) {
        if (tagsOf.all(row.owner, key, row.n).length === 0) throw new DamageError(`a tag of ${noteId(row.n)} is lost`);
      }
    }
  }
  if (number(database, 'select count(*) as number from owned_tags') !== tagged)
    throw new DamageError('tags lead nowhere');
  // Ids must never be reused.
  const given = number(database, `select coalesce(max(seq), 0) as number from sqlite_sequence where name = 'notes'`);
  if (given < last) throw new DamageError('the last id is lost');
}

/** Throws `DamageError` if the checksum of a row does not match. */
export function verifyChecksum(selected: Row): void {
  const row = toRow(selected);
  if (decodeText(selected.sum) !== checksum(row)) throw new DamageError(`${noteId(row.n)} was altered`);
}

function number(database: Database, sql: string): number {
  return Number(database.prepare(sql).all()[0]?.number);
}

function shorten(found: unknown): string {
  return String(found).replace(/\s+/g, ' ').slice(0, 200);
}
