import { cutsOf } from './compounds.ts';
import { formsOf } from './conjugate.ts';
import { irregulars } from './irregular.ts';
import { stemsOf } from './stems.ts';
import { type Part, persons } from './tense.ts';
import { findVerb } from './verb.ts';

/** A verb that a word is a form of, and which of its forms. */
export interface Place {
  readonly base: string;
  readonly part: Part;
}

const parts: readonly Part[] = ['base', 'present', 'past', 'participle', 'gerund'];

/** All verbs that a word is a form of, by their base forms and in the order of the alphabet. */
export function placesOf(word: string): Place[] {
  return [...basesOf(word)].sort((a, b) => (a < b ? -1 : 1)).flatMap((base) => placesIn(base, word));
}

function placesIn(base: string, word: string): Place[] {
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
function basesOf(word: string): Set<string> {
  const compounds = cutsOf(word).flatMap(({ first, last }) => irregularBases(last).map((base) => first + base));
  return new Set([word, ...stemsOf(word), ...irregularBases(word), ...compounds]);
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
