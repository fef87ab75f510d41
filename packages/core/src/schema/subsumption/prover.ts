import type { Conjunction } from './conjunction.ts';
import type { Patterns } from './literal.ts';
import type { Node, SchemaKeys } from './schema-node.ts';

/** Whether all values of some schemas are valid for another one. */
export type Verdict = 'yes' | 'no' | 'unknown';

/** Where a question is. */
export interface Position {
  /** Members that the premises name nowhere, of objects that are not said to be open, do not occur. */
  readonly isClosed: boolean;
  /** How far into the value it is. */
  readonly level: number;
}

/** The schemas that a question is about, and where. */
export interface Situation extends Position {
  readonly premises: readonly Node[];
  readonly all: Conjunction;
}

/** Decides parts of a question. */
export interface Prover {
  readonly keys: SchemaKeys;
  readonly patterns: Patterns;
  /** Whether all values that are valid for the premises are valid for the goal. */
  implies(premises: readonly Node[], goal: Node, position: Position): Verdict;
  /** The same for several goals. */
  impliesAll(premises: readonly Node[], goals: readonly Node[], position: Position): Verdict;
  /** The schemas of a member. */
  member(all: Conjunction, name: string): Node[];
  /** The members that schemas name, for the value itself. */
  mentions(all: Conjunction): Set<string>;
}

/** Yes if all answers are yes. */
export function all(questions: readonly (() => Verdict)[]): Verdict {
  let verdict: Verdict = 'yes';
  for (const question of questions) {
    const next = question();
    if (next === 'no') return 'no';
    if (next === 'unknown') verdict = 'unknown';
  }
  return verdict;
}

/** Yes if one answer is yes. */
export function any(questions: readonly (() => Verdict)[]): Verdict {
  let verdict: Verdict = 'no';
  for (const question of questions) {
    const next = question();
    if (next === 'yes') return 'yes';
    if (next === 'unknown') verdict = 'unknown';
  }
  return verdict;
}
