import data from '../data/spanish-models.json' with { type: 'json' };
import { type Person, persons } from '../english/tense.ts';

/** A Spanish verb's simple forms, by tense and person; where there are two they are separated by a slash. */
export interface SpanishForms {
  readonly presente: Readonly<Record<Person, string>>;
  readonly pretérito: Readonly<Record<Person, string>>;
  readonly imperfecto: Readonly<Record<Person, string>>;
  readonly futuro: Readonly<Record<Person, string>>;
  readonly condicional: Readonly<Record<Person, string>>;
  readonly imperativo: Readonly<Partial<Record<Person, string>>>;
  readonly gerundio: string;
  readonly participio: string;
}

type Endings = readonly [string, string, string, string, string, string];
type Conjugation = 'ar' | 'er' | 'ir';

const presentEndings: Readonly<Record<Conjugation, Endings>> = {
  ar: ['o', 'as', 'a', 'amos', 'áis', 'an'],
  er: ['o', 'es', 'e', 'emos', 'éis', 'en'],
  ir: ['o', 'es', 'e', 'imos', 'ís', 'en'],
};
const preteriteEndings = {
  ar: ['é', 'aste', 'ó', 'amos', 'asteis', 'aron'],
  other: ['í', 'iste', 'ió', 'imos', 'isteis', 'ieron'],
  afterVowel: ['í', 'íste', 'yó', 'ímos', 'ísteis', 'yeron'],
  afterU: ['í', 'iste', 'yó', 'imos', 'isteis', 'yeron'],
  strong: ['e', 'iste', 'o', 'imos', 'isteis', 'ieron'],
} satisfies Record<string, Endings>;
const imperfectEndings: Readonly<Record<Conjugation, Endings>> = {
  ar: ['aba', 'abas', 'aba', 'ábamos', 'abais', 'aban'],
  er: ['ía', 'ías', 'ía', 'íamos', 'íais', 'ían'],
  ir: ['ía', 'ías', 'ía', 'íamos', 'íais', 'ían'],
};
const futureEndings: Endings = ['é', 'ás', 'á', 'emos', 'éis', 'án'];
const conditionalEndings: Endings = ['ía', 'ías', 'ía', 'íamos', 'íais', 'ían'];

/** What a Spanish verb does beside the rules. Everything that isn't given follows them. */
interface Model {
  /** The first person singular of the present; the form for `let us` is built on it too. */
  readonly yo?: string;
  readonly presente?: Partial<Record<Person, string>>;
  /** The stem of a preterite that has its stress before the ending: `tuv` of `tuve, tuvo`. */
  readonly pretérito?: string | Partial<Record<Person, string>>;
  readonly imperfecto?: Record<Person, string>;
  /** The stem of future and conditional, where it isn't the infinitive. */
  readonly futuro?: string;
  readonly gerundio?: string;
  /** Two participles are separated by a slash. */
  readonly participio?: string;
  /** The imperative for `tú`. */
  readonly tú?: string;
  /** The imperative for `nosotros`. */
  readonly nosotros?: string;
}

/** Forms are written in one text, in the order of the persons. */
function sixForms(forms: string): Record<Person, string> {
  return byPerson((_, at) => forms.split(' ')[at] ?? '');
}

type ModelData = Readonly<Record<string, string | Partial<Record<Person, string>>>>;

/** Verbs with an inflection of their own, by infinitive. */
const models: ReadonlyMap<string, Model> = new Map(
  Object.entries(data.models as Record<string, ModelData>).map(([infinitive, given]) => [
    infinitive,
    Object.fromEntries(
      Object.entries(given).map(([name, forms]) => [
        name,
        typeof forms === 'string' && forms.includes(' ') ? sixForms(forms) : forms,
      ]),
    ),
  ]),
);

/** Verbs that are inflected like another one after a prefix; the imperative for `tú` may need an accent. */
const compounds: Readonly<Record<string, { prefix: string; of: string; tú?: string }>> = data.compounds;

/** Participles that no rule gives, by the end of the infinitive. */
const participles: ReadonlyMap<string, string> = new Map(Object.entries(data.participles));

/** What the rules need to know of a verb. */
interface Root {
  readonly infinitive: string;
  readonly stem: string;
  readonly conjugation: Conjugation;
  readonly change: StemChange | undefined;
  readonly model: Model;
}

