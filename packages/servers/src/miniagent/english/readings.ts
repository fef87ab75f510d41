import { type Clause, parseClauses } from './clause.ts';
import { areComplements, formsOf } from './conjugate.ts';
import { type Lemma, lemmasOf } from './lemmas.ts';
import { type ModalPhrase, modalPhrases, modals } from './modals.ts';
import { type Frame, frameOf, type Part, type Person, persons, type Tense, tenses } from './tense.ts';
import { findVerb } from './verb.ts';

/** What a word can be by itself. */
export type Kind = 'base form' | 'present' | 'past' | 'past participle' | 'present participle' | 'phrase' | 'modal';

/** A tense with the persons that a form can stand for in it. */
export interface Use {
  readonly tense: Tense;
  readonly persons: readonly Person[];
}

/** One way to understand a form. */
export interface Reading {
  /** The base form, with what belongs to the verb. */
  readonly verb: string;
  readonly kind: Kind;
  /** The tenses that the form is in as it stands. */
  readonly uses: readonly Use[];
  /** The tenses that it is part of, with auxiliary verbs before it. */
  readonly builds: readonly Tense[];
  /** The modal verb before it, by its base form. */
  readonly modal?: string;
  readonly isPassive: boolean;
  readonly isNegative: boolean;
  readonly isQuestion: boolean;
}

/** All ways to understand a form: one word, or a whole clause as in `she hasn't been eating`. */
export function readingsOf(normalized: string): Reading[] {
  return parseClauses(normalized).flatMap((clause) => {
    const readings = [...modalReadings(clause), ...verbReadings(clause)];
    // After a subject only what stands in a tense makes sense.
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

/** With nothing before it a form needs no tense to be a form of its verb, unless it is denied or asked. */
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

/** After a modal verb stands what stands after `will`. */
function readModalPhrase(verb: string, candidate: Candidate, { modal, before, timesOf }: ModalPhrase): Reading[] {
  const { isNegative, isQuestion, persons: allowed } = candidate.clause;
  return [false, true].flatMap((isPassive) => {
    const uses = usesOf({ ...candidate, before }, (pattern) => pattern.isPassive === isPassive);
    const shifted = uses.flatMap(({ tense }) => timesOf(tense)).map((tense) => ({ tense, persons: allowed }));
    if (shifted.length === 0) return [];
    return [{ verb, kind: 'phrase' as const, uses: shifted, builds: [], modal, isPassive, isNegative, isQuestion }];
  });
}

/** The tenses and persons in which a form stands as it is. */
function usesOf(candidate: Candidate, isMeant: (pattern: Pattern) => boolean): Use[] {
  const { before, word, base, part, clause } = candidate;
  const verb = findVerb(base);
  if (verb === undefined) return [];
  return tenses.flatMap((tense) => {
    // Who has a subject, or asks, tells nobody what to do.
    if (tense === 'imperative' && (clause.hasSubject || clause.isQuestion)) return [];
    const fitting = clause.persons.filter((person) =>
      patternsOf(tense, person).some((pattern) => {
        if (pattern.before !== before || !isMeant(pattern) || !isSaidOf(base, tense, pattern)) return false;
        const isSamePart = pattern.part === part || (pattern.part === 'present' && part === 'base');
        return isSamePart && formsOf(verb, pattern.part, person).some(({ text }) => text === word);
      }),
    );
    return fitting.length === 0 ? [] : [{ tense, persons: fitting }];
  });
}

/** `be` has no passive, and takes `do` only where somebody is told what to do. */
function isSaidOf(base: string, tense: Tense, { isPassive, usesDo }: Pattern): boolean {
  return base !== 'be' || (!isPassive && (!usesDo || tense === 'imperative'));
}

/** The tenses that put auxiliary verbs before a form. */
function tensesOn({ base, part }: Candidate, isMeant: (pattern: Pattern) => boolean): Tense[] {
  return tenses.filter(
    (tense) =>
      tense !== 'imperative' &&
      persons.some((person) =>
        patternsOf(tense, person).some(
          (pattern) => pattern.part === part && isMeant(pattern) && isSaidOf(base, tense, pattern) && !pattern.usesDo,
        ),
      ),
  );
}

/** One way to say a tense in one person. */
export interface Pattern extends Frame {
  readonly isPassive: boolean;
  /** With `do` before the verb, as questions and denials have it: `did eat`. */
  readonly usesDo: boolean;
}

/** All tenses and persons with the ways to say them; made when first asked for. */
let patternTable: Map<string, Pattern[]> | undefined;

/** All ways to say a tense in a person: as it is conjugated, with `do`, and in the passive. */
function patternsOf(tense: Tense, person: Person): readonly Pattern[] {
  patternTable ??= new Map(
    tenses.flatMap((each) => persons.map((one): [string, Pattern[]] => [`${each} ${one}`, makePatterns(each, one)])),
  );
  return patternTable.get(`${tense} ${person}`) ?? [];
}

function makePatterns(tense: Tense, person: Person): Pattern[] {
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
