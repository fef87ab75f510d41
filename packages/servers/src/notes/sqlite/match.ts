import type { Phrase } from '../query.ts';

/** Writes a query in the language of FTS5. Words consist of letters and digits, so nothing has to be escaped. */
export function toMatch(phrases: readonly Phrase[]): string {
  return phrases.map(({ words, open }) => `"${words.join(' ')}"${open ? ' *' : ''}`).join(' AND ');
}
