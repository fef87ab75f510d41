/** The persons, by number: `3sg` is he, she or it. */
export const persons = ['1sg', '2sg', '3sg', '1pl', '2pl', '3pl'] as const;

export type Person = (typeof persons)[number];

/** The form of a verb that a tense is built on. */
export type Part = 'base' | 'present' | 'past' | 'participle' | 'gerund';

/** How a tense is built for one person. */
export interface Frame {
  /** The auxiliary verbs. */
  readonly before: string;
  readonly part: Part;
}

type ByPerson = Readonly<Record<Person, string>>;

const have: ByPerson = { '1sg': 'have', '2sg': 'have', '3sg': 'has', '1pl': 'have', '2pl': 'have', '3pl': 'have' };

/** The simple tenses of `be`. */
export const formsOfBe: Readonly<Record<'present' | 'past', ByPerson>> = {
  present: { '1sg': 'am', '2sg': 'are', '3sg': 'is', '1pl': 'are', '2pl': 'are', '3pl': 'are' },
  past: { '1sg': 'was', '2sg': 'were', '3sg': 'was', '1pl': 'were', '2pl': 'were', '3pl': 'were' },
};

/** Auxiliary verbs that change with the person, by their first person. */
const auxiliaries: ReadonlyMap<string, ByPerson> = new Map([
  ['have', have],
  ['am', formsOfBe.present],
  ['was', formsOfBe.past],
]);

/** The auxiliary verbs of each tense in the first person, and the form that follows. */
const frames = {
  present_simple: ['', 'present'],
  present_continuous: ['am', 'gerund'],
  present_perfect: ['have', 'participle'],
  present_perfect_continuous: ['have been', 'gerund'],
  past_simple: ['', 'past'],
  past_continuous: ['was', 'gerund'],
  past_perfect: ['had', 'participle'],
  past_perfect_continuous: ['had been', 'gerund'],
  past_habitual: ['used to', 'base'],
  future_simple: ['will', 'base'],
  future_continuous: ['will be', 'gerund'],
  future_perfect: ['will have', 'participle'],
  future_perfect_continuous: ['will have been', 'gerund'],
  future_going_to: ['am going to', 'base'],
  conditional_simple: ['would', 'base'],
  conditional_continuous: ['would be', 'gerund'],
  conditional_perfect: ['would have', 'participle'],
  conditional_perfect_continuous: ['would have been', 'gerund'],
  imperative: ['', 'base'],
} satisfies Record<string, [before: string, part: Part]>;

export type Tense = keyof typeof frames;

/** The tenses that verbs can be conjugated in. */
export const tenses = Object.keys(frames) as Tense[];

const imperatives: Readonly<Partial<Record<Person, string>>> = { '2sg': '', '1pl': "let's", '2pl': '' };

/** How a tense is built for a person; undefined if the tense has no such person. */
export function frameOf(tense: Tense, person: Person): Frame | undefined {
  const [auxiliary, part] = frames[tense];
  if (tense === 'imperative') {
    const before = imperatives[person];
    return before === undefined ? undefined : { before, part };
  }
  const [first = '', ...rest] = auxiliary.split(' ');
  return { before: [auxiliaries.get(first)?.[person] ?? first, ...rest].join(' '), part };
}
