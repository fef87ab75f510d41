import data from '../data/spanish-translations.json' with { type: 'json' };
import type { Reading } from '../english/readings.ts';
import type { Person, Tense } from '../english/tense.ts';
import { americanSpelling } from '../english/verb.ts';
import { conjugateSpanish, type SpanishForms } from './conjugate.ts';

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
  /** The Spanish verb, as in a dictionary. */
  readonly base: string;
  readonly tense: SpanishTense | 'infinitivo' | 'gerundio' | 'participio';
  /** Absent where the form has none. */
  readonly person?: Person;
  readonly english: { readonly verb: string; readonly tense?: Tense };
}

/** Third persons first, as forms are usually cited. */
const personOrder: readonly Person[] = ['3sg', '1sg', '2sg', '1pl', '2pl', '3pl'];

/** All Spanish forms for a reading of an English form; none if the verb has no translation. */
export function translate(reading: Reading): Translation[] {
  if (!isTranslatable(reading)) return [];
  const infinitives = translations.get(reading.verb) ?? translations.get(americanSpelling(reading.verb)) ?? [];
  const verbs = infinitives.map(spanishVerb);
  return verbs.flatMap((verb) => [...nonFiniteForms(verb, reading), ...finiteForms(verb, reading)]);
}

/** False for the passive and for modal verbs, which Spanish does not express with one form of the verb. */
export function isTranslatable({ isPassive, modal }: Reading): boolean {
  return !isPassive && modal === undefined;
}