/** Conjugates a Spanish verb that is not reflexive. */
export function conjugateSpanish(infinitive: string): SpanishForms {
  const compound = Object.hasOwn(compounds, infinitive) ? compounds[infinitive] : undefined;
  if (compound !== undefined) return withPrefix(compound);
  const root = rootOf(infinitive);
  const future = root.model.futuro ?? infinitive.replace('í', 'i');
  const presente = present(root);
  return {
    presente,
    pretérito: preterite(root),
    imperfecto: root.model.imperfecto ?? join(root.stem, imperfectEndings[root.conjugation]),
    futuro: join(future, futureEndings),
    condicional: join(future, conditionalEndings),
    imperativo: {
      '2sg': root.model.tú ?? presente['3sg'],
      '1pl': root.model.nosotros ?? letUs(root, presente['1sg']),
      '2pl': infinitive.replace(/r$/, 'd'),
    },
    gerundio: root.model.gerundio ?? gerund(root),
    participio: root.model.participio ?? participle(root),
  };
}

function rootOf(infinitive: string): Root {
  return {
    infinitive,
    stem: infinitive.slice(0, -2),
    conjugation: infinitive.slice(-2).replace('í', 'i') as Conjugation,
    change: stemChangeOf(infinitive),
    model: models.get(infinitive) ?? modelByEnding(infinitive),
  };
}

/** Verbs in -ducir share a preterite. */
function modelByEnding(infinitive: string): Model {
  return infinitive.endsWith('ducir') ? { pretérito: `${infinitive.slice(0, -3)}j` } : {};
}

function present({ infinitive, stem, conjugation, change, model }: Root): Record<Person, string> {
  const strong = insertsY(infinitive) ? `${stem}y` : stressedStem(stem, change);
  const endings = presentEndings[conjugation];
  const forms = byPerson((person, at) => (isStressed(person) ? strong : stem) + endings[at]);
  return { ...forms, '1sg': model.yo ?? `${beforeDark(strong, infinitive)}o`, ...model.presente };
}

function isStressed(person: Person): boolean {
  return person !== '1pl' && person !== '2pl';
}

/** Verbs like `construir`, but not those where the u is silent, as in `seguir`. */
function insertsY(infinitive: string): boolean {
  return /[^gq]uir$/.test(infinitive);
}

/** Keeps the sound of a stem in -er and -ir before o and a. */
function beforeDark(stem: string, infinitive: string): string {
  if (/g[ei]r$/.test(infinitive)) return stem.replace(/g$/, 'j');
  if (infinitive.endsWith('guir')) return stem.replace(/gu$/, 'g');
  if (infinitive === 'cocer') return stem.replace(/c$/, 'z');
  if (/[aeiou]c[ei]r$/.test(infinitive)) return stem.replace(/c$/, 'zc');
  if (/c[ei]r$/.test(infinitive)) return stem.replace(/c$/, 'z');
  return stem;
}

/** Keeps the sound of a stem in -ar before e. */
function beforeE(stem: string): string {
  if (stem.endsWith('gu')) return stem.replace(/gu$/, 'gü');
  return stem.replace(/c$/, 'qu').replace(/g$/, 'gu').replace(/z$/, 'c');
}

function preterite(root: Root): Record<Person, string> {
  const { pretérito: own } = root.model;
  if (typeof own === 'string') return strongPreterite(own);
  const { stem, conjugation, change } = root;
  const endings = preteriteEndings[endingsAfter(root)];
  const forms = join(stem, endings);
  if (conjugation === 'ar') return { ...forms, '1sg': `${beforeE(stem)}é`, ...own };
  const weak = conjugation === 'ir' ? weakenedStem(stem, change) : stem;
  const third = (ending: string): string => weak + afterPalatal(weak, ending);
  return { ...forms, '3sg': third(endings[2]), '3pl': third(endings[5]), ...own };
}

function endingsAfter({ infinitive, stem, conjugation }: Root): keyof typeof preteriteEndings {
  if (conjugation === 'ar') return 'ar';
  if (insertsY(infinitive)) return 'afterU';
  return /[aeo]$/.test(stem) ? 'afterVowel' : 'other';
}

/** After ñ and ll the i is not heard and not written. */
function afterPalatal(stem: string, ending: string): string {
  return /(?:ñ|ll)$/.test(stem) ? ending.replace(/^i/, '') : ending;
}

function strongPreterite(stem: string): Record<Person, string> {
  const forms = join(stem, preteriteEndings.strong);
  if (stem.endsWith('j')) return { ...forms, '3pl': `${stem}eron` };
  return /[hf]ic$/.test(stem) ? { ...forms, '3sg': stem.replace(/c$/, 'zo') } : forms;
}

