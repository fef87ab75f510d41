import { otherEndings } from './endings.ts';
import { isStorable } from './note.ts';
import { foldedWords } from './words.ts';
import { limits } from '../limits.ts';

/** Words that must stand next to each other in this order. */
export interface Phrase {
  words: string[];
  /** The last word may be the beginning of a longer one. */
  open: boolean;
  /** What may stand for the last word as well, whole. */
  forms: string[];
}

/** What a note must have, and must not have. */
export interface Alternative {
  wanted: Phrase[];
  unwanted: Phrase[];
}

/** What is searched for. */
export interface Search {
  /** A note is found that fits one of these. */
  alternatives: readonly Alternative[];
  /** The query in lower case: a note that contains it is found too. Absent where the query has operators. */
  substring: string | undefined;
}

const maxQuery = limits.notes.query.value;
const maxPhrases = limits.notes.phrases.value;
const maxWords = limits.notes.words.value;

/**
 * Reads what a person searches for. A note must have all of it: each group of characters between spaces, where the last
 * word may go on or have another ending, and each "quoted phrase" as it is. It must not have what stands after a `-`.
 * `OR` stands between alternatives. Everything else that is no letter or digit only separates words. Without these
 * operators, a note that contains the whole query is found too.
 */
export function parseQuery(text: string): Search {
  const search: Alternative[] = [{ wanted: [], unwanted: [] }];
  let phrases = 0;
  let hasOperator = false;
  for (const [all, excluded, quoted, bare = ''] of text.matchAll(/(-(?=["\p{L}\p{N}]))?(?:"([^"]*)"|(\S+))/gu)) {
    if (all === 'OR') {
      search.push({ wanted: [], unwanted: [] });
      continue;
    }
    const words = foldedWords(quoted ?? bare).slice(0, maxWords);
    if (words.length === 0) continue;
    const { wanted, unwanted } = search.at(-1) as Alternative;
    const open = quoted === undefined;
    hasOperator ||= !open || excluded !== undefined;
    if (excluded !== undefined) unwanted.push({ words, open: false, forms: [] });
    else wanted.push({ words, open, forms: open ? otherEndings(words.at(-1) as string) : [] });
    phrases += 1;
    if (phrases === maxPhrases) break;
  }
  const alternatives = search.filter(({ wanted, unwanted }) => wanted.length + unwanted.length > 0);
  hasOperator ||= alternatives.length > 1;
  const trimmed = text.trim();
  const isPlain = !hasOperator && trimmed.length <= maxQuery && isStorable(trimmed);
  return { alternatives, substring: isPlain ? toLowerCase(trimmed) : undefined };
}

/** Lower case in which both forms of the small sigma are the same. */
export function toLowerCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** The letters beyond ASCII that become letters of this text in lower case, and those that they become. */
export function capitalsOf(lowerCase: string): { from: string; to: string } {
  const letters = new Set(lowerCase.replace(/[\0-\x7f]/g, ''));
  const pairs = Array.from(letters, (letter) => [letter === 'ß' ? 'ẞ' : letter.toUpperCase(), letter] as const);
  if (letters.has('σ')) pairs.push(['ς', 'σ']);
  const single = pairs.filter(([capital, letter]) => capital !== letter && Array.from(capital).length === 1);
  return { from: single.map(([capital]) => capital).join(''), to: single.map(([, letter]) => letter).join('') };
}

/** The same search for the words as they are written only. */
export function asWritten(alternatives: readonly Alternative[]): Alternative[] {
  return alternatives.map(({ wanted, unwanted }) => ({
    wanted: wanted.map((phrase) => ({ ...phrase, forms: [] })),
    unwanted,
  }));
}
