import { otherEndings } from './endings.ts';
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

/** What is searched for: a note is found that fits one of these. */
export type Search = readonly Alternative[];

const maxPhrases = limits.notes.phrases.value;
const maxWords = limits.notes.words.value;

/**
 * Reads what a person searches for. A note must have all of it: each group of characters between spaces, where the last
 * word may go on or have another ending, and each "quoted phrase" as it is. It must not have what stands after a `-`.
 * `OR` stands between alternatives. Everything else that is no letter or digit only separates words.
 */
export function parseQuery(text: string): Search {
  const search: Alternative[] = [{ wanted: [], unwanted: [] }];
  let phrases = 0;
  for (const [all, excluded, quoted, bare = ''] of text.matchAll(/(-(?=["\p{L}\p{N}]))?(?:"([^"]*)"|(\S+))/gu)) {
    if (all === 'OR') {
      search.push({ wanted: [], unwanted: [] });
      continue;
    }
    const words = foldedWords(quoted ?? bare).slice(0, maxWords);
    if (words.length === 0) continue;
    const { wanted, unwanted } = search.at(-1) as Alternative;
    const open = quoted === undefined;
    if (excluded !== undefined) unwanted.push({ words, open: false, forms: [] });
    else wanted.push({ words, open, forms: open ? otherEndings(words.at(-1) as string) : [] });
    phrases += 1;
    if (phrases === maxPhrases) break;
  }
  return search.filter(({ wanted, unwanted }) => wanted.length + unwanted.length > 0);
}

/** The same search for the words as they are written only. */
export function asWritten(search: Search): Search {
  return search.map(({ wanted, unwanted }) => ({
    wanted: wanted.map((phrase) => ({ ...phrase, forms: [] })),
    unwanted,
  }));
}
