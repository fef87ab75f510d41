import irregularData from 'english-verbs-irregular/dist/verbs.json' with { type: 'json' };
import commonLines from '../data/common-verbs.json' with { type: 'json' };
import irregularLines from '../data/irregular-verbs.json' with { type: 'json' };
import spellingData from '../data/spelling.json' with { type: 'json' };
import wordnetLines from '../data/wordnet/verbs.json' with { type: 'json' };
import { formsOfBe } from './tense.ts';

const wordSet = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));
const formMap = (forms: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> =>
  new Map(Object.entries(forms));

/** Exceptions to the spelling rules. */
const spelling = {
  /** Verbs of several syllables that double their last consonant. */
  doubled: wordSet(spellingData.doubled),
  /** Verbs that may double it; American English prefers the first spelling. */
  singleFirst: wordSet(spellingData.singleFirst),
  doubledFirst: wordSet(spellingData.doubledFirst),
  /** Verbs in -c after a consonant that may take a k. */
  optionalK: wordSet(spellingData.optionalK),
  /** Verbs in -o that take -s only. */
  plainO: wordSet(spellingData.plainO),
  /** Verbs whose -ch is pronounced k; they take -s only. */
  hardCh: wordSet(spellingData.hardCh),
  /** Verbs in -s and -z that double it before -es. */
  doubledEs: formMap(spellingData.doubledEs),
  thirdPersons: formMap(spellingData.thirdPersons),
  pasts: formMap(spellingData.pasts),
  gerunds: formMap(spellingData.gerunds),
};

/** A regular form, the usual spelling first, with the rule in words. */
export interface Derived {
  readonly spellings: readonly string[];
  readonly rule: string;
}

const consonantY = /[^aeiou]y$/;
const stressedIe = /^(?:be|un|re|under|over|out|hog)?(?:die|lie|tie|vie)$/;

/** The third person singular of the present: `watches`, `tries`. */
function thirdPerson(base: string): Derived {
  return deriveLastWord(base, thirdPersonOf);
}

/** The past and participle of a regular verb: `planned`, `tried`. */
function regularPast(base: string): Derived {
  return deriveLastWord(base, pastOf);
}

/** The form in -ing: `running`, `dying`, `panicking`. */
function gerund(base: string): Derived {
  return deriveLastWord(base, gerundOf);
}

/** Inflects only the last word of a verb with hyphens. */
function deriveLastWord(base: string, derive: (word: string) => Derived): Derived {
  const start = base.lastIndexOf('-') + 1;
  const { spellings, rule } = derive(base.slice(start));
  return { spellings: spellings.map((spelling) => base.slice(0, start) + spelling), rule };
}

function thirdPersonOf(base: string): Derived {
  const doubled = spelling.doubledEs.get(base);
  if (doubled !== undefined) return { spellings: doubled, rule: 'double the last consonant, add -es' };
  const own = spelling.thirdPersons.get(base);
  if (own !== undefined) return { spellings: own, rule: 'add -s, in a spelling of its own' };
  if (consonantY.test(base)) return createDerived(`${base.slice(0, -1)}ies`, 'y becomes -ies');
  if (spelling.hardCh.has(base) || spelling.plainO.has(base)) return createDerived(`${base}s`, 'add -s');
  if (/(?:s|x|z|ch|sh)$/.test(base)) return createDerived(`${base}es`, 'add -es after a hissing sound');
  if (/[^aeiou]o$/.test(base)) return createDerived(`${base}es`, 'add -es after o');
  return createDerived(`${base}s`, 'add -s');
}

function pastOf(base: string): Derived {
  const own = spelling.pasts.get(base);
  if (own !== undefined) return { spellings: own, rule: 'add -ed, in a spelling of its own' };
  if (base.endsWith('e')) return createDerived(`${base}d`, 'add -d after e');
  if (consonantY.test(base)) return createDerived(`${base.slice(0, -1)}ied`, 'y becomes -ied');
  return withEnding(base, 'ed');
}

function gerundOf(base: string): Derived {
  const own = spelling.gerunds.get(base);
  if (own !== undefined) return { spellings: own, rule: 'add -ing, in a spelling of its own' };
  if (stressedIe.test(base)) return createDerived(`${base.slice(0, -2)}ying`, 'ie becomes -ying');
  if (/[^eoyi]e$/.test(base) && base !== 'be') return createDerived(`${base.slice(0, -1)}ing`, 'drop e, add -ing');
  return withEnding(base, 'ing');
}

function withEnding(base: string, ending: string): Derived {
  if (/[aeiou]c$/.test(base)) return createDerived(`${base}k${ending}`, `add k and -${ending} after c`);
  const single = base + ending;
  if (spelling.optionalK.has(base))
    return { spellings: [single, `${base}k${ending}`], rule: `add -${ending}, or k and -${ending}` };
  const double = base + base.at(-1) + ending;
  const rule = `double the last consonant, add -${ending}`;
  if (spelling.singleFirst.has(base)) return { spellings: [single, double], rule: `add -${ending}, or ${rule}` };
  if (spelling.doubledFirst.has(base)) return { spellings: [double, single], rule: `${rule}, or only add -${ending}` };
  return isDoubled(base) ? createDerived(double, rule) : createDerived(single, `add -${ending}`);
}

/** A last consonant after one short, stressed vowel is doubled. Spelling does not show stress, so longer verbs are listed. */
function isDoubled(base: string): boolean {
  if (spelling.doubled.has(base)) return true;
  return /^(?:[^aeiouy]*|[^aeiou]*qu|y)[aeiouy][bdfgklmnprstvz]$/.test(base);
}

function createDerived(spelling: string, rule: string): Derived {
  return { spellings: [spelling], rule };
}

/** English verbs in common use, in their base form, irregular ones among them. */
export const commonVerbs: readonly string[] = commonLines.join(' ').split(' ');

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Decodes a prefix-compressed word list: each word is the number of letters it shares with the one before, and the rest. */
export function decodeWords(packed: string): string[] {
  let word = '';
  return Array.from(packed.matchAll(/([0-9A-Z])([^0-9A-Z\s]*)/g), ([, shared = '0', rest = '']) => {
    word = word.slice(0, digits.indexOf(shared)) + rest;
    return word;
  });
}

/** Every single-word verb of WordNet, with and without hyphens. */
export function wordnetVerbs(): string[] {
  return decodeWords(wordnetLines.join('\n'));
}

/** One inflection of an irregular verb, the usual spelling first. */
export interface Irregular {
  readonly past: readonly string[];
  readonly participle: readonly string[];
  /** The meaning with this inflection, if there are several. */
  readonly sense?: string;
}

/** Each line has base, past and participle; a verb with two inflections has two lines, each with its meaning. */
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

/** The common irregular verbs of our own table, except `be`. */
export const commonIrregulars: ReadonlyMap<string, readonly Irregular[]> = readIrregulars();

/** Entries of the package that are misspelled, doubtful, or regular. */
const excludedIrregulars = new Set(
  'boycot but duet misset outsmell overspeak predo retear telegram unhang unspin'.split(' '),
);

function mergeIrregulars(): Map<string, readonly Irregular[]> {
  const verbs = new Map(commonIrregulars);
  for (const [base, pairs] of Object.entries(irregularData as Record<string, string[][]>)) {
    if (verbs.has(base) || base === 'be' || excludedIrregulars.has(base)) continue;
    const past = distinctForms(pairs.map(([form]) => form));
    const participle = distinctForms(pairs.map(([, form]) => form));
    // The package also lists regular verbs that double a consonant.
    const regular = regularPast(base).spellings;
    if ([...past, ...participle].every((form) => regular.includes(form))) continue;
    verbs.set(base, [{ past, participle }]);
  }
  return verbs;
}

function distinctForms(forms: readonly (string | undefined)[]): string[] {
  return [...new Set(forms.filter((form) => form !== undefined))];
}

/** All irregular verbs except `be`: our own table, and the long tail of the package. */
export const irregulars: ReadonlyMap<string, readonly Irregular[]> = mergeIrregulars();

/** A split compound: `under` and `pay`. */
export interface Compound {
  readonly first: string;
  readonly last: string;
}

const prefixes = 'counter cross fore in inter mis out over pre re un under up'.split(' ');

/** Verbs that look like compounds of irregular ones but are regular. */
const regularCompounds = new Set('hot-work interleave outfit outwork overwork reprove rework upheave'.split(' '));

/** Splits a verb before the irregular verb at its end. */
export function findCompound(base: string, isIrregular: (verb: string) => boolean): Compound | undefined {
  return regularCompounds.has(base) ? undefined : splitCompound(base).find(({ last }) => isIrregular(last));
}

/** All ways to split a word: after its last hyphen, or after a prefix. */
export function splitCompound(word: string): Compound[] {
  const hyphen = word.lastIndexOf('-') + 1;
  const cuts = hyphen > 0 ? [hyphen] : prefixes.filter((prefix) => word.startsWith(prefix)).map(({ length }) => length);
  return cuts.map((cut) => ({ first: word.slice(0, cut), last: word.slice(cut) }));
}

/** One spelling of a form, and its source. */
export interface Form {
  readonly text: string;
  /** `base` is the base form itself. */
  readonly source: 'base' | 'table' | 'rule';
  /** The rule in words, if there is one. */
  readonly rule?: string;
  /** The meaning with this inflection, if there are several. */
  readonly sense?: string;
}

/** A verb with its forms in all spellings, the usual one first. */
export interface Verb {
  readonly base: string;
  readonly isIrregular: boolean;
  readonly thirdPerson: readonly Form[];
  readonly past: readonly Form[];
  readonly participle: readonly Form[];
  readonly gerund: readonly Form[];
}

const thirdPersons: ReadonlyMap<string, string> = new Map([['have', 'has']]);

/** Entries of WordNet that are misspelled or have unknown inflections. */
const excludedVerbs = new Set(
  'benficiate ca-ca cackel conge gi log-in lyric matt-up relyric rubric shoetree white-out whiteout'.split(' '),
);

/** All known verbs: our own list, the irregular ones, and those of WordNet. */
export const knownVerbs: ReadonlySet<string> = new Set(
  [...commonVerbs, ...irregulars.keys(), ...wordnetVerbs().filter((verb) => !excludedVerbs.has(verb))].sort((a, b) =>
    a < b ? -1 : 1,
  ),
);

/** The American spelling of a base form in -ise or -yse; others are unchanged. */
export function americanSpelling(base: string): string {
  return base.replace(/(?<=[^s]i|y)se$/, 'ze');
}

/** Finds a verb by its base form, also in British spelling. */
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
  gerund: toForms(gerund('be')),
};

