import { type Conjunction, groupOf, isPlainList, itemSchemas, ofType, otherMembers } from './conjunction.ts';
import { accepts, every, memberSchemas } from './literal.ts';
import { all, type Position, type Prover, type Situation, type Verdict } from './prover.ts';
import type { Node, SchemaNode } from './schema-node.ts';
import { types } from './type-set.ts';

/** The maximum items of an array to look at one by one. */
export const maxItems = 64;

/** Whether arrays of a situation are valid for a goal. */
export function decideArray(prover: Prover, { all: own, level, isClosed }: Situation, goal: SchemaNode): Verdict {
  // Some validators apply it to arrays, too.
  if ((goal.unevaluatedProperties ?? true) !== true) return 'unknown';
  const { minItems = 0, maxItems: most = Number.POSITIVE_INFINITY, uniqueItems, contains } = goal;
  if (own.minItems < minItems || own.maxItems > most) return 'no';
  if (uniqueItems === true && !own.unique && own.maxItems > 1) return 'no';
  const inside = { isClosed, level: level + 1 };
  const { prefixItems = [] } = goal;
  const isPlain = goal.unevaluatedItems === undefined || isPlainList(goal);
  const rest = goal.items ?? (isPlain ? goal.unevaluatedItems : undefined) ?? true;
  const ownCount = Math.max(0, ...own.lists.map((list) => list.prefixItems?.length ?? 0));
  const count = Math.max(prefixItems.length, ownCount);
  if (count > maxItems * 4) return 'unknown';
  const questions: (() => Verdict)[] = [];
  for (let index = 0; index < Math.min(count, own.maxItems); index += 1)
    questions.push(() => prover.implies(itemSchemas(own, index), prefixItems[index] ?? rest, inside));
  if (own.maxItems > count) questions.push(() => prover.implies(itemSchemas(own, count), rest, inside));
  if (!isPlain && goal.items === undefined && goal.unevaluatedItems !== true) questions.push(() => 'unknown');
  if (contains !== undefined) questions.push(() => decideContains(prover, own, goal, contains, level));
  return all(questions);
}

function decideContains(prover: Prover, own: Conjunction, goal: SchemaNode, contains: Node, level: number): Verdict {
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = goal;
  const inside = { isClosed: false, level: level + 1 };
  const others = own.nodes.filter((node) => node.contains !== undefined);
  const isEnough =
    minContains === 0 ||
    others.some(
      (node) =>
        (node.minContains ?? 1) >= minContains && prover.implies([node.contains ?? true], contains, inside) === 'yes',
    ) ||
    (own.minItems >= minContains && own.minItems <= maxItems && allItems(prover, own, contains, inside));
  const isFew =
    own.maxItems <= maxContains ||
    others.some(
      (node) =>
        (node.maxContains ?? Number.POSITIVE_INFINITY) <= maxContains &&
        prover.implies([contains], node.contains ?? true, inside) === 'yes',
    );
  return isEnough && isFew ? 'yes' : others.length === 0 ? 'no' : 'unknown';
}

function allItems(prover: Prover, own: Conjunction, goal: Node, inside: Position): boolean {
  for (let index = 0; index < own.minItems; index += 1)
    if (prover.implies(itemSchemas(own, index), goal, inside) !== 'yes') return false;
  return true;
}

/** Whether objects of a situation are valid for a goal. */
export function decideObject(prover: Prover, situation: Situation, goal: SchemaNode): Verdict {
  const { all: own } = situation;
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY, required = [], dependentRequired } = goal;
  if (!required.every((name) => own.required.has(name))) return 'no';
  if (own.minProperties < minProperties) return 'no';
  const names = closedNames(own);
  if (Math.min(own.maxProperties, names?.length ?? Number.POSITIVE_INFINITY) > maxProperties) return 'no';
  for (const [name, others] of dependentRequired ?? []) {
    const needed = closure(own, name);
    if (!others.every((other) => needed.has(other)) && !prover.member(own, name).includes(false)) return 'no';
  }
  return all([() => decideNames(prover, situation, goal, names), () => decideMembers(prover, situation, goal)]);
}

/** The only names that members can have; undefined if there may be others. */
function closedNames({ objects }: Conjunction): string[] | undefined {
  const closed = objects.find(
    (group) => group.additionalProperties === false && (group.patternProperties?.size ?? 0) === 0,
  );
  return closed === undefined ? undefined : [...(closed.properties?.keys() ?? [])];
}

