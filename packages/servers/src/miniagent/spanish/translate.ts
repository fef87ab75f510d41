import data from '../data/spanish-translations.json' with { type: 'json' };
import type { Reading } from '../english/readings.ts';
import type { Person, Tense } from '../english/tense.ts';
import { americanSpelling } from '../english/verb.ts';
import { type SpanishTense, spanishTenses, type SpanishVerb, spanishVerb } from './verb.ts';

/** The Spanish infinitives by English base form; the usual one comes first. */
export const translations: ReadonlyMap<string, readonly string[]> = new Map(
  data.translations.map((line) => {
    const [english = '', spanish = ''] = line.split(': ');
    return [english, spanish.split(', ')];
  }),
);

/** Notes on Spanish verbs whose construction differs from the English one. */
export const usage: ReadonlyMap<string, string> = new Map(Object.entries(data.usage));

/** A Spanish form for an English one. */
export interface Translation {
  readonly spanish: string;
  /** The Spanish verb, as it stands in the dictionary. */
  readonly base: string;
  readonly tense: SpanishTense | 'infinitivo' | 'gerundio' | 'participio';
  /** Absent where the form has none. */
  readonly person?: Person;
  readonly english: { readonly verb: string; readonly tense?: Tense };
}

/** Third persons first: they are how a form is cited. */
const order: readonly Person[] = ['3sg', '1sg', '2sg', '1pl', '2pl', '3pl'];

/** All Spanish forms for a reading of an English form; none if we don't know its verb in Spanish. */
export function translate(reading: Reading): Translation[] {
  if (!isTranslatable(reading)) return [];
  const infinitives = translations.get(reading.verb) ?? translations.get(americanSpelling(reading.verb)) ?? [];
  const verbs = infinitives.map(spanishVerb);
  return verbs.flatMap((verb) => [...withoutTense(verb, reading), ...inTenses(verb, reading)]);
}

/** Whether a reading is said in Spanish by one form of the verb: not in the passive, nor after a modal verb. */
export function isTranslatable({ isPassive, modal }: Reading): boolean {
  return !isPassive && modal === undefined;
}

function withoutTense(verb: SpanishVerb, { kind, verb: english }: Reading): Translation[] {
  const of = { base: verb.infinitive, english: { verb: english } };
  switch (kind) {
    case 'base form':
      return [{ ...of, spanish: verb.infinitive, tense: 'infinitivo' }];
    case 'present participle':
      return [{ ...of, spanish: verb.gerund, tense: 'gerundio' }];
    case 'past participle':
      return verb.participles.map((spanish) => ({ ...of, spanish, tense: 'participio' }));
    default:
      return [];
  }
}

function inTenses(verb: SpanishVerb, { uses, verb: english, isNegative }: Reading): Translation[] {
  // Who is told not to do something is told so in another mood, which we don't have.
  const said = isNegative ? uses.filter(({ tense }) => tense !== 'imperative') : uses;
  return said.flatMap(({ tense, persons }) =>
    spanishTenses[tense].flatMap((spanishTense) =>
      order
        .filter((person) => persons.includes(person))
        .flatMap((person) =>
          verb.in(spanishTense, person).map((spanish) => ({
            spanish: isNegative ? `no ${spanish}` : spanish,
            base: verb.infinitive,
            tense: spanishTense,
            person,
            english: { verb: english, tense },
          })),
        ),
    ),
  );
}
