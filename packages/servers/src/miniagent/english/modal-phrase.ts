import { modals } from './modals.ts';
import { type Tense, tenses } from './tense.ts';

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