function decideNames(
  prover: Prover,
  { all: own, level }: Situation,
  goal: SchemaNode,
  closed: readonly string[] | undefined,
): Verdict {
  const { propertyNames } = goal;
  if (propertyNames === undefined) return 'yes';
  const ownNames = own.nodes.flatMap((node) => node.propertyNames ?? []);
  if (ownNames.length > 0) {
    const verdict = prover.implies([...ownNames, ofType(types.string)], propertyNames, {
      isClosed: false,
      level: level + 1,
    });
    if (verdict === 'yes' || closed === undefined) return verdict;
  }
  if (closed === undefined) return 'no';
  const possible = closed.filter((name) => !prover.member(own, name).includes(false));
  const accepted = every(possible.map((name) => accepts(propertyNames, name, prover.patterns)));
  return accepted === undefined ? 'unknown' : accepted ? 'yes' : 'no';
}

function decideMembers(prover: Prover, situation: Situation, goal: SchemaNode): Verdict {
  const { all: own, level, isClosed } = situation;
  const group = goalGroup(goal);
  if (group === undefined) return 'yes';
  if (group === 'dynamic') return 'unknown';
  const inside = { isClosed, level: level + 1 };
  const named = new Set(own.objects.flatMap((each) => [...(each.properties?.keys() ?? [])]));
  const { properties, patternProperties, additionalProperties = true } = group;
  const questions: (() => Verdict)[] = [];
  const isOpenSilently = isClosed && isSilent(prover, situation);
  const mentions = isOpenSilently ? prover.mentions(own) : named;
  for (const name of new Set([...named, ...(properties?.keys() ?? [])])) {
    if (isOpenSilently && !mentions.has(name) && prover.member(own, name).length === 0) continue;
    questions.push(() => decideMember(prover, situation, group, name));
  }
  for (const [pattern, schema] of patternProperties ?? [])
    if (schema !== true) questions.push(() => decidePattern(prover, own, { pattern, schema }, inside));
  if (additionalProperties !== true) {
    for (const each of own.objects) {
      for (const [pattern, schema] of each.patternProperties ?? []) {
        if (schema === false || patternProperties?.has(pattern) === true) continue;
        questions.push(() => weaken(prover.implies([schema], additionalProperties, inside)));
      }
    }
    questions.push(() => prover.implies(otherMembers(own), additionalProperties, inside));
  }
  return all(questions);
}

function decideMember(
  prover: Prover,
  { all: own, level, isClosed }: Situation,
  group: SchemaNode,
  name: string,
): Verdict {
  const premises = prover.member(own, name);
  if (premises.includes(false)) return 'yes';
  const goals = memberSchemas(group, name, prover.patterns);
  if (goals === undefined) return 'unknown';
  return prover.impliesAll(premises, goals, { isClosed, level: level + 1 });
}

/** Whether all members that match a pattern are valid. Those that are named are decided by name. */
function decidePattern(
  prover: Prover,
  own: Conjunction,
  goal: { pattern: string; schema: Node },
  inside: Position,
): Verdict {
  const { pattern, schema } = goal;
  const certain = own.objects.flatMap((group) => group.patternProperties?.get(pattern) ?? []);
  if (certain.length > 0 && prover.implies(certain, schema, inside) === 'yes') return 'yes';
  // Any other member may match it: one of another pattern, or one that is not mentioned.
  const others = own.objects.flatMap((group) => [...(group.patternProperties?.values() ?? [])]);
  const kinds = [...others.map((other) => [other]), otherMembers(own)];
  return weaken(all(kinds.map((premises) => () => prover.implies(premises, schema, inside))));
}

/** True for an object that names members, and does not say what others are: its callers use those that it names. */
function isSilent(prover: Prover, { all: own, level }: Situation): boolean {
  if (own.types !== types.object) return false;
  const isSaid = own.nodes.some(
    (node) =>
      (node.additionalProperties ?? node.unevaluatedProperties ?? node.patternProperties ?? node.propertyNames) !==
      undefined,
  );
  return !isSaid && (level === 0 || prover.mentions(own).size > 0);
}

/** `no` only if it is certain. */
function weaken(verdict: Verdict): Verdict {
  return verdict === 'no' ? 'unknown' : verdict;
}

/** The names of members that an object with this member has. */
function closure(own: Conjunction, name: string): Set<string> {
  const needed = new Set([...own.required, name]);
  for (const each of needed)
    for (const { dependentRequired } of own.nodes)
      for (const other of dependentRequired?.get(each) ?? []) needed.add(other);
  return needed;
}

/** What a goal says about members; 'dynamic' if alternatives decide it. */
function goalGroup(goal: SchemaNode): SchemaNode | 'dynamic' | undefined {
  const group = groupOf(goal);
  const { unevaluatedProperties } = goal;
  if ((unevaluatedProperties ?? true) === true || goal.additionalProperties !== undefined) return group;
  return group === undefined || group === goal ? 'dynamic' : group;
}