function inflect(base: string): Verb {
  const ways = irregulars.get(base);
  const compound = ways === undefined ? findCompound(base, (verb) => irregulars.has(verb)) : undefined;
  if (compound !== undefined) return inflectCompound(base, compound);
  const third = thirdPersons.get(base);
  const past = toForms(regularPast(base));
  return {
    base,
    isIrregular: ways !== undefined,
    thirdPerson: third === undefined ? toForms(thirdPerson(base)) : [fromTable(third)],
    past: ways?.flatMap((way) => way.past.map((text) => fromTable(text, way.sense))) ?? past,
    participle: ways?.flatMap((way) => way.participle.map((text) => fromTable(text, way.sense))) ?? past,
    gerund: toForms(gerund(base)),
  };
}

/** Inflects a compound like the first sense of the verb at its end. */
function inflectCompound(base: string, { first, last }: Compound): Verb {
  const verb = inflect(last);
  const compose = (forms: readonly Form[]): Form[] =>
    forms
      .filter(({ sense }) => sense === forms[0]?.sense)
      .map(({ text, source, rule }) => ({ text: first + text, source, ...(rule !== undefined && { rule }) }));
  return {
    base,
    isIrregular: true,
    thirdPerson: compose(verb.thirdPerson),
    past: compose(verb.past),
    participle: compose(verb.participle),
    gerund: compose(verb.gerund),
  };
}

function toForms({ spellings, rule }: Derived): Form[] {
  return spellings.map((text) => ({ text, source: 'rule', rule }));
}

function fromTable(text: string, sense?: string): Form {
  return { text, source: 'table', ...(sense !== undefined && { sense }) };
}
