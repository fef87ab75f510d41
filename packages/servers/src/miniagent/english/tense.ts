/** The persons, by number: `3sg` is he, she or it. */
export const persons = ['1sg', '2sg', '3sg', '1pl', '2pl', '3pl'] as const;

export type Person = (typeof persons)[number];

/** The one of a verb's own forms that a tense is built on; the two simple tenses change with the person. */
export type Part = 'base' | 'present' | 'past' | 'participle' | 'gerund';

/** How a tense is built for one person: what stands before the verb's own form. */
export interface Frame {
  readonly before: string;
  readonly part: Part;
}

type ByPerson = Readonly<Record<Person, string>>;

const have: ByPerson = { '1sg': 'have', '2sg': 'have', '3sg': 'has', '1pl': 'have', '2pl': 'have', '3pl': 'have' };

/** What `be` is in the two simple tenses. */
export const formsOfBe: Readonly<Record<'present' | 'past', ByPerson>> = {
  present: { '1sg': 'am', '2sg': 'are', '3sg': 'is', '1pl': 'are', '2pl': 'are', '3pl': 'are' },
  past: { '1sg': 'was', '2sg': 'were', '3sg': 'was', '1pl': 'were', '2pl': 'were', '3pl': 'were' },
};

function after(before: string | ByPerson, part: Part, rest = ''): (person: Person) => Frame {
  return (person) => ({ before: (typeof before === 'string' ? before : before[person]) + rest, part });
}

const imperatives: Readonly<Partial<Record<Person, string>>> = { '2sg': '', '1pl': "let's", '2pl': '' };

function imperative(person: Person): Frame | undefined {
  const before = imperatives[person];
  return before === undefined ? undefined : { before, part: 'base' };
}

const frames = {
  present_simple: after('', 'present'),
  present_continuous: after(formsOfBe.present, 'gerund'),
  present_perfect: after(have, 'participle'),
  present_perfect_continuous: after(have, 'gerund', ' been'),
  past_simple: after('', 'past'),
  past_continuous: after(formsOfBe.past, 'gerund'),
  past_perfect: after('had', 'participle'),
  past_perfect_continuous: after('had been', 'gerund'),
  past_habitual: after('used to', 'base'),
  future_simple: after('will', 'base'),
  future_continuous: after('will be', 'gerund'),
  future_perfect: after('will have', 'participle'),
  future_perfect_continuous: after('will have been', 'gerund'),
  future_going_to: after(formsOfBe.present, 'base', ' going to'),
  conditional_simple: after('would', 'base'),
  conditional_continuous: after('would be', 'gerund'),
  conditional_perfect: after('would have', 'participle'),
  conditional_perfect_continuous: after('would have been', 'gerund'),
  imperative,
} satisfies Record<string, (person: Person) => Frame | undefined>;

export type Tense = keyof typeof frames;

/** The tenses that verbs can be put in. */
export const tenses = Object.keys(frames) as Tense[];

/** How a tense is built for a person; undefined where it has no such person. */
export function frameOf(tense: Tense, person: Person): Frame | undefined {
  return frames[tense](person);
}
