import { maxRanked } from '../repository.ts';
import {
  type Alternative,
  maxScannedBytes,
  maxScannedNotes,
  type Phrase,
  toLowerCase,
  withoutForms,
} from '../search.ts';
import type { Connection, Row } from './driver.ts';
import { asBytes, decodeText } from './rows.ts';

/** The SQL of a full-text search, the best matches first: exact ones, then inflected ones. */
export function ranking(alternatives: readonly Alternative[], owner: string): { sql: string; values: string[] } {
  if (alternatives.some(({ wanted }) => wanted.length === 0)) return withoutWords(alternatives, owner);
  const [match, written] = [toMatch(alternatives), toMatch(withoutForms(alternatives))];
  const first = matches('1 as written');
  if (match === written) return { sql: `select n from (${first}) order by score, n desc`, values: [match, owner] };
  const others = matches(
    '0 as written',
    'and note_words.rowid not in (select rowid from note_words where note_words match ?)',
  );
  return {
    sql: `select n from (select * from (${first}) union all select * from (${others})) order by written desc, score, n desc`,
    values: [written, owner, match, owner, written],
  };
}

/** Selects matching notes with a rank. */
function matches(written: string, condition = ''): string {
  return `
    select note_words.rowid as n, bm25(note_words, 8, 1, 4) as score, ${written}
    from note_words cross join notes as owned indexed by notes_owned on owned.n = note_words.rowid
    where note_words match ? and owned.owner = ? and owned.deleted_at is null ${condition}
    order by note_words.rowid desc limit ${maxRanked}`;
}

/** The same for an alternative with exclusions only, which gives no rank: the newest first. */
function withoutWords(alternatives: readonly Alternative[], owner: string): { sql: string; values: string[] } {
  const matching = '(select rowid from note_words where note_words match ?)';
  const conditions = alternatives.map(({ wanted }) => `n ${wanted.length === 0 ? 'not in' : 'in'} ${matching}`);
  const queries = alternatives.map((one) => (one.wanted.length === 0 ? anyOf(one.unwanted) : toMatch([one])));
  const sql = `
    select n from notes indexed by notes_owned
    where owner = ? and deleted_at is null and (${conditions.join(' or ')}) order by n desc`;
  return { sql, values: [owner, ...queries] };
}

/** Formats a search for FTS5, which can't exclude without a positive term. */
function toMatch(alternatives: readonly Alternative[]): string {
  return alternatives.map(oneOf).join(' OR ');
}

/** Formats alternative phrases. */
function anyOf(phrases: readonly Phrase[]): string {
  return phrases.map(toPhrase).join(' OR ');
}

function oneOf({ wanted, unwanted }: Alternative): string {
  const all = `(${wanted.map(toPhrase).join(' AND ')})`;
  return unwanted.length === 0 ? all : `(${all} NOT (${anyOf(unwanted)}))`;
}

/** Words consist of letters and digits, so no escaping is needed. */
function toPhrase({ words, open, forms }: Phrase): string {
  const first = words.slice(0, -1);
  const others = forms.map((form) => `"${[...first, form].join(' ')}"`);
  return `(${[`"${words.join(' ')}"${open ? ' *' : ''}`, ...others].join(' OR ')})`;
}

/** Small, because each note may have a megabyte. */
const batchSize = 20;

interface ScanOptions {
  /** The numbers of notes to skip. */
  except: ReadonlySet<number>;
  limit: number;
  offset: number;
}

/**
 * Finds the numbers of an owner's notes that contain a lowercase text, the newest first. Compares in JavaScript, because
 * `lower` of SQLite supports only ASCII.
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
    if (bytes > maxScannedBytes || notes > maxScannedNotes || matches.length === offset + limit) break;
    const n = Number(row.n);
    const contains = (text: unknown): boolean => toLowerCase(decodeText(text)).includes(substring);
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
