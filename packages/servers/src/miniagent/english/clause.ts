import { type Person, persons } from './tense.ts';

/** A group of words with one verb, taken apart: who does it, and whether it is denied or asked. */
export interface Clause {
  /** The auxiliary verbs, the verb, and what belongs to it. */
  readonly words: readonly string[];
  /** The persons that the subject can be; all where there is no subject. */
  readonly persons: readonly Person[];
  readonly hasSubject: boolean;
  readonly isNegative: boolean;
  readonly isQuestion: boolean;
}

const pronouns: ReadonlyMap<string, readonly Person[]> = new Map([
  ['i', ['1sg']],
  ['you', ['2sg', '2pl']],
  ['he', ['3sg']],
  ['she', ['3sg']],
  ['it', ['3sg']],
  ['we', ['1pl']],
  ['they', ['3pl']],
]);

const auxiliaries = new Set(
  `am are is was were have has had do does did will would shall should can could may might must ought`.split(' '),
);

const contractions: ReadonlyMap<string, readonly string[]> = new Map([
  ["ain't", ['am not', 'are not', 'is not', 'have not', 'has not']],
  ["can't", ['can not']],
  ['cannot', ['can not']],
  ["shan't", ['shall not']],
  ["won't", ['will not']],
  ['gonna', ['going to']],
]);

/** What is written together with the word before it. */
const endings: ReadonlyMap<string, readonly string[]> = new Map([
  ["'d", ['had', 'would']],
  ["'ll", ['will']],
  ["'m", ['am']],
  ["'re", ['are']],
  ["'s", ['has', 'is']],
  ["'ve", ['have']],
]);

/** More ways to read the contractions of one clause than anybody writes. */
const maxReadings = 16;

/** Whether a word only helps to make a clause: a pronoun, an auxiliary verb, `not`. */
export function isFunctionWord(word: string): boolean {
  const [first = ''] = expandContraction(word)[0]?.split(' ') ?? [];
  return word === 'not' || takesContraction(first);
}

function takesContraction(word: string): boolean {
  return pronouns.has(word) || auxiliaries.has(word);
}

/** All ways to take a text apart; there are several where it is contracted, as `she'd` is. */
export function parseClauses(normalized: string): Clause[] {
  let texts = [''];
  for (const word of normalized.replace(/[.!?]+$/, '').split(' ')) {
    const ways = expandContraction(word);
    texts = texts.flatMap((before) => ways.map((way) => (before === '' ? way : `${before} ${way}`)));
    if (texts.length > maxReadings) return [];
  }
  return texts.map((each) => parseClause(each.split(' ')));
}

function parseClause(words: readonly string[]): Clause {
  const [first = '', second = ''] = words;
  const afterNot = second === 'not' ? 2 : 1;
  const asked = auxiliaries.has(first) ? pronouns.get(words[afterNot] ?? '') : undefined;
  const stated = words.length > 1 ? pronouns.get(first) : undefined;
  const subject = asked ?? stated;
  const subjectAt = asked === undefined ? 0 : afterNot;
  const rest = subject === undefined ? words : words.filter((_, at) => at !== subjectAt);
  const not = rest.indexOf('not');
  return {
    words: not > 0 ? rest.filter((_, at) => at !== not) : rest,
    persons: subject ?? persons,
    hasSubject: subject !== undefined,
    isNegative: not > 0,
    isQuestion: asked !== undefined,
  };
}

/** A word without its contractions, in all ways: `didn't` is `did not`, `she'd` is `she had` or `she would`. */
function expandContraction(word: string): readonly string[] {
  const whole = contractions.get(word);
  if (whole !== undefined) return whole;
  const [, head = '', not = '', end = '', have = ''] = /^([a-z]+?)(n't)?('(?:d|ll|m|re|s|ve))?('ve)?$/.exec(word) ?? [];
  // Only a subject or an auxiliary verb takes another one: `let's` and `ok'd` are words of their own.
  if (!takesContraction(head) || (not !== '' && pronouns.has(head))) return [word];
  const start = not === '' ? head : `${head} not`;
  const tail = have === '' ? '' : ' have';
  return end === '' ? [start + tail] : (endings.get(end) ?? []).map((each) => `${start} ${each}${tail}`);
}
