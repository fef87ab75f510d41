import type { Draft } from '../note.ts';
import type { Alternative, Phrase } from '../query.ts';
import { foldedWords } from '../words.ts';

/** PostgreSQL's own limits: the last position, positions of one word, and bytes in all with a reserve for its tables. */
const lastPosition = 16_383;
const maxPositions = 255;
const maxBytes = 900_000;

/** Writes a note's words as a `tsvector`, those of the title and the tags with more weight. Phrases are found up to word 16 383. */
export function toVector({ title, content, tags }: Draft): string {
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
  // Gaps, so that no phrase begins in the title or in a tag and ends in what follows.
  position += 1;
  for (const tag of tags) {
    for (const word of foldedWords(tag)) add(word, 'B');
    position += 1;
  }
  for (const word of foldedWords(content)) add(word, '');
  return Array.from(places, ([word, where]) => `'${word}'${where.length > 0 ? `:${where.join(',')}` : ''}`).join(' ');
}

/** Writes a search as a `tsquery`. */
export function toTsquery(alternatives: readonly Alternative[]): string {
  return alternatives.map(oneOf).join(' | ');
}

function oneOf({ wanted, unwanted }: Alternative): string {
  const without = unwanted.map((phrase) => `!${toPhrase(phrase)}`);
  return `(${[...wanted.map(toPhrase), ...without].join(' & ')})`;
}

/** Words consist of letters and digits, so nothing has to be escaped. */
function toPhrase({ words, open, forms }: Phrase): string {
  const first = words.slice(0, -1);
  const sequence = (last: string): string => [...first, last].map((word) => `'${word}'`).join(' <-> ');
  const written = `${sequence(words.at(-1) as string)}${open ? ':*' : ''}`;
  return `(${[written, ...forms.map(sequence)].map((one) => `(${one})`).join(' | ')})`;
}
