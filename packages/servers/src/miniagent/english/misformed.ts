import { placesOf } from './places.ts';
import { stemsOf } from './stems.ts';
import { findVerb } from './verb.ts';

/**
 * The verbs that a word would be a form of if they were formed otherwise than they are: go for `goed`, run for `runned`
 * and `runing`, take for `tooken`.
 */
export function misformedVerbs(word: string): string[] {
  const bases = stemsOf(word).flatMap((stem) =>
    findVerb(stem) === undefined ? placesOf(stem).map(({ base }) => base) : [stem],
  );
  return [...new Set(bases)];
}
