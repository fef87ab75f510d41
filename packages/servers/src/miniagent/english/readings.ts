import data from '../data/clauses.json' with { type: 'json' };
import { areComplements, formsOf, type Lemma, lemmasOf } from './conjugate.ts';
import { type Frame, frameOf, type Part, type Person, persons, type Tense, tenses } from './tense.ts';
import { findVerb } from './verb.ts';

/** The kind of a form. */
export type Kind = 'base form' | 'present' | 'past' | 'past participle' | 'present participle' | 'phrase' | 'modal';

/** A tense, and the persons that a form can be in it. */
export interface VerbUse {
  readonly tense: Tense;
  readonly persons: readonly Person[];
}

/** One interpretation of a form. */
export interface Reading {
  /** The base form, with its complement. */
  readonly verb: string;
  readonly kind: Kind;
  /** The tenses of the form itself. */
  readonly uses: readonly VerbUse[];
  /** The tenses that need more auxiliary verbs before it. */
  readonly builds: readonly Tense[];
  /** The base form of the modal verb before it. */
  readonly modal?: string;
  readonly isPassive: boolean;
  readonly isNegative: boolean;
  readonly isQuestion: boolean;
}

/** All interpretations of a form: one word, or a clause such as `she hasn't been eating`. */
export function readingsOf(normalized: string): Reading[] {
  return parseClauses(normalized).flatMap((clause) => {
    const readings = [...modalReadings(clause), ...verbReadings(clause)];
    // A subject needs a finite verb.
    return clause.hasSubject ? readings.filter(({ uses }) => uses.length > 0) : readings;
  });
}

function modalReadings({ words, persons: allowed, isNegative, isQuestion }: Clause): Reading[] {
  const form = words.join(' ');
  return [...modals.values()].flatMap(({ base, tenses }) => {
    const uses = (Object.entries(tenses) as [Tense, string][])
      .filter(([, text]) => text === form)
      .map(([tense]) => ({ tense, persons: allowed }));
    if (uses.length === 0) return [];
    return [{ verb: base, kind: 'modal' as const, uses, builds: [], isPassive: false, isNegative, isQuestion }];
  });
}

const kinds: Readonly<Record<Part, Kind>> = {
  base: 'base form',
  present: 'present',
  past: 'past',
  participle: 'past participle',
  gerund: 'present participle',
};

interface Candidate extends Lemma {
  readonly before: string;
  readonly word: string;
  readonly clause: Clause;
}

function verbReadings(clause: Clause): Reading[] {
  return clause.words.flatMap((word, at) => {
    const before = clause.words.slice(0, at).join(' ');
    const rest = clause.words.slice(at + 1);
    if (!areComplements(rest)) return [];
    return lemmasOf(word).flatMap((lemma) => {
      const candidate = { ...lemma, before, word, clause };
      const verb = [lemma.base, ...rest].join(' ');
      return before === '' ? readWord(verb, candidate) : readPhrase(verb, candidate);
    });
  });
}

/** A single word may be without tense, unless it is negative or a question. */
function readWord(verb: string, candidate: Candidate): Reading[] {
  const { isNegative, isQuestion } = candidate.clause;
  const isMarked = isNegative || isQuestion;
  if (isMarked && !['be', 'have', 'do'].includes(candidate.base)) return [];
  const uses = usesOf(candidate, ({ isPassive }) => !isPassive);
  const builds = isMarked ? [] : tensesOn(candidate, ({ before, isPassive }) => before !== '' && !isPassive);
  return [{ verb, kind: kinds[candidate.part], uses, builds, isPassive: false, isNegative, isQuestion }];
}

function readPhrase(verb: string, candidate: Candidate): Reading[] {
  const { isNegative, isQuestion } = candidate.clause;
  const kind = 'phrase' as const;
  const plain = [false, true].flatMap((isPassive) => {
    const uses = usesOf(candidate, (pattern) => pattern.isPassive === isPassive);
    const tail = ` ${candidate.before}`;
    const isTail = (pattern: Pattern): boolean => pattern.isPassive === isPassive && pattern.before.endsWith(tail);
    const builds = uses.length > 0 ? [] : tensesOn(candidate, isTail);
    if (uses.length === 0 && builds.length === 0) return [];
    return [{ verb, kind, uses, builds, isPassive, isNegative, isQuestion }];
  });
  const withModal = modalPhrases(candidate.before).flatMap((phrase) => readModalPhrase(verb, candidate, phrase));
  return [...plain, ...withModal];
}

