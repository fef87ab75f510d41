import data from '../data/spanish-models.json' with { type: 'json' };
import { type Person, persons } from '../english/tense.ts';

type ByPerson = Readonly<Record<Person, string>>;

/** A Spanish verb's simple forms, by tense and person; variants are separated by a slash. */
export interface SpanishForms {
  readonly presente: ByPerson;
  readonly pretérito: ByPerson;
  readonly imperfecto: ByPerson;
  readonly futuro: ByPerson;
  readonly condicional: ByPerson;
  readonly imperativo: Readonly<Partial<Record<Person, string>>>;
  readonly gerundio: string;
  readonly participio: string;
}

const imperfectAr = ['aba', 'abas', 'aba', 'ábamos', 'abais', 'aban'];
const imperfectErIr = ['ía', 'ías', 'ía', 'íamos', 'íais', 'ían'];
const futureEndings = ['é', 'ás', 'á', 'emos', 'éis', 'án'];
const conditionalEndings = imperfectErIr;

/** A verb whose forms are listed; other verbs are conjugated like it. */
interface Model {
  readonly infinitive: string;
  readonly forms: string;
  /** How many letters all its forms share. */
  readonly stemLength: number;
}

/**
 * The model verbs, by each infinitive that is conjugated like them, and by endings such as `-car` for all other verbs.
 * The groups of forms: present; preterite; imperative for tú and nosotros; gerund and participle; stem of the future, if it
 * is not the infinitive; imperfect, if it is irregular.
 */
const models: ReadonlyMap<string, Model> = new Map(
  Object.entries(data).flatMap(([names, forms]) => {
    const [infinitive = '', ...others] = names.split(' ');
    const model = { infinitive, forms, stemLength: sharedLength([infinitive, ...forms.split(/[ ,/]+/)]) };
    return [infinitive, ...others].map((name): [string, Model] => [name, model]);
  }),
);

function sharedLength([first = '', ...others]: readonly string[]): number {
  let length = 0;
  while (length < first.length && others.every((other) => other[length] === first[length])) length += 1;
  return length;
}

/** Conjugates a Spanish verb that is not reflexive. */
export function conjugateSpanish(infinitive: string): SpanishForms {
  const model = modelOf(infinitive);
  const stem = infinitive.slice(0, infinitive.length - model.infinitive.length + model.stemLength);
  const groups = model.forms
    .split(', ')
    .map((group) => group.replaceAll(/[^ /]+/g, (form) => stem + form.slice(model.stemLength)).split(' '));
  const [presente = [], pretérito = [], [tú = '', nosotros = ''] = [], [gerundio = '', participio = ''] = []] = groups;
  const [future = infinitive.replace('í', 'i')] = groups[4] ?? [];
  const imperfect = infinitive.endsWith('ar') ? imperfectAr : imperfectErIr;
  return {
    presente: toPersons(presente),
    pretérito: toPersons(pretérito),
    imperfecto: toPersons(groups[5] ?? imperfect.map((ending) => infinitive.slice(0, -2) + ending)),
    futuro: toPersons(futureEndings.map((ending) => future + ending)),
    condicional: toPersons(conditionalEndings.map((ending) => future + ending)),
    imperativo: { '2sg': tú, '1pl': nosotros, '2pl': infinitive.replace(/r$/, 'd') },
    gerundio,
    participio,
  };
}

/** The model of a verb: its own, or that of its longest ending. */
function modelOf(infinitive: string): Model {
  let model = models.get(infinitive);
  for (let at = 0; model === undefined; at += 1) {
    if (at === infinitive.length) throw new RangeError(`Not a Spanish infinitive: ${infinitive}`);
    model = models.get(`-${infinitive.slice(at)}`);
  }
  return model;
}

function toPersons(forms: readonly string[]): ByPerson {
  return Object.fromEntries(persons.map((person, at) => [person, forms[at] ?? ''])) as Record<Person, string>;
}