function gerund({ infinitive, stem, conjugation, change }: Root): string {
  if (conjugation === 'ar') return `${stem}ando`;
  if (insertsY(infinitive) || /[aeo]$/.test(stem)) return `${stem}yendo`;
  const weak = conjugation === 'ir' ? weakenedStem(stem, change) : stem;
  return weak + afterPalatal(weak, 'iendo');
}

function participle({ infinitive, stem, conjugation }: Root): string {
  for (const [ending, form] of participles) {
    if (infinitive.endsWith(ending)) return infinitive.slice(0, -ending.length) + form;
  }
  if (conjugation === 'ar') return `${stem}ado`;
  return stem + (/[aeo]$/.test(stem) ? 'ído' : 'ido');
}

/** The imperative for `nosotros`, which is a subjunctive. */
function letUs({ infinitive, stem, conjugation, change, model }: Root, yo: string): string {
  if (conjugation === 'ar') return `${beforeE(stem)}emos`;
  if (model.yo !== undefined || insertsY(infinitive)) return `${yo.slice(0, -1)}amos`;
  const weak = conjugation === 'ir' ? weakenedStem(stem, change) : stem;
  return `${beforeDark(weak, infinitive)}amos`;
}

function withPrefix({ prefix, of, tú }: { prefix: string; of: string; tú?: string }): SpanishForms {
  const { gerundio, participio, imperativo, ...tenses } = conjugateSpanish(of);
  const prefixed = (forms: Partial<Record<Person, string>>): Record<Person, string> =>
    Object.fromEntries(Object.entries(forms).map(([person, form]) => [person, prefix + form])) as Record<
      Person,
      string
    >;
  return {
    presente: prefixed(tenses.presente),
    pretérito: prefixed(tenses.pretérito),
    imperfecto: prefixed(tenses.imperfecto),
    futuro: prefixed(tenses.futuro),
    condicional: prefixed(tenses.condicional),
    imperativo: { ...prefixed(imperativo), ...(tú !== undefined && { '2sg': tú }) },
    gerundio: prefix + gerundio,
    participio: prefix + participio,
  };
}

function join(stem: string, endings: Endings): Record<Person, string> {
  return byPerson((_, at) => stem + endings[at]);
}

function byPerson(form: (person: Person, at: number) => string): Record<Person, string> {
  return Object.fromEntries(persons.map((person, at) => [person, form(person, at)])) as Record<Person, string>;
}

/** What becomes of a stem's last vowel under stress. */
type StemChange = 'ie' | 'ue' | 'i' | 'ú' | 'í';

const stemChanges: ReadonlyMap<string, StemChange> = new Map(
  (Object.entries(data.stemChanges) as [StemChange, string[]][]).flatMap(([change, lines]) =>
    lines
      .join(' ')
      .split(' ')
      .map((infinitive) => [infinitive, change] as const),
  ),
);

/** How a verb changes its stem under stress, if it does. */
function stemChangeOf(infinitive: string): StemChange | undefined {
  return stemChanges.get(infinitive);
}

const stressed: Readonly<Record<StemChange, readonly [vowel: RegExp, becomes: string]>> = {
  ie: [/[ei](?=[^aeiouáéíóú]*$)/, 'ie'],
  ue: [/[ou](?=[^aeiouáéíóú]*$)/, 'ue'],
  i: [/e(?=[^aeiouáéíóú]*u?$)/, 'i'],
  ú: [/u(?=[^aeiouáéíóú]*$)/, 'ú'],
  í: [/i(?=[^aeiouáéíóú]*$)/, 'í'],
};

/** The stem as it is under stress. */
function stressedStem(stem: string, change: StemChange | undefined): string {
  if (change === undefined) return stem;
  const [vowel, becomes] = stressed[change];
  // After g the u of `ue` is heard only with its two dots.
  return stem.replace(/gonz$/, 'güenz').replace(vowel, becomes);
}

/** The stem of verbs in -ir where no stress is on it, but a diphthong or `a` follows: `sint` of `sintió`. */
function weakenedStem(stem: string, change: StemChange | undefined): string {
  if (change === 'ie' || change === 'i') return stem.replace(/e(?=[^aeiouáéíóú]*u?$)/, 'i');
  if (change === 'ue') return stem.replace(/o(?=[^aeiouáéíóú]*$)/, 'u');
  return stem;
}
