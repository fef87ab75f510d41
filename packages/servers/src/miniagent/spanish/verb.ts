import type { Person, Tense } from '../english/tense.ts';
import { conjugateSpanish, type SpanishForms } from './conjugate.ts';

/** The Spanish tenses that English ones are translated by, the closest first. */
export const spanishTenses = {
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

/** The simple tense that the auxiliary of a longer one is in. */
type AuxiliaryTense = 'presente' | 'imperfecto' | 'futuro' | 'condicional';

const perfects: Readonly<Record<string, AuxiliaryTense>> = {
  'pretérito perfecto': 'presente',
  pluscuamperfecto: 'imperfecto',
  'futuro perfecto': 'futuro',
  'condicional perfecto': 'condicional',
};

const impersonal = new Set(['llover', 'nevar']);

const pronouns: Readonly<Record<Person, string>> = {
  '1sg': 'me',
  '2sg': 'te',
  '3sg': 'se',
  '1pl': 'nos',
  '2pl': 'os',
  '3pl': 'se',
};

/** A Spanish verb as it stands in the dictionary, perhaps reflexive and with words that follow it. */
export interface SpanishVerb {
  readonly infinitive: string;
  readonly gerund: string;
  readonly participles: readonly string[];
  /** The verb in a tense and person, in all its spellings; none where there is no such form. */
  in(tense: SpanishTense, person: Person): readonly string[];
}

const made = new Map<string, SpanishVerb>();

/** The verb of an infinitive such as `comer`, `sentarse` or `tener que`. */
export function spanishVerb(infinitive: string): SpanishVerb {
  const known = made.get(infinitive);
  if (known !== undefined) return known;
  const verb = makeVerb(infinitive);
  made.set(infinitive, verb);
  return verb;
}

/** What is needed to put a verb in a tense. */
interface Parts {
  readonly bare: string;
  readonly forms: SpanishForms;
  readonly isReflexive: boolean;
}

function makeVerb(infinitive: string): SpanishVerb {
  const [head = '', ...rest] = infinitive.split(' ');
  const isReflexive = head.endsWith('se');
  const bare = isReflexive ? head.slice(0, -2) : head;
  const forms = conjugateSpanish(bare);
  const parts: Parts = { bare, forms, isReflexive };
  const tail = (form: string): string => [form, ...rest].join(' ');
  return {
    infinitive,
    gerund: tail(isReflexive ? `${forms.gerundio.replace(/[ae](?=ndo$)/, marked)}se` : forms.gerundio),
    participles: forms.participio.split('/').map(tail),
    in: (tense, person) => {
      if (impersonal.has(bare) && person !== '3sg') return [];
      return (tense === 'imperativo' ? imperative(parts, person) : finite(parts, tense, person)).map(tail);
    },
  };
}

function finite({ bare, forms, isReflexive }: Parts, tense: SpanishTense, person: Person): string[] {
  const pronoun = isReflexive ? `${pronouns[person]} ` : '';
  return withoutPronoun(bare, forms, tense, person).map((form) => pronoun + form);
}

function withoutPronoun(bare: string, forms: SpanishForms, tense: SpanishTense, person: Person): string[] {
  switch (tense) {
    case 'presente':
    case 'pretérito':
    case 'imperfecto':
    case 'futuro':
    case 'condicional':
      return forms[tense][person].split('/');
    case 'futuro próximo':
      return [`${conjugateSpanish('ir').presente[person]} a ${bare}`];
    default:
      return compound(forms, tense, person);
  }
}

/** Tenses with `haber` or `estar`, or with both. */
function compound(forms: SpanishForms, tense: SpanishTense, person: Person): string[] {
  const plain = tense.replace(/ continuo$/, '');
  const perfect = perfects[plain];
  if (perfect === undefined) {
    return [`${conjugateSpanish('estar')[plain as AuxiliaryTense][person]} ${forms.gerundio}`];
  }
  const have = conjugateSpanish('haber')[perfect][person];
  if (plain !== tense) return [`${have} estado ${forms.gerundio}`];
  return forms.participio.split('/').map((participle) => `${have} ${participle}`);
}

/** What nobody can be told to do. */
const withoutImperative = new Set(['caber', 'costar', 'haber', 'llover', 'nevar', 'poder']);

function imperative({ bare, forms, isReflexive }: Parts, person: Person): string[] {
  const form = forms.imperativo[person];
  if (form === undefined || withoutImperative.has(bare)) return [];
  return form.split('/').map((each) => (isReflexive ? reflexiveImperative(bare, each, person) : each));
}

function reflexiveImperative(bare: string, form: string, person: Person): string {
  if (person === '2sg') return `${form.endsWith('n') ? unmarked(form) : accented(form)}te`;
  if (person === '1pl') return `${accented(form.replace(/s$/, ''))}nos`;
  if (bare === 'ir') return 'idos';
  // The d is dropped, and i needs an accent to be heard apart from o.
  return `${form.slice(0, -1).replace(/i$/, 'í')}os`;
}

/** Marks the stressed vowel of a form that ends in a vowel, which a pronoun after it makes necessary. */
function accented(form: string): string {
  if (/[áéíóú]/.test(form)) return form;
  // In `que` and `gui` the u is silent.
  const heard = form.replaceAll(/(?<=[gq])u(?=[ei])/g, '_');
  const stressed = [...heard.matchAll(/[iu]?[aeo][iu]?|[iu]/g)].at(-2);
  if (stressed === undefined) return form;
  const [vowels] = stressed;
  const at = stressed.index + Math.max(0, vowels.search(/[aeo]/));
  return form.slice(0, at) + marked(form.charAt(at)) + form.slice(at + 1);
}

const plainVowels = 'aeiou';
const markedVowels = 'áéíóú';

function marked(vowel: string): string {
  return markedVowels[plainVowels.indexOf(vowel)] ?? vowel;
}

function unmarked(form: string): string {
  return form.replaceAll(/[áéíóú]/g, (vowel) => plainVowels[markedVowels.indexOf(vowel)] ?? vowel);
}
