import spellingData from '../data/spelling.json' with { type: 'json' };

const wordSet = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));
const formMap = (forms: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> =>
  new Map(Object.entries(forms));

/** Verbs whose spelling no rule gives. */
const spelling = {
  /** Verbs of several syllables that double their last consonant. */
  doubled: wordSet(spellingData.doubled),
  /** Verbs that double it sometimes: American English mostly does not, or mostly does. */
  singleFirst: wordSet(spellingData.singleFirst),
  doubledFirst: wordSet(spellingData.doubledFirst),
  /** Verbs in -c after a consonant, which may take a k. */
  optionalK: wordSet(spellingData.optionalK),
  /** Verbs in -o that take -s only. */
  plainO: wordSet(spellingData.plainO),
  /** Verbs whose -ch sounds like k; they take -s only. */
  hardCh: wordSet(spellingData.hardCh),
  /** Verbs in -s and -z that double it before -es. */
  doubledEs: formMap(spellingData.doubledEs),
  thirdPersons: formMap(spellingData.thirdPersons),
  pasts: formMap(spellingData.pasts),
  gerunds: formMap(spellingData.gerunds),
};

/** A form made by rule: the usual spelling first, and the rule in words. */
export interface Derived {
  readonly spellings: readonly string[];
  readonly rule: string;
}

const consonantY = /[^aeiou]y$/;
const stressedIe = /^(?:be|un|re|under|over|out|hog)?(?:die|lie|tie|vie)$/;

/** The third person singular of the present: `watches`, `tries`. */
export function thirdPerson(base: string): Derived {
  return ofLastWord(base, thirdPersonOf);
}

/** The past of a regular verb, which is its participle as well: `planned`, `tried`. */
export function regularPast(base: string): Derived {
  return ofLastWord(base, pastOf);
}

/** The form in -ing: `running`, `dying`, `panicking`. */
export function gerund(base: string): Derived {
  return ofLastWord(base, gerundOf);
}

/** Of a verb with hyphens only the last word is inflected, as it would be alone. */
function ofLastWord(base: string, derive: (word: string) => Derived): Derived {
  const start = base.lastIndexOf('-') + 1;
  const { spellings, rule } = derive(base.slice(start));
  return { spellings: spellings.map((spelling) => base.slice(0, start) + spelling), rule };
}

function thirdPersonOf(base: string): Derived {
  const doubled = spelling.doubledEs.get(base);
  if (doubled !== undefined) return { spellings: doubled, rule: 'double the last consonant, add -es' };
  const own = spelling.thirdPersons.get(base);
  if (own !== undefined) return { spellings: own, rule: 'add -s, in a spelling of its own' };
  if (consonantY.test(base)) return derived(`${base.slice(0, -1)}ies`, 'y becomes -ies');
  if (spelling.hardCh.has(base) || spelling.plainO.has(base)) return derived(`${base}s`, 'add -s');
  if (/(?:s|x|z|ch|sh)$/.test(base)) return derived(`${base}es`, 'add -es after a hissing sound');
  if (/[^aeiou]o$/.test(base)) return derived(`${base}es`, 'add -es after o');
  return derived(`${base}s`, 'add -s');
}

function pastOf(base: string): Derived {
  const own = spelling.pasts.get(base);
  if (own !== undefined) return { spellings: own, rule: 'add -ed, in a spelling of its own' };
  if (base.endsWith('e')) return derived(`${base}d`, 'add -d after e');
  if (consonantY.test(base)) return derived(`${base.slice(0, -1)}ied`, 'y becomes -ied');
  return withEnding(base, 'ed');
}

function gerundOf(base: string): Derived {
  const own = spelling.gerunds.get(base);
  if (own !== undefined) return { spellings: own, rule: 'add -ing, in a spelling of its own' };
  if (stressedIe.test(base)) return derived(`${base.slice(0, -2)}ying`, 'ie becomes -ying');
  if (/[^eoyi]e$/.test(base) && base !== 'be') return derived(`${base.slice(0, -1)}ing`, 'drop e, add -ing');
  return withEnding(base, 'ing');
}

function withEnding(base: string, ending: string): Derived {
  if (/[aeiou]c$/.test(base)) return derived(`${base}k${ending}`, `add k and -${ending} after c`);
  const single = base + ending;
  if (spelling.optionalK.has(base))
    return { spellings: [single, `${base}k${ending}`], rule: `add -${ending}, or k and -${ending}` };
  const double = base + base.at(-1) + ending;
  const rule = `double the last consonant, add -${ending}`;
  if (spelling.singleFirst.has(base)) return { spellings: [single, double], rule: `add -${ending}, or ${rule}` };
  if (spelling.doubledFirst.has(base)) return { spellings: [double, single], rule: `${rule}, or only add -${ending}` };
  return isDoubled(base) ? derived(double, rule) : derived(single, `add -${ending}`);
}

/** A last consonant after one short, stressed vowel is doubled. Stress can't be seen, so longer verbs are listed. */
function isDoubled(base: string): boolean {
  if (spelling.doubled.has(base)) return true;
  return /^(?:[^aeiouy]*|[^aeiou]*qu|y)[aeiouy][bdfgklmnprstvz]$/.test(base);
}

function derived(spelling: string, rule: string): Derived {
  return { spellings: [spelling], rule };
}
