import { commonVerbs } from './common-verbs.ts';
import { type Compound, compoundOf } from './compounds.ts';
import { irregulars } from './irregular.ts';
import { type Derived, gerund, regularPast, thirdPerson } from './regular.ts';
import { formsOfBe } from './tense.ts';
import { wordnetVerbs } from './wordnet/unpack.ts';

/** One spelling of a form, and where it is from. */
export interface Form {
  readonly text: string;
  /** `base`: it is the base form itself. */
  readonly source: 'base' | 'table' | 'rule';
  /** The rule in words, where it was made by one. */
  readonly rule?: string;
  /** When the verb is inflected so, where it is one of several ways. */
  readonly sense?: string;
}

/** A verb with its own forms, each in all its spellings and the usual one first. */
export interface Verb {
  readonly base: string;
  readonly isIrregular: boolean;
  readonly thirdPerson: readonly Form[];
  readonly past: readonly Form[];
  readonly participle: readonly Form[];
  readonly gerund: readonly Form[];
}

const thirdPersons: ReadonlyMap<string, string> = new Map([['have', 'has']]);

/** Entries of WordNet that are misspelled, or of which nobody knows how they are inflected. */
const unusable = new Set(
  'benficiate ca-ca cackel conge gi log-in lyric matt-up relyric rubric shoetree white-out whiteout'.split(' '),
);

/** Every verb we know, by its base form: a list of ours, the irregular ones, and those of WordNet. */
export const knownVerbs: ReadonlySet<string> = new Set(
  [...commonVerbs, ...irregulars.keys(), ...wordnetVerbs().filter((verb) => !unusable.has(verb))].sort((a, b) =>
    a < b ? -1 : 1,
  ),
);

/** A British base form in -ise or -yse as it is spelled in America; others are given back as they are. */
export function americanSpelling(base: string): string {
  return base.replace(/(?<=[^s]i|y)se$/, 'ze');
}

/** The verb with this base form, if we know it. British spellings in -ise are known by those in -ize. */
export function findVerb(base: string): Verb | undefined {
  if (base === 'be') return be;
  return knownVerbs.has(base) || knownVerbs.has(americanSpelling(base)) ? inflect(base) : undefined;
}

const be: Verb = {
  base: 'be',
  isIrregular: true,
  thirdPerson: [fromTable('is')],
  past: Object.values(formsOfBe.past)
    .slice(0, 2)
    .map((text) => fromTable(text)),
  participle: [fromTable('been')],
  gerund: byRule(gerund('be')),
};

function inflect(base: string): Verb {
  const ways = irregulars.get(base);
  const compound = ways === undefined ? compoundOf(base, (verb) => irregulars.has(verb)) : undefined;
  if (compound !== undefined) return inflectCompound(base, compound);
  const third = thirdPersons.get(base);
  const past = byRule(regularPast(base));
  return {
    base,
    isIrregular: ways !== undefined,
    thirdPerson: third === undefined ? byRule(thirdPerson(base)) : [fromTable(third)],
    past: ways?.flatMap((way) => way.past.map((text) => fromTable(text, way.sense))) ?? past,
    participle: ways?.flatMap((way) => way.participle.map((text) => fromTable(text, way.sense))) ?? past,
    gerund: byRule(gerund(base)),
  };
}

/** A compound is inflected as the verb at its end is in its first sense. */
function inflectCompound(base: string, { first, last }: Compound): Verb {
  const verb = inflect(last);
  const composed = (forms: readonly Form[]): Form[] =>
    forms
      .filter(({ sense }) => sense === forms[0]?.sense)
      .map(({ text, source, rule }) => ({ text: first + text, source, ...(rule !== undefined && { rule }) }));
  return {
    base,
    isIrregular: true,
    thirdPerson: composed(verb.thirdPerson),
    past: composed(verb.past),
    participle: composed(verb.participle),
    gerund: composed(verb.gerund),
  };
}

function byRule({ spellings, rule }: Derived): Form[] {
  return spellings.map((text) => ({ text, source: 'rule', rule }));
}

function fromTable(text: string, sense?: string): Form {
  return { text, source: 'table', ...(sense !== undefined && { sense }) };
}
