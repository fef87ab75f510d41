import { formsOf } from './conjugate.ts';
import { type Frame, frameOf, type Person, persons, type Tense, tenses } from './tense.ts';
import { findVerb } from './verb.ts';

/** One way to say a tense in one person. */
export interface Pattern extends Frame {
  readonly isPassive: boolean;
  /** With `do` before the verb, as questions and denials have it: `did eat`. */
  readonly usesDo: boolean;
}

/** All tenses and persons with the ways to say them; made when first asked for. */
let table: Map<string, Pattern[]> | undefined;

/** All ways to say a tense in a person: as it is conjugated, with `do`, and in the passive. */
export function patternsOf(tense: Tense, person: Person): readonly Pattern[] {
  table ??= new Map(
    tenses.flatMap((each) => persons.map((one): [string, Pattern[]] => [`${each} ${one}`, make(each, one)])),
  );
  return table.get(`${tense} ${person}`) ?? [];
}

function make(tense: Tense, person: Person): Pattern[] {
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
