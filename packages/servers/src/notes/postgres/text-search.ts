import type { Draft } from '../note.ts';
import type { Phrase } from '../query.ts';
import { foldedWords } from '../words.ts';

/** PostgreSQL's own limits: the last position, positions of one word, and bytes in all with a reserve for its tables. */
const lastPosition = 16_383;
const maxPositions = 255;
const maxBytes = 900_000;

/** Writes a note's words as a `tsvector`, those of the title with more weight. Phrases are found up to word 16 383. */
export function toVector({ title, content }: Omit<Draft, 'tags'>): string {
  const places = new Map<string, string[]>();
  let position = 0;
  let bytes = 0;
  const add = (word: string, weight: string): void => {
    position += 1;
    let known = places.get(word);
    if (known === undefined) {
      bytes += Buffer.byteLength(word);
      if (bytes > maxBytes) return;
      known = [];
      places.set(word, known);
    }
    if (position >= lastPosition || known.length >= maxPositions || bytes + 2 > maxBytes) return;
    bytes += 4;
    known.push(`${position}${weight}`);
  };
  for (const word of foldedWords(title)) add(word, 'A');
  // A gap, so that no phrase begins in the title and ends in the content.
  position += 1;
  for (const word of foldedWords(content)) add(word, '');
  return Array.from(places, ([word, where]) => `'${word}'${where.length > 0 ? `:${where.join(',')}` : ''}`).join(' ');
}

/** Writes a query as a `tsquery`. Words consist of letters and digits, so nothing has to be escaped. */
export function toTsquery(phrases: readonly Phrase[]): string {
  return phrases
    .map(({ words, open }) => `(${words.map((word) => `'${word}'`).join(' <-> ')}${open ? ':*' : ''})`)
    .join(' & ');
}
