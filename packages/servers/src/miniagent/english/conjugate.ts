import { formsOfBe, frameOf, type Part, type Person, type Tense } from './tense.ts';
import { findVerb, type Form, type Verb } from './verb.ts';

/** A verb as it was asked for: with what belongs to it, such as the `up` of `give up`. */
export interface Phrase {
  readonly verb: Verb;
  /** What follows the verb in all its forms; empty for most. */
  readonly rest: string;
}

const complements = new Set(
  `aback able about above across after against ahead along allowed apart around as aside asleep at away back badly bed
  behind between born by care down dressed for forth forward from fun home in into lost married of off on onto out over
  part past place ready rid round sense shopping sure through to together toward towards under up upon used well with
  without wrong`.split(/\s+/),
);

/** A text as words can be looked up by: in small letters, with single spaces, without `to` in front. */
export function normalize(text: string): string {
  const plain = text.normalize('NFC').trim().toLowerCase();
  return plain
    .replaceAll(/[’‘ʼ´`]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .replace(/^to (?=.)/, '');
}

/** Whether these words can follow a verb as part of it; no words can. */
export function areComplements(words: readonly string[]): boolean {
  return words.length <= 3 && words.every((word) => complements.has(word));
}

/** Finds a verb by its base form, alone or with what belongs to it. */
export function findPhrase(normalized: string): Phrase | undefined {
  const [head = '', ...rest] = normalized.split(' ');
  const verb = findVerb(head);
  return verb !== undefined && areComplements(rest) ? { verb, rest: rest.join(' ') } : undefined;
}

/** A verb in a tense and person, in all its spellings and the usual one first; undefined if there is no such person. */
export function conjugate({ verb, rest }: Phrase, tense: Tense, person: Person): Form[] | undefined {
  const frame = frameOf(tense, person);
  if (frame === undefined) return undefined;
  return formsOf(verb, frame.part, person).map((form) => ({
    ...form,
    text: [frame.before, form.text, rest].filter((part) => part !== '').join(' '),
  }));
}

/** A verb's own forms that a tense is built on. */
export function formsOf(verb: Verb, part: Part, person: Person): readonly Form[] {
  if (verb.base === 'be' && (part === 'present' || part === 'past')) {
    return [{ text: formsOfBe[part][person], source: 'table' }];
  }
  if (part === 'base' || (part === 'present' && person !== '3sg')) return [{ text: verb.base, source: 'base' }];
  return part === 'present' ? verb.thirdPerson : verb[part];
}