/** A modal verb is followed by the same forms as `will`. */
function readModalPhrase(verb: string, candidate: Candidate, { modal, before, tensesOf }: ModalPhrase): Reading[] {
  const { isNegative, isQuestion, persons: allowed } = candidate.clause;
  return [false, true].flatMap((isPassive) => {
    const uses = usesOf({ ...candidate, before }, (pattern) => pattern.isPassive === isPassive);
    const shifted = uses.flatMap(({ tense }) => tensesOf(tense)).map((tense) => ({ tense, persons: allowed }));
    if (shifted.length === 0) return [];
    return [{ verb, kind: 'phrase' as const, uses: shifted, builds: [], modal, isPassive, isNegative, isQuestion }];
  });
}

/** The tenses and persons of a form. */
function usesOf(candidate: Candidate, accepts: (pattern: Pattern) => boolean): VerbUse[] {
  const { before, word, base, part, clause } = candidate;
  const verb = findVerb(base);
  if (verb === undefined) return [];
  return tenses.flatMap((tense) => {
    // An imperative has no subject and is no question.
    if (tense === 'imperative' && (clause.hasSubject || clause.isQuestion)) return [];
    const matching = clause.persons.filter((person) =>
      patternsOf(tense, person).some((pattern) => {
        if (pattern.before !== before || !accepts(pattern) || !isPossible(base, tense, pattern)) return false;
        const isSamePart = pattern.part === part || (pattern.part === 'present' && part === 'base');
        return isSamePart && formsOf(verb, pattern.part, person).some(({ text }) => text === word);
      }),
    );
    return matching.length === 0 ? [] : [{ tense, persons: matching }];
  });
}

/** `be` has no passive, and takes `do` only in the imperative. */
function isPossible(base: string, tense: Tense, { isPassive, usesDo }: Pattern): boolean {
  return base !== 'be' || (!isPassive && (!usesDo || tense === 'imperative'));
}

/** The tenses in which auxiliary verbs precede a form. */
function tensesOn({ base, part }: Candidate, accepts: (pattern: Pattern) => boolean): Tense[] {
  return tenses.filter(
    (tense) =>
      tense !== 'imperative' &&
      persons.some((person) =>
        patternsOf(tense, person).some(
          (pattern) => pattern.part === part && accepts(pattern) && isPossible(base, tense, pattern) && !pattern.usesDo,
        ),
      ),
  );
}

/** One construction of a tense in one person. */
export interface Pattern extends Frame {
  readonly isPassive: boolean;
  /** With `do` before the verb, as in questions and negations: `did eat`. */
  readonly usesDo: boolean;
}

/** The constructions of all tenses and persons, created on first use. */
let patternTable: Map<string, Pattern[]> | undefined;

/** The constructions of a tense in a person: plain, with `do`, and passive. */
function patternsOf(tense: Tense, person: Person): readonly Pattern[] {
  patternTable ??= new Map(
    tenses.flatMap((each) => persons.map((one): [string, Pattern[]] => [`${each} ${one}`, createPatterns(each, one)])),
  );
  return patternTable.get(`${tense} ${person}`) ?? [];
}

function createPatterns(tense: Tense, person: Person): Pattern[] {
  const frame = frameOf(tense, person);
  if (frame === undefined) return [];
  const plain = { ...frame, isPassive: false, usesDo: false };
  const withDo = doBefore(tense, person);
  return [
    plain,
    ...(withDo === undefined ? [] : [{ before: withDo, part: 'base' as const, isPassive: false, usesDo: true }]),
    ...(tense === 'imperative' ? [] : passive(frame, person)),
  ];
}

function doBefore(tense: Tense, person: Person): string | undefined {
  if (tense === 'past_simple') return 'did';
  if (tense === 'present_simple') return person === '3sg' ? 'does' : 'do';
  return tense === 'imperative' && person.startsWith('2') ? 'do' : undefined;
}

function passive({ before, part }: Frame, person: Person): Pattern[] {
  const be = findVerb('be');
  if (be === undefined) return [];
  return formsOf(be, part, person).map(({ text }) => ({
    before: before === '' ? text : `${before} ${text}`,
    part: 'participle',
    isPassive: true,
    usesDo: false,
  }));
}

/** A parsed group of words with one verb. */
export interface Clause {
  /** The auxiliary verbs, the verb, and its complements. */
  readonly words: readonly string[];
  /** The persons that the subject can be; all if there is no subject. */
  readonly persons: readonly Person[];
  readonly hasSubject: boolean;
  readonly isNegative: boolean;
  readonly isQuestion: boolean;
}

const pronouns: ReadonlyMap<string, readonly Person[]> = new Map(
  Object.entries(data.pronouns) as [string, readonly Person[]][],
);
const auxiliaries: ReadonlySet<string> = new Set(data.auxiliaries.split(' '));
const contractions: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(data.contractions));
/** Contractions with the word before. */
const suffixes: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(data.suffixes));

