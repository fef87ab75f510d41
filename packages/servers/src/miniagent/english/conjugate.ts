import type { Phrase } from './phrase.ts';
import { formsOfBe, frameOf, type Part, type Person, type Tense } from './tense.ts';
import type { Form, Verb } from './verb.ts';

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
