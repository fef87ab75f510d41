import { formsOf } from './conjugate.ts';
import { type Part, persons } from './tense.ts';
import { findVerb, irregulars, splitCompound } from './verb.ts';

/** A verb that a word is a form of, and which of its forms. */
export interface Lemma {
  readonly base: string;
  readonly part: Part;
}

const parts: readonly Part[] = ['base', 'present', 'past', 'participle', 'gerund'];

/** All verbs that a word is a form of, by their base forms and in the order of the alphabet. */
export function lemmasOf(word: string): Lemma[] {
  return [...possibleBases(word)].sort((a, b) => (a < b ? -1 : 1)).flatMap((base) => lemmasIn(base, word));
}

function lemmasIn(base: string, word: string): Lemma[] {
  const verb = findVerb(base);
  if (verb === undefined) return [];
  return (
    parts
      .filter((part) => persons.some((person) => formsOf(verb, part, person).some(({ text }) => text === word)))
      // A present that looks like the base form is told with it.
      .filter((part) => part !== 'present' || word !== base)
      .map((part) => ({ base, part }))
  );
}

/** Every base form that a word could be a form of, known or not. */
function possibleBases(word: string): Set<string> {
  const compounds = splitCompound(word).flatMap(({ first, last }) => irregularBases(last).map((base) => first + base));
  return new Set([word, ...possibleStems(word), ...irregularBases(word), ...compounds]);
}

/** The irregular verbs by their pasts and participles; made when first asked for. */
let byForm: Map<string, string[]> | undefined;

function irregularBases(form: string): readonly string[] {
  byForm ??= indexIrregulars();
  return byForm.get(form) ?? [];
}

function indexIrregulars(): Map<string, string[]> {
  const index = new Map([
    ...['am', 'are', 'is', 'was', 'were', 'been'].map((form): [string, string[]] => [form, ['be']]),
    ['has', ['have']] as [string, string[]],
  ]);
  for (const [base, ways] of irregulars) {
    for (const form of new Set(ways.flatMap(({ past, participle }) => [...past, ...participle]))) {
      index.set(form, [...(index.get(form) ?? []), base]);
    }
  }
  return index;
}

const endings = ["'ing", "'d", "'s", 'ing', 'ed', 'en', 'es', 's', 'd', 'n'];

/** What may stand before the ending of a word, with the letters that endings double, drop or change put back. */
export function possibleStems(word: string): string[] {
  const stems = endings
    .filter((ending) => word.endsWith(ending) && word.length > ending.length + 1)
    .flatMap((ending) => {
      const stem = word.slice(0, -ending.length);
      // These only take a letter away, or come after whole words.
      if (ending.length === 1 || ending.startsWith("'")) return [stem];
      const single = stem.replace(/([^aeiou])\1$/, '$1');
      const respelled = [
        stem.replace(/i$/, 'y'),
        stem.replace(/y$/, 'ie'),
        stem.replace(/y$/, 'i'),
        stem.replace(/ck$/, 'c'),
      ];
      return [stem, single, ...respelled, `${stem}e`, `${single}e`];
    });
  return [...new Set(stems)];
}
