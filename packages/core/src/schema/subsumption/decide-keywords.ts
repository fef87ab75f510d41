import { type Conjunction, madeFor, negationOf } from './conjunction.ts';
import { decideArray, decideObject } from './decide-parts.ts';
import { openPatterns } from './literal.ts';
import { all, any, type Prover, type Situation, type Verdict } from './prover.ts';
import { createNode, type Node, type SchemaNode } from './schema-node.ts';
import { numbers, types } from './type-set.ts';

/** Whether the values of a situation are valid for each keyword of a goal. */
export function decideKeywords(prover: Prover, situation: Situation, goal: SchemaNode): Verdict {
  const { premises, all: own, level, isClosed } = situation;
  const options = { isClosed, level };
  const implies = (node: Node): Verdict => prover.implies(premises, node, options);
  return all([
    () => decidePlain(own, goal),
    () => decideOpaque(own, goal),
    // The values of the premises are not listed, or they were decided one by one.
    () => ((goal.const ?? goal.enum) === undefined ? 'yes' : 'no'),
    () => (own.types & types.object ? decideObject(prover, situation, goal) : 'yes'),
    () => (own.types & types.array ? decideArray(prover, situation, goal) : 'yes'),
    ...(goal.allOf ?? []).map((part) => () => implies(part)),
    () => (goal.ref === undefined ? 'yes' : implies(goal.ref)),
    () => (goal.anyOf === undefined ? 'yes' : any(goal.anyOf.map((part) => () => implies(part)))),
    () => (goal.oneOf === undefined ? 'yes' : decideOneOf(prover, situation, goal.oneOf)),
    () => (goal.not === undefined ? 'yes' : decideNot(prover, situation, goal.not)),
    () => decideCondition(prover, situation, goal),
    ...[...(goal.dependentSchemas ?? [])].map(
      ([name, part]) =>
        () =>
          prover.implies([...premises, present(goal, name)], part, options),
    ),
  ]);
}

function decideOneOf(prover: Prover, situation: Situation, parts: readonly Node[]): Verdict {
  const { premises, all: own, level, isClosed } = situation;
  const negated = new Set(own.negated.map((node) => prover.keys.of(node)));
  const possible = parts.filter((part) => !negated.has(prover.keys.of(part)));
  return any(
    possible.map((part) => () => {
      const first = prover.implies(premises, part, { isClosed, level });
      if (first !== 'yes') return first;
      const others = possible.filter((other) => other !== part);
      return all(others.map((other) => () => excludes(prover, premises, other, level)));
    }),
  );
}

function decideNot(prover: Prover, { premises, all: own, level }: Situation, negated: Node): Verdict {
  const key = prover.keys.of(negated);
  if (own.negated.some((node) => prover.keys.of(node) === key)) return 'yes';
  for (const node of own.negated)
    if (prover.implies([negated], node, { isClosed: false, level }) === 'yes') return 'yes';
  return excludes(prover, premises, negated, level);
}

/** Whether no value is valid for the premises and the other schema. */
function excludes(prover: Prover, premises: readonly Node[], other: Node, level: number): Verdict {
  const verdict = prover.implies([...premises, other], false, { isClosed: false, level });
  if (verdict === 'yes') return 'yes';
  return prover.implies(premises, other, { isClosed: false, level }) === 'yes' ? 'no' : 'unknown';
}

function decideCondition(prover: Prover, { premises, level, isClosed }: Situation, goal: SchemaNode): Verdict {
  if (goal.if === undefined || (goal.then ?? goal.else) === undefined) return 'yes';
  const options = { isClosed, level };
  const condition = goal.if;
  return all([
    () => prover.implies([...premises, condition], goal.then ?? true, options),
    () => prover.implies([...premises, negationOf(condition)], goal.else ?? true, options),
  ]);
}

function decidePlain(own: Conjunction, goal: SchemaNode): Verdict {
  if (goal.types !== undefined && (own.types & ~goal.types) !== 0) return 'no';
  if (own.types & numbers) {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = goal;
    if (minimum !== undefined && own.low < minimum) return 'no';
    if (maximum !== undefined && own.high > maximum) return 'no';
    if (
      exclusiveMinimum !== undefined &&
      (own.low < exclusiveMinimum || (own.low === exclusiveMinimum && !own.lowOpen))
    )
      return 'no';
    if (
      exclusiveMaximum !== undefined &&
      (own.high > exclusiveMaximum || (own.high === exclusiveMaximum && !own.highOpen))
    )
      return 'no';
    const multiple = multipleOf === undefined ? 'yes' : decideMultiple(own, multipleOf);
    if (multiple !== 'yes') return multiple;
  }
  if (own.types & types.string) {
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = goal;
    if (own.minLength < minLength || own.maxLength > maxLength) return 'no';
    if (pattern !== undefined && !openPatterns.has(pattern) && !own.patterns.has(pattern))
      return own.patterns.size > 0 || own.nodes.some(({ opaque }) => opaque?.has('format')) ? 'unknown' : 'no';
  }
  return 'yes';
}

function decideOpaque(own: Conjunction, goal: SchemaNode): Verdict {
  for (const [keyword, text] of goal.opaque ?? []) {
    if (keyword === 'format' && (own.types & types.string) === 0) continue;
    if (own.nodes.some(({ opaque }) => opaque?.get(keyword) === text)) continue;
    return keyword === 'format' && !own.nodes.some(({ pattern }) => pattern !== undefined) ? 'no' : 'unknown';
  }
  return 'yes';
}

function present(goal: SchemaNode, name: string): SchemaNode {
  return madeFor(goal, `present ${name}`, () => createNode({ required: [name], types: types.object }));
}

function decideMultiple(own: Conjunction, goal: number): Verdict {
  if (own.multiples.has(goal)) return 'yes';
  const isWhole = (own.types & numbers) === types.integer;
  if (Number.isInteger(goal)) {
    if (goal === 1) return isWhole ? 'yes' : 'no';
    if ([...own.multiples].some((own) => Number.isSafeInteger(own) && own % goal === 0)) return 'yes';
    return 'no';
  }
  return own.multiples.size > 0 || isWhole ? 'unknown' : 'no';
}