/** The maximum number of ways to expand the contractions of one clause. */
const maxExpansions = 16;

/** True for a pronoun, an auxiliary verb and `not`. */
export function isFunctionWord(word: string): boolean {
  const [first = ''] = expandContraction(word)[0]?.split(' ') ?? [];
  return word === 'not' || takesContraction(first);
}

function takesContraction(word: string): boolean {
  return pronouns.has(word) || auxiliaries.has(word);
}

/** All ways to parse a text; a contraction such as `she'd` is ambiguous. */
function parseClauses(normalized: string): Clause[] {
  let texts = [''];
  for (const word of normalized.replace(/[.!?]+$/, '').split(' ')) {
    const expansions = expandContraction(word);
    texts = texts.flatMap((before) => expansions.map((each) => (before === '' ? each : `${before} ${each}`)));
    if (texts.length > maxExpansions) return [];
  }
  return texts.map((each) => parseClause(each.split(' ')));
}

function parseClause(words: readonly string[]): Clause {
  const [first = '', second = ''] = words;
  const afterNot = second === 'not' ? 2 : 1;
  const inverted = auxiliaries.has(first) ? pronouns.get(words[afterNot] ?? '') : undefined;
  const leading = words.length > 1 ? pronouns.get(first) : undefined;
  const subject = inverted ?? leading;
  const subjectAt = inverted === undefined ? 0 : afterNot;
  const rest = subject === undefined ? words : words.filter((_, at) => at !== subjectAt);
  const not = rest.indexOf('not');
  return {
    words: not > 0 ? rest.filter((_, at) => at !== not) : rest,
    persons: subject ?? persons,
    hasSubject: subject !== undefined,
    isNegative: not > 0,
    isQuestion: inverted !== undefined,
  };
}

/** Expands a contraction in all ways: `didn't` is `did not`, `she'd` is `she had` or `she would`. */
function expandContraction(word: string): readonly string[] {
  const whole = contractions.get(word);
  if (whole !== undefined) return whole;
  const [, head = '', not = '', end = '', have = ''] = /^([a-z]+?)(n't)?('(?:d|ll|m|re|s|ve))?('ve)?$/.exec(word) ?? [];
  // Only a subject or an auxiliary verb is contracted: `let's` and `ok'd` are whole words.
  if (!takesContraction(head) || (not !== '' && pronouns.has(head))) return [word];
  const start = not === '' ? head : `${head} not`;
  const tail = have === '' ? '' : ' have';
  return end === '' ? [start + tail] : (suffixes.get(end) ?? []).map((each) => `${start} ${each}${tail}`);
}

/** A verb that is the same in all persons and exists in a few tenses only. */
export interface Modal {
  readonly base: string;
  readonly tenses: Readonly<Partial<Record<Tense, string>>>;
  /** The verb to use in its missing tenses. */
  readonly instead?: string;
  /** Its meaning, if another verb has the same base form, and the meaning of that. */
  readonly senses?: { readonly modal: string; readonly other: string };
}

/** The modal verbs, by base form. */
export const modals: ReadonlyMap<string, Modal> = new Map(
  (data.modals as readonly Modal[]).map((modal) => [modal.base, modal]),
);

/** Auxiliary verbs that begin with a modal verb, rewritten with `will`. */
export interface ModalPhrase {
  /** The base form of the modal verb. */
  readonly modal: string;
  readonly before: string;
  /** Converts a tense with `will` to the tenses with this modal verb. */
  readonly tensesOf: (future: Tense) => Tense[];
}

/** Finds the modal verbs at the start of auxiliary verbs, except `will` and `would`, which build tenses. */
function modalPhrases(before: string): ModalPhrase[] {
  return [...modals.values()].flatMap(({ base, tenses: forms }) => {
    const entries = Object.entries(forms) as [Tense, string][];
    const form = entries.map(([, text]) => text).find((text) => before === text || before.startsWith(`${text} `));
    if (form === undefined || form === 'will' || form === 'would') return [];
    const simple = entries.filter(([, text]) => text === form).map(([tense]) => tense);
    return [
      {
        modal: base,
        before: `will${before.slice(form.length)}`,
        tensesOf: (future: Tense) => (base === 'shall' ? [future] : shiftTenses(simple, future)),
      },
    ];
  });
}

/** `could eat` is past or conditional, `could have eaten` only conditional. */
function shiftTenses(simple: readonly Tense[], future: Tense): Tense[] {
  const isPerfect = future.startsWith('future_perfect');
  const possible = isPerfect && simple.includes('conditional_simple') ? ['conditional_simple'] : simple;
  const shifted = possible.map((tense) => tense.replace('simple', future.slice('future_'.length)));
  return tenses.filter((tense) => shifted.includes(tense));
}