function nonFiniteForms(verb: SpanishVerb, { kind, verb: english }: Reading): Translation[] {
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

function finiteForms(verb: SpanishVerb, { uses, verb: english, isNegative }: Reading): Translation[] {
  // A negative imperative needs the subjunctive, which we don't have.
  const translatable = isNegative ? uses.filter(({ tense }) => tense !== 'imperative') : uses;
  return translatable.flatMap(({ tense, persons }) =>
    spanishTenses[tense].flatMap((spanishTense) =>
      personOrder
        .filter((person) => persons.includes(person))
        .flatMap((person) =>
          verb.conjugate(spanishTense, person).map((spanish) => ({
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

/** The Spanish tenses that English ones are translated by, the closest first. */
const spanishTenses = {
  present_simple: ['presente'],
  present_continuous: ['presente continuo'],
  present_perfect: ['pretérito perfecto'],
  present_perfect_continuous: ['pretérito perfecto continuo'],
  past_simple: ['pretérito', 'imperfecto'],
  past_continuous: ['imperfecto continuo'],
  past_perfect: ['pluscuamperfecto'],
  past_perfect_continuous: ['pluscuamperfecto continuo'],
  past_habitual: ['imperfecto'],
  future_simple: ['futuro'],
  future_continuous: ['futuro continuo'],
  future_perfect: ['futuro perfecto'],
  future_perfect_continuous: ['futuro perfecto continuo'],
  future_going_to: ['futuro próximo'],
  conditional_simple: ['condicional'],
  conditional_continuous: ['condicional continuo'],
  conditional_perfect: ['condicional perfecto'],
  conditional_perfect_continuous: ['condicional perfecto continuo'],
  imperative: ['imperativo'],
} as const satisfies Record<Tense, readonly string[]>;

/** A tense of Spanish verbs. */
export type SpanishTense = (typeof spanishTenses)[Tense][number];

type SimpleTense = 'presente' | 'pretérito' | 'imperfecto' | 'futuro' | 'condicional';

/** The tense of `haber` in each perfect tense. */
const perfects: Readonly<Record<string, SimpleTense>> = {
  'pretérito perfecto': 'presente',
  pluscuamperfecto: 'imperfecto',
  'futuro perfecto': 'futuro',
  'condicional perfecto': 'condicional',
};

const impersonalVerbs = new Set(['llover', 'nevar']);
const verbsWithoutImperative = new Set(['caber', 'costar', 'haber', 'llover', 'nevar', 'poder']);
const pronouns: Readonly<Record<Person, string>> = {
  '1sg': 'me',
  '2sg': 'te',
  '3sg': 'se',
  '1pl': 'nos',
  '2pl': 'os',
  '3pl': 'se',
};

/** A Spanish verb as in a dictionary, perhaps reflexive and with words that follow it. */
export interface SpanishVerb {
  readonly infinitive: string;
  readonly gerund: string;
  readonly participles: readonly string[];
  /** The forms of a tense and person in all spellings; none if there is no such form. */
  conjugate(tense: SpanishTense, person: Person): readonly string[];
}

const verbCache = new Map<string, SpanishVerb>();

/** The verb of an infinitive such as `comer`, `sentarse` or `tener que`. */
export function spanishVerb(infinitive: string): SpanishVerb {
  let verb = verbCache.get(infinitive);
  if (verb === undefined) {
    verb = createVerb(infinitive);
    verbCache.set(infinitive, verb);
  }
  return verb;
}

function createVerb(infinitive: string): SpanishVerb {
  const [head = '', ...rest] = infinitive.split(' ');
  const isReflexive = head.endsWith('se');
  const bare = isReflexive ? head.slice(0, -2) : head;
  const forms = conjugateSpanish(bare);
  const withRest = (form: string): string => [form, ...rest].join(' ');

  function conjugate(tense: SpanishTense, person: Person): string[] {
    if (impersonalVerbs.has(bare) && person !== '3sg') return [];
    if (tense !== 'imperativo') {
      const pronoun = isReflexive ? `${pronouns[person]} ` : '';
      return conjugateFinite(bare, forms, tense, person).map((form) => pronoun + form);
    }
    const imperative = forms.imperativo[person];
    if (imperative === undefined || verbsWithoutImperative.has(bare)) return [];
    return imperative.split('/').map((form) => (isReflexive ? reflexiveImperative(bare, form, person) : form));
  }

  return {
    infinitive,
    gerund: withRest(isReflexive ? `${forms.gerundio.replace(/[ae](?=ndo$)/, addAccent)}se` : forms.gerundio),
    participles: forms.participio.split('/').map(withRest),
    conjugate: (tense, person) => conjugate(tense, person).map(withRest),
  };
}

function conjugateFinite(bare: string, forms: SpanishForms, tense: SpanishTense, person: Person): string[] {
  if (tense === 'futuro próximo') return [`${conjugateSpanish('ir').presente[person]} a ${bare}`];
  const plain = tense.replace(/ continuo$/, '');
  const isContinuous = plain !== tense;
  const perfect = perfects[plain];
  if (perfect !== undefined) {
    const have = conjugateSpanish('haber')[perfect][person];
    if (isContinuous) return [`${have} estado ${forms.gerundio}`];
    return forms.participio.split('/').map((participle) => `${have} ${participle}`);
  }
  const simple = plain as SimpleTense;
  if (isContinuous) return [`${conjugateSpanish('estar')[simple][person]} ${forms.gerundio}`];
  return forms[simple][person].split('/');
}

function reflexiveImperative(bare: string, form: string, person: Person): string {
  if (person === '2sg') return `${form.endsWith('n') ? removeAccents(form) : accentStress(form)}te`;
  if (person === '1pl') return `${accentStress(form.replace(/s$/, ''))}nos`;
  if (bare === 'ir') return 'idos';
  // The d is dropped, and an i before o takes an accent.
  return `${form.slice(0, -1).replace(/i$/, 'í')}os`;
}

/** Adds an accent to the stressed vowel of a form that ends in a vowel; a pronoun after it makes that necessary. */
function accentStress(form: string): string {
  if (/[áéíóú]/.test(form)) return form;
  // In `que` and `gui` the u is silent.
  const pronounced = form.replaceAll(/(?<=[gq])u(?=[ei])/g, '_');
  const stressed = [...pronounced.matchAll(/[iu]?[aeo][iu]?|[iu]/g)].at(-2);
  if (stressed === undefined) return form;
  const [vowels] = stressed;
  const at = stressed.index + Math.max(0, vowels.search(/[aeo]/));
  return form.slice(0, at) + addAccent(form.charAt(at)) + form.slice(at + 1);
}

const plainVowels = 'aeiou';
const accentedVowels = 'áéíóú';

function addAccent(vowel: string): string {
  return accentedVowels[plainVowels.indexOf(vowel)] ?? vowel;
}

function removeAccents(form: string): string {
  return form.replaceAll(/[áéíóú]/g, (vowel) => plainVowels[accentedVowels.indexOf(vowel)] ?? vowel);
}
