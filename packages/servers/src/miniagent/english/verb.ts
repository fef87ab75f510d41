import irregularData from 'english-verbs-irregular/dist/verbs.json' with { type: 'json' };
import commonLines from '../data/common-verbs.json' with { type: 'json' };
import irregularLines from '../data/irregular-verbs.json' with { type: 'json' };
import wordnetLines from '../data/wordnet/verbs.json' with { type: 'json' };
import { type Derived, gerund, regularPast, thirdPerson } from './regular.ts';
import { formsOfBe } from './tense.ts';

/** English verbs in common use, in their base form, irregular ones among them. */
export const commonVerbs: readonly string[] = commonLines.join(' ').split(' ');

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The words of a list in which each is written as what differs from the one before it. */
export function unpack(packed: string): string[] {
  let word = '';
  return Array.from(packed.matchAll(/([0-9A-Z])([^0-9A-Z\s]*)/g), ([, shared = '0', rest = '']) => {
    word = word.slice(0, digits.indexOf(shared)) + rest;
    return word;
  });
}

/** Every verb of one word that WordNet lists, with and without hyphens. */
export function wordnetVerbs(): string[] {
  return unpack(wordnetLines.join('\n'));
}

/** One way to inflect an irregular verb; where there are several spellings the usual one is first. */
export interface Irregular {
  readonly past: readonly string[];
  readonly participle: readonly string[];
  /** When the verb is inflected so, where it is one of several ways. */
  readonly sense?: string;
}

/** Each line has base, past and participle; a verb that is inflected in two ways has two lines, each with its sense. */
function readIrregulars(): Map<string, Irregular[]> {
  const verbs = new Map<string, Irregular[]>();
  for (const line of irregularLines) {
    const [base = '', past = '', participle = '', ...sense] = line.split(/\s+/);
    const way = {
      past: past.split('/'),
      participle: participle.split('/'),
      ...(sense.length > 0 && { sense: sense.join(' ') }),
    };
    verbs.set(base, [...(verbs.get(base) ?? []), way]);
  }
  return verbs;
}

/** The irregular verbs in everyday use, as we know them; `be` stands apart. */
export const everydayIrregulars: ReadonlyMap<string, readonly Irregular[]> = readIrregulars();

/** Entries of the data that are misspelled, doubtful, or regular. */
const excludedIrregulars = new Set(
  'boycot but duet misset outsmell overspeak predo retear telegram unhang unspin'.split(' '),
);

function mergeIrregulars(): Map<string, readonly Irregular[]> {
  const verbs = new Map(everydayIrregulars);
  for (const [base, pairs] of Object.entries(irregularData as Record<string, string[][]>)) {
    if (verbs.has(base) || base === 'be' || excludedIrregulars.has(base)) continue;
    const past = distinctForms(pairs.map(([form]) => form));
    const participle = distinctForms(pairs.map(([, form]) => form));
    // The data also lists regular verbs that double a consonant.
    const regular = regularPast(base).spellings;
    if ([...past, ...participle].every((form) => regular.includes(form))) continue;
    verbs.set(base, [{ past, participle }]);
  }
  return verbs;
}

function distinctForms(forms: readonly (string | undefined)[]): string[] {
  return [...new Set(forms.filter((form) => form !== undefined))];
}

/** All irregular verbs but `be`: our own table first, and the long tail of compounds from the data. */
export const irregulars: ReadonlyMap<string, readonly Irregular[]> = mergeIrregulars();

/** A word taken apart: `under` and `pay`. */
export interface Compound {
  readonly first: string;
  readonly last: string;
}

const prefixes = 'counter cross fore in inter mis out over pre re un under up'.split(' ');

/** What looks like a compound of an irregular verb and is inflected by rule. */
const regularCompounds = new Set('hot-work interleave outfit outwork overwork reprove rework upheave'.split(' '));

/** The irregular verb at the end of a verb, by which it is inflected, and what stands before it. */
export function findCompound(base: string, isIrregular: (verb: string) => boolean): Compound | undefined {
  return regularCompounds.has(base) ? undefined : splitCompound(base).find(({ last }) => isIrregular(last));
}

/** All ways to take a word apart: before its last hyphen, or after a prefix. */
export function splitCompound(word: string): Compound[] {
  const hyphen = word.lastIndexOf('-') + 1;
  const cuts = hyphen > 0 ? [hyphen] : prefixes.filter((prefix) => word.startsWith(prefix)).map(({ length }) => length);
  return cuts.map((cut) => ({ first: word.slice(0, cut), last: word.slice(cut) }));
}

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
const excludedVerbs = new Set(
  'benficiate ca-ca cackel conge gi log-in lyric matt-up relyric rubric shoetree white-out whiteout'.split(' '),
);

/** Every verb we know, by its base form: a list of ours, the irregular ones, and those of WordNet. */
export const knownVerbs: ReadonlySet<string> = new Set(
  [...commonVerbs, ...irregulars.keys(), ...wordnetVerbs().filter((verb) => !excludedVerbs.has(verb))].sort((a, b) =>
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
  const compound = ways === undefined ? findCompound(base, (verb) => irregulars.has(verb)) : undefined;
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
