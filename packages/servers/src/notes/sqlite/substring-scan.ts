import { toLowerCase } from '../query.ts';
import type { Connection } from './connection.ts';
import type { Row } from './driver.ts';
import { asBytes, textIn } from './note-row.ts';
import { limits } from '../../limits.ts';

const maxBytes = limits.notes.scanned.value;
const maxNotes = limits.notes.scannedNotes.value;
/** Few, because each may hold a megabyte. */
const batchSize = 20;

interface ScanOptions {
  /** Numbers of notes to leave out. */
  except: ReadonlySet<number>;
  limit: number;
  offset: number;
}

/**
 * The numbers of an owner's notes that contain a text in lower case, the newest first. Compared here, because SQLite's `lower`
 * knows only ASCII.
 */
export function scanForSubstring(
  connection: Connection,
  owner: string,
  substring: string,
  { except, limit, offset }: ScanOptions,
): number[] {
  const matches: number[] = [];
  let bytes = 0;
  let notes = 0;
  for (const row of newestFirst(connection, owner)) {
    bytes += Number(row.bytes);
    notes += 1;
    if (bytes > maxBytes || notes > maxNotes || matches.length === offset + limit) break;
    const n = Number(row.n);
    const contains = (text: unknown): boolean => toLowerCase(textIn(text)).includes(substring);
    if (!except.has(n) && (contains(row.title) || contains(row.content))) matches.push(n);
  }
  return matches.slice(offset);
}

function* newestFirst(connection: Connection, owner: string): Generator<Row> {
  const next = connection.sql(
    `select n, ${asBytes('title')}, ${asBytes('content')}, octet_length(title) + octet_length(content) as bytes
     from notes indexed by notes_owned where owner = ? and deleted_at is null and n < ? order by n desc limit ${batchSize}`,
  );
  let rows: Row[];
  let last = Number.MAX_SAFE_INTEGER;
  do {
    rows = next.all(owner, last);
    yield* rows;
    last = Number(rows.at(-1)?.n);
  } while (rows.length === batchSize);
}
