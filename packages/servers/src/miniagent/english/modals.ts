import type { Tense } from './tense.ts';

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
