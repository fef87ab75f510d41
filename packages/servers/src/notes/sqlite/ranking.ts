import { type Alternative, asWritten } from '../query.ts';
import { anyOf, toMatch } from './match.ts';

/** Of more matches than these, only the newest are ranked: a word that is everywhere tells nothing. */
const ranked = 10_000;

/** Selects the numbers of the notes that are found, the best first: those with the words as they are written, then others. */
export function ranking(alternatives: readonly Alternative[], owner: string): { sql: string; values: string[] } {
  if (alternatives.some(({ wanted }) => wanted.length === 0)) return withoutWords(alternatives, owner);
  const [match, written] = [toMatch(alternatives), toMatch(asWritten(alternatives))];
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

/** Selects notes that match, with a rank. */
function matches(written: string, condition = ''): string {
  return `
    select note_words.rowid as n, bm25(note_words, 8, 1, 4) as score, ${written}
    from note_words cross join notes as owned indexed by notes_owned on owned.n = note_words.rowid
    where note_words match ? and owned.owner = ? and owned.deleted_at is null ${condition}
    order by note_words.rowid desc limit ${ranked}`;
}

/** The same where an alternative only says what must not be there: such notes have no rank, the newest come first. */
function withoutWords(alternatives: readonly Alternative[], owner: string): { sql: string; values: string[] } {
  const matching = '(select rowid from note_words where note_words match ?)';
  const conditions = alternatives.map(({ wanted }) => `n ${wanted.length === 0 ? 'not in' : 'in'} ${matching}`);
  const queries = alternatives.map((one) => (one.wanted.length === 0 ? anyOf(one.unwanted) : toMatch([one])));
  const sql = `
    select n from notes indexed by notes_owned
    where owner = ? and deleted_at is null and (${conditions.join(' or ')}) order by n desc`;
  return { sql, values: [owner, ...queries] };
}
