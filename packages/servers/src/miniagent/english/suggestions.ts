import { lemmasOf, possibleStems } from './lemmas.ts';
import { commonVerbs, findVerb, knownVerbs } from './verb.ts';

const maxLength = 30;
const maxSuggestions = 5;

/** Nobody who mistypes a word meant a rare verb, unless it differs in one letter. */
const common = new Set(commonVerbs);

/** The known verbs that are spelled most like a word, the nearest first; none if nothing is near. */
export function similarVerbs(word: string): string[] {
  if (word.length > maxLength) return [];
  const limit = Math.min(2, Math.floor(word.length / 2));
  return [...knownVerbs]
    .filter((verb) => Math.abs(verb.length - word.length) <= limit)
    .map((verb) => ({ verb, distance: distanceBetween(word, verb) }))
    .filter(({ verb, distance }) => distance <= (common.has(verb) ? limit : 1))
    .sort((a, b) => a.distance - b.distance || similarity(word, b.verb) - similarity(word, a.verb))
    .slice(0, maxSuggestions)
    .map(({ verb }) => verb);
}

/** Among equals, common verbs come first, then those with the same beginning and length. */
function similarity(word: string, verb: string): number {
  return (common.has(verb) ? 4 : 0) + (word[0] === verb[0] ? 2 : 0) + (word.length === verb.length ? 1 : 0);
}

/** How many letters must be added, dropped, replaced or swapped with their neighbour. */
function distanceBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min((last[j - 1] ?? 0) + (same ? 0 : 1), (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwapped) best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}

/**
 * The verbs that a word would be a form of if they were formed otherwise than they are: go for `goed`, run for `runned`
 * and `runing`, take for `tooken`.
 */
export function misformedVerbs(word: string): string[] {
  const bases = possibleStems(word).flatMap((stem) =>
    findVerb(stem) === undefined ? lemmasOf(stem).map(({ base }) => base) : [stem],
  );
  return [...new Set(bases)];
}
