/** A word taken apart: `under` and `pay`. */
export interface Compound {
  readonly first: string;
  readonly last: string;
}

const prefixes = 'counter cross fore in inter mis out over pre re un under up'.split(' ');

/** What looks like a compound of an irregular verb and is inflected by rule. */
const regular = new Set('hot-work interleave outfit outwork overwork reprove rework upheave'.split(' '));

/** The irregular verb at the end of a verb, by which it is inflected, and what stands before it. */
export function compoundOf(base: string, isIrregular: (verb: string) => boolean): Compound | undefined {
  return regular.has(base) ? undefined : cutsOf(base).find(({ last }) => isIrregular(last));
}

/** All ways to take a word apart: before its last hyphen, or after a prefix. */
export function cutsOf(word: string): Compound[] {
  const hyphen = word.lastIndexOf('-') + 1;
  const cuts = hyphen > 0 ? [hyphen] : prefixes.filter((prefix) => word.startsWith(prefix)).map(({ length }) => length);
  return cuts.map((cut) => ({ first: word.slice(0, cut), last: word.slice(cut) }));
}
