import type { Person } from '../english/tense.ts';

/** What a Spanish verb does beside the rules. Everything that isn't given follows them. */
export interface Model {
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

function six(forms: string): Record<Person, string> {
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = forms.split(' ');
  return { '1sg': a, '2sg': b, '3sg': c, '1pl': d, '2pl': e, '3pl': f };
}

const fue = six('fui fuiste fue fuimos fuisteis fueron');

/** Verbs of their own kind. */
export const models: Readonly<Record<string, Model>> = {
  andar: { pretérito: 'anduv' },
  caber: { yo: 'quepo', pretérito: 'cup', futuro: 'cabr' },
  caer: { yo: 'caigo' },
  criar: { presente: { '2pl': 'criais/criáis' }, pretérito: { '1sg': 'crie/crié', '3sg': 'crio/crió' } },
  dar: {
    presente: six('doy das da damos dais dan'),
    pretérito: six('di diste dio dimos disteis dieron'),
    nosotros: 'demos',
  },
  decir: { yo: 'digo', pretérito: 'dij', futuro: 'dir', participio: 'dicho', tú: 'di' },
  estar: {
    presente: six('estoy estás está estamos estáis están'),
    pretérito: 'estuv',
    nosotros: 'estemos',
  },
  freír: {
    presente: six('frío fríes fríe freímos freís fríen'),
    pretérito: six('freí freíste frio/frió freímos freísteis frieron'),
    gerundio: 'friendo',
    participio: 'frito/freído',
    nosotros: 'friamos',
  },
  guiar: { presente: { '2pl': 'guiais/guiáis' }, pretérito: { '1sg': 'guie/guié', '3sg': 'guio/guió' } },
  haber: {
    presente: six('he has ha hemos habéis han'),
    pretérito: 'hub',
    futuro: 'habr',
    nosotros: 'hayamos',
  },
  hacer: { yo: 'hago', pretérito: 'hic', futuro: 'har', participio: 'hecho', tú: 'haz' },
  huir: { presente: { '2pl': 'huis/huís' }, pretérito: { '1sg': 'hui/huí' } },
  ir: {
    presente: six('voy vas va vamos vais van'),
    pretérito: fue,
    imperfecto: six('iba ibas iba íbamos ibais iban'),
    gerundio: 'yendo',
    tú: 've',
    nosotros: 'vamos',
  },
  oír: { yo: 'oigo', presente: { '2sg': 'oyes', '3sg': 'oye', '1pl': 'oímos', '3pl': 'oyen' } },
  oler: { presente: six('huelo hueles huele olemos oléis huelen') },
  poder: { pretérito: 'pud', futuro: 'podr', gerundio: 'pudiendo' },
  poner: { yo: 'pongo', pretérito: 'pus', futuro: 'pondr', participio: 'puesto', tú: 'pon' },
  predecir: { yo: 'predigo', pretérito: 'predij', participio: 'predicho' },
  querer: { pretérito: 'quis', futuro: 'querr' },
  reír: {
    presente: six('río ríes ríe reímos reís ríen'),
    pretérito: six('reí reíste rio/rió reímos reísteis rieron'),
    gerundio: 'riendo',
    nosotros: 'riamos',
  },
  saber: { yo: 'sé', pretérito: 'sup', futuro: 'sabr', nosotros: 'sepamos' },
  salir: { yo: 'salgo', futuro: 'saldr', tú: 'sal' },
  satisfacer: {
    yo: 'satisfago',
    pretérito: 'satisfic',
    futuro: 'satisfar',
    participio: 'satisfecho',
    tú: 'satisfaz/satisface',
  },
  ser: {
    presente: six('soy eres es somos sois son'),
    pretérito: fue,
    imperfecto: six('era eras era éramos erais eran'),
    tú: 'sé',
    nosotros: 'seamos',
  },
  sonreír: {
    presente: six('sonrío sonríes sonríe sonreímos sonreís sonríen'),
    pretérito: six('sonreí sonreíste sonrió sonreímos sonreísteis sonrieron'),
    gerundio: 'sonriendo',
    nosotros: 'sonriamos',
  },
  tener: { yo: 'tengo', pretérito: 'tuv', futuro: 'tendr', tú: 'ten' },
  traer: { yo: 'traigo', pretérito: 'traj' },
  valer: { yo: 'valgo', futuro: 'valdr' },
  venir: { yo: 'vengo', pretérito: 'vin', futuro: 'vendr', gerundio: 'viniendo', tú: 'ven' },
  ver: {
    presente: six('veo ves ve vemos veis ven'),
    pretérito: { '1sg': 'vi', '3sg': 'vio' },
    imperfecto: six('veía veías veía veíamos veíais veían'),
    participio: 'visto',
    nosotros: 'veamos',
  },
};

/** Verbs that are inflected like another after a prefix; the imperative for `tú` may need an accent then. */
export const compounds: ReadonlyMap<string, { prefix: string; of: string; tú?: string }> = new Map([
  ['atraer', { prefix: 'a', of: 'traer' }],
  ['componer', { prefix: 'com', of: 'poner', tú: 'compón' }],
  ['contener', { prefix: 'con', of: 'tener', tú: 'contén' }],
  ['detener', { prefix: 'de', of: 'tener', tú: 'detén' }],
  ['deshacer', { prefix: 'des', of: 'hacer' }],
  ['distraer', { prefix: 'dis', of: 'traer' }],
  ['disponer', { prefix: 'dis', of: 'poner', tú: 'dispón' }],
  ['exponer', { prefix: 'ex', of: 'poner', tú: 'expón' }],
  ['extraer', { prefix: 'ex', of: 'traer' }],
  ['imponer', { prefix: 'im', of: 'poner', tú: 'impón' }],
  ['intervenir', { prefix: 'inter', of: 'venir', tú: 'intervén' }],
  ['mantener', { prefix: 'man', of: 'tener', tú: 'mantén' }],
  ['obtener', { prefix: 'ob', of: 'tener', tú: 'obtén' }],
  ['oponer', { prefix: 'o', of: 'poner', tú: 'opón' }],
  ['posponer', { prefix: 'pos', of: 'poner', tú: 'pospón' }],
  ['prevenir', { prefix: 'pre', of: 'venir', tú: 'prevén' }],
  ['proponer', { prefix: 'pro', of: 'poner', tú: 'propón' }],
  ['retener', { prefix: 're', of: 'tener', tú: 'retén' }],
  ['sostener', { prefix: 'sos', of: 'tener', tú: 'sostén' }],
  ['suponer', { prefix: 'su', of: 'poner', tú: 'supón' }],
]);

/** Participles that aren't formed by rule, by the end of the infinitive. */
export const participles: ReadonlyMap<string, string> = new Map([
  ['abrir', 'abierto'],
  ['cubrir', 'cubierto'],
  ['escribir', 'escrito'],
  ['imprimir', 'impreso/imprimido'],
  ['morir', 'muerto'],
  ['resolver', 'resuelto'],
  ['romper', 'roto'],
  ['volver', 'vuelto'],
]);
