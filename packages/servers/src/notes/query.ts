import { foldedWords } from './words.ts';
import { limits } from '../limits.ts';

/** Words that must stand next to each other in this order. */
export interface Phrase {
  words: string[];
  /** The last word may be the beginning of a longer one. */
  open: boolean;
}

const maxPhrases = limits.notes.phrases.value;
const maxWords = limits.notes.words.value;

/**
 * Reads what a person searches for. A note must have all of it: each group of characters between spaces, where the last
 * word may go on, and each "quoted phrase" as it is. Everything that is no letter or digit only separates words.
 */
export function parseQuery(text: string): Phrase[] {
  const phrases: Phrase[] = [];
  for (const [, quoted, bare] of text.matchAll(/"([^"]*)"|(\S+)/g)) {
    const words = foldedWords(quoted ?? bare ?? '').slice(0, maxWords);
    if (words.length > 0) phrases.push({ words, open: quoted === undefined });
    if (phrases.length === maxPhrases) break;
  }
  return phrases;
}
