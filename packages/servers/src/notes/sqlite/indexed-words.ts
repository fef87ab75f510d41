import type { Draft } from '../note.ts';
import { foldedWords } from '../words.ts';

/** A word to FTS5 that nobody can look for, so that no phrase begins in one tag and ends in the next. */
const gap = ' · ';

/** The words of a note as they are searched for, in the order of the index: of its title, its content and its tags. */
export function indexedWords({ title, content, tags }: Draft): [string, string, string] {
  const words = (text: string): string => foldedWords(text).join(' ');
  return [words(title), words(content), tags.map(words).join(gap)];
}
