import { type Tense, tenses } from './tense.ts';

/** A verb that is the same in all persons and exists in a few tenses only. */
export interface Modal {
  readonly base: string;
  readonly tenses: Readonly<Partial<Record<Tense, string>>>;
  /** What is said in the tenses it doesn't have. */
  readonly instead?: string;
  /** What it means, where a verb that is no modal one has the same base form, and what that means. */
  readonly senses?: { readonly modal: string; readonly other: string };
}

const table: readonly Modal[] = [
  {
    base: 'can',
    tenses: { present_simple: 'can', past_simple: 'could', conditional_simple: 'could' },
    instead: 'be able to',
    senses: { modal: 'be able', other: 'put into cans' },
  },
  {
    base: 'may',
    tenses: { present_simple: 'may', past_simple: 'might', conditional_simple: 'might' },
    instead: 'be allowed to',
  },
  { base: 'must', tenses: { present_simple: 'must' }, instead: 'have to' },
  { base: 'shall', tenses: { present_simple: 'shall' } },
  { base: 'should', tenses: { conditional_simple: 'should', present_simple: 'should' }, instead: 'have to' },
  { base: 'ought', tenses: { conditional_simple: 'ought', present_simple: 'ought' }, instead: 'have to' },
  { base: 'ought to', tenses: { conditional_simple: 'ought to', present_simple: 'ought to' }, instead: 'have to' },
  {
    base: 'will',
    tenses: { present_simple: 'will', past_simple: 'would' },
    senses: { modal: 'be going to', other: 'want by force of will, or leave in a will' },
  },
];

/** The modal verbs, by their base form. */
export const modals: ReadonlyMap<string, Modal> = new Map(table.map((modal) => [modal.base, modal]));

/** Auxiliary verbs that begin with a modal verb, as if they began with `will`. */
export interface ModalPhrase {
  /** The modal verb by its base form. */
  readonly modal: string;
  readonly before: string;
  /** The tenses that a tense with `will` is with this modal verb. */
  readonly timesOf: (future: Tense) => Tense[];
}

const never = new Set(['will', 'would']);

/** The modal verbs that auxiliary verbs can begin with; `will` and `would` make tenses of their own. */
export function modalPhrases(before: string): ModalPhrase[] {
  return [...modals.values()].flatMap(({ base, tenses: has }) => {
    const forms = new Set(Object.values(has));
    const form = [...forms].find((each) => before === each || before.startsWith(`${each} `));
    if (form === undefined || never.has(form)) return [];
    const times = (Object.entries(has) as [Tense, string][])
      .filter(([, text]) => text === form)
      .map(([tense]) => tense);
    return [
      {
        modal: base,
        before: `will${before.slice(form.length)}`,
        timesOf: (future: Tense) => (base === 'shall' ? [future] : timesWith(times, future)),
      },
    ];
  });
}

/** `could eat` was possible or would be, `could have eaten` only would have been. */
function timesWith(times: readonly Tense[], future: Tense): Tense[] {
  const isPerfect = future.startsWith('future_perfect');
  const meant = isPerfect && times.includes('conditional_simple') ? ['conditional_simple'] : times;
  const named = meant.map((time) => time.replace('simple', future.slice('future_'.length)));
  return tenses.filter((tense) => named.includes(tense));
}
