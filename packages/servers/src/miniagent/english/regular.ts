import { doubledOrNot, doubledWords, notDoubledFirst, ownGerunds } from './spelling.ts';

/** A form made by rule: the usual spelling first, and the rule in words. */
export interface Derived {
  readonly spellings: readonly string[];
  readonly rule: string;
}

const consonantY = /[^aeiou]y$/;
const stressedIe = /^(?:be|un|re|under|over|hog)?(?:die|lie|tie|vie)$/;

/** The third person singular of the present: `watches`, `tries`. */
export function thirdPerson(base: string): Derived {
  if (doubledEs.has(base)) return derived(`${base}${base.at(-1)}es`, 'double the last consonant, add -es');
  if (consonantY.test(base)) return derived(`${base.slice(0, -1)}ies`, 'y becomes -ies');
  if (base === 'stomach' || plainO.has(base)) return derived(`${base}s`, 'add -s');
  if (/(?:s|x|z|ch|sh)$/.test(base)) return derived(`${base}es`, 'add -es after a hissing sound');
  if (base === 'zero') return { spellings: ['zeroes', 'zeros'], rule: 'add -es or -s after o' };
  if (/[^aeiou]o$/.test(base)) return derived(`${base}es`, 'add -es after o');
  return derived(`${base}s`, 'add -s');
}

const doubledEs = new Set(['gas', 'nonplus', 'quiz', 'whiz']);
const plainO = new Set(['solo', 'tango', 'demo', 'photo', 'promo', 'disco', 'limbo']);

/** The past of a regular verb, which is its participle as well: `planned`, `tried`. */
export function regularPast(base: string): Derived {
  if (base.endsWith('e')) return derived(`${base}d`, 'add -d after e');
  if (consonantY.test(base)) return derived(`${base.slice(0, -1)}ied`, 'y becomes -ied');
  return withEnding(base, 'ed');
}

/** The form in -ing: `running`, `dying`, `panicking`. */
export function gerund(base: string): Derived {
  const own = ownGerunds.get(base);
  if (own !== undefined) return { spellings: own, rule: 'add -ing, in a spelling of its own' };
  if (stressedIe.test(base)) return derived(`${base.slice(0, -2)}ying`, 'ie becomes -ying');
  if (/[^eoyi]e$/.test(base) && base !== 'be') return derived(`${base.slice(0, -1)}ing`, 'drop e, add -ing');
  return withEnding(base, 'ing');
}

function withEnding(base: string, ending: string): Derived {
  if (/[aeiou]c$/.test(base)) return derived(`${base}k${ending}`, `add k and -${ending} after c`);
  const single = base + ending;
  const double = base + base.at(-1) + ending;
  const rule = `double the last consonant, add -${ending}`;
  if (notDoubledFirst.has(base)) return { spellings: [single, double], rule: `add -${ending}, or ${rule}` };
  if (doubledOrNot.has(base)) return { spellings: [double, single], rule: `${rule}, or only add -${ending}` };
  return isDoubled(base) ? derived(double, rule) : derived(single, `add -${ending}`);
}

/** A last consonant after one short, stressed vowel is doubled. Stress can't be seen, so longer verbs are listed. */
function isDoubled(base: string): boolean {
  const last = base.slice(base.lastIndexOf('-') + 1);
  if (doubledWords.has(last)) return true;
  return /^(?:[^aeiouy]*|[^aeiou]*qu|y)[aeiouy][bdfgklmnprstvz]$/.test(last);
}

function derived(spelling: string, rule: string): Derived {
  return { spellings: [spelling], rule };
}
