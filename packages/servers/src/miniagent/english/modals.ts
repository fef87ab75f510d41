import type { Tense } from './tense.ts';

/** A verb that is the same in all persons and exists in a few tenses only. */
export interface Modal {
  readonly base: string;
  readonly tenses: Readonly<Partial<Record<Tense, string>>>;
  /** What is said in the tenses it doesn't have. */
  readonly instead?: string;
}

const table: readonly Modal[] = [
  {
    base: 'can',
    tenses: { present_simple: 'can', past_simple: 'could', conditional_simple: 'could' },
    instead: 'be able to',
  },
  {
    base: 'may',
    tenses: { present_simple: 'may', past_simple: 'might', conditional_simple: 'might' },
    instead: 'be allowed to',
  },
  { base: 'must', tenses: { present_simple: 'must' }, instead: 'have to' },
  { base: 'shall', tenses: { present_simple: 'shall' } },
  { base: 'should', tenses: { conditional_simple: 'should' }, instead: 'have to' },
  { base: 'ought to', tenses: { conditional_simple: 'ought to' }, instead: 'have to' },
  { base: 'will', tenses: { present_simple: 'will', past_simple: 'would' } },
];

/** The modal verbs, by their base form. */
export const modals: ReadonlyMap<string, Modal> = new Map(table.map((modal) => [modal.base, modal]));
