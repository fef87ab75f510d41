import { formsOfBe, frameOf, type Part, type Person, persons, type Tense } from './tense.ts';
import { findVerb, type Form, irregulars, splitCompound, type Verb } from './verb.ts';

/** A verb with its complement, such as the `up` of `give up`. */
export interface Phrase {
  readonly verb: Verb;
  /** The complement; mostly empty. */
  readonly rest: string;
}

const complements = new Set(
  `aback able about above across after against ahead along allowed apart around as aside asleep at away back badly bed
  behind between born by care down dressed for forth forward from fun home in into lost married of off on onto out over
  part past place ready rid round sense shopping sure through to together toward towards under up upon used well with
  without wrong`.split(/\s+/),
);

/** Normalizes a text for look-ups: lowercase, single spaces, straight apostrophes, no leading `to`. */
export function normalize(text: string): string {
  const plain = text.normalize('NFC').trim().toLowerCase();
  return plain
    .replaceAll(/[’‘ʼ´`]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .replace(/^to (?=.)/, '');
}

/** Whether these words can follow a verb as its complement; true for no words. */
export function areComplements(words: readonly string[]): boolean {
  return words.length <= 3 && words.every((word) => complements.has(word));
}

/** Finds a verb by its base form, with or without a complement. */
export function findPhrase(normalized: string): Phrase | undefined {
  const [head = '', ...rest] = normalized.split(' ');
  const verb = findVerb(head);
  return verb !== undefined && areComplements(rest) ? { verb, rest: rest.join(' ') } : undefined;
}

/** Conjugates a verb, in all spellings, the usual one first; undefined if the tense has no such person. */
export function conjugate({ verb, rest }: Phrase, tense: Tense, person: Person): Form[] | undefined {
  const frame = frameOf(tense, person);
  if (frame === undefined) return undefined;
  return formsOf(verb, frame.part, person).map((form) => ({
    ...form,
    text: [frame.before, form.text, rest].filter((part) => part !== '').join(' '),
  }));
}

/** The forms of a verb that a tense is built on. */
export function formsOf(verb: Verb, part: Part, person: Person): readonly Form[] {
  if (verb.base === 'be' && (part === 'present' || part === 'past')) {
    return [{ text: formsOfBe[part][person], source: 'table' }];
  }
  if (part === 'base' || (part === 'present' && person !== '3sg')) return [{ text: verb.base, source: 'base' }];
  return part === 'present' ? verb.thirdPerson : verb[part];
}

/** A verb that a word is a form of, and which of its forms. */
export interface Lemma {
  readonly base: string;
  readonly part: Part;
}

const parts: readonly Part[] = ['base', 'present', 'past', 'participle', 'gerund'];

/** All verbs that a word is a form of, in alphabetical order. */
export function lemmasOf(word: string): Lemma[] {
  return [...possibleBases(word)].sort((a, b) => (a < b ? -1 : 1)).flatMap((base) => lemmasIn(base, word));
}

function lemmasIn(base: string, word: string): Lemma[] {
  const verb = findVerb(base);
  if (verb === undefined) return [];
  return (
    parts
      .filter((part) => persons.some((person) => formsOf(verb, part, person).some(({ text }) => text === word)))
      // A present that equals the base form is reported as that.
      .filter((part) => part !== 'present' || word !== base)
      .map((part) => ({ base, part }))
  );
}

/** Every base form that a word could be a form of, known or not. */
function possibleBases(word: string): Set<string> {
  const compounds = splitCompound(word).flatMap(({ first, last }) => irregularBases(last).map((base) => first + base));
  return new Set([word, ...possibleStems(word), ...irregularBases(word), ...compounds]);
}

/** The irregular verbs by their pasts and participles; created on first use. */
let irregularsByForm: Map<string, string[]> | undefined;

function irregularBases(form: string): readonly string[] {
  irregularsByForm ??= indexIrregulars();
  return irregularsByForm.get(form) ?? [];
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

/** The possible stems of a word: without its ending, and with letters restored that endings double, drop or change. */
export function possibleStems(word: string): string[] {
  const stems = endings
    .filter((ending) => word.endsWith(ending) && word.length > ending.length + 1)
    .flatMap((ending) => {
      const stem = word.slice(0, -ending.length);
      // These only drop a letter, or follow whole words.
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
