import { addMentions, type Conjunction, combine, groupOf, isPlainList, madeFor, negationOf } from './conjunction.ts';
import { accepts, type Decision, memberSchemas, openPatterns, Patterns } from './literal.ts';
import { createNode, type Node, SchemaKeys, type SchemaNode } from './schema-node.ts';
import { numbers, singleTypes, types } from './type-set.ts';

/** Whether all values of some schemas are valid for another one. */
export type Verdict = 'yes' | 'no' | 'unknown';

/** The maximum questions to decide before everything else is unknown. */
const maxQuestions = 20_000;
/** The maximum schemas to combine for them. */
const maxCombined = 2_000_000;
/** The maximum nesting of questions. */
const maxNesting = 250;
/** The maximum items of an array to look at one by one. */
const maxItems = 64;

interface Question {
  readonly index: number;
  /** How far into the value it is. */
  readonly level: number;
}

/** The schemas that a question is about, and where. */
interface Situation {
  readonly premises: readonly Node[];
  readonly all: Conjunction;
  readonly level: number;
  /** Members that the premises name nowhere, of objects that are not said to be open, do not occur. */
  readonly isClosed: boolean;
}

/**
 * Decides whether all values that are valid for some schemas are valid for another one. It is sound: "yes" is proven. "no" is
 * likely, "unknown" is the answer to everything that takes too long or needs knowledge of formats and patterns.
 */
export class Subsumption {
  readonly keys: SchemaKeys = new SchemaKeys();
  readonly patterns: Patterns = new Patterns();
  readonly #ids = new Map<SchemaNode, number>();
  readonly #known = new Map<string, Verdict>();
  readonly #open = new Map<string, Question>();
  readonly #combined = new Map<string, Conjunction>();
  #questions = 0;
  #combinedNodes = 0;
  /** The outermost open question whose answer was assumed. */
  #assumed = Number.POSITIVE_INFINITY;

  /** True once the answers are unknown because there were too many questions. */
  get isExhausted(): boolean {
    return this.#questions > maxQuestions || this.#combinedNodes > maxCombined;
  }

  /** The schemas as one. */
  combine(premises: readonly Node[]): Conjunction {
    const key = this.keyOf(premises);
    let all = this.#combined.get(key);
    if (all === undefined) {
      all = combine(premises);
      this.#combinedNodes += all.nodes.length + (all.values?.length ?? 0);
      this.#combined.set(key, all);
    }
    return all;
  }

  /** Like `implies`, for several schemas. */
  impliesAll(
    premises: readonly Node[],
    goals: readonly Node[],
    options: { isClosed: boolean; level: number },
  ): Verdict {
    return all(goals.map((goal) => () => this.implies(premises, goal, options)));
  }

  /** Whether all values that are valid for the premises are valid for the goal. */
  implies(premises: readonly Node[], goal: Node, options: { isClosed: boolean; level: number }): Verdict {
    if (goal === true || premises.includes(goal)) return 'yes';
    const { isClosed, level } = options;
    const key = `${this.keyOf(premises)}>${goal === false ? '!' : this.#idOf(goal)}${isClosed ? (level === 0 ? 'r' : 'c') : ''}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const open = this.#open.get(key);
    if (open !== undefined) {
      // By induction on the size of the value, if this one is a part of it.
      if (level <= open.level) return 'unknown';
      this.#assumed = Math.min(this.#assumed, open.index);
      return 'yes';
    }
    this.#questions += 1;
    if (this.isExhausted || this.#open.size > maxNesting) return 'unknown';
    const index = this.#open.size;
    this.#open.set(key, { index, level });
    const outer = this.#assumed;
    this.#assumed = Number.POSITIVE_INFINITY;
    const verdict = this.#decide({ premises, all: this.combine(premises), level, isClosed }, goal);
    this.#open.delete(key);
    const isSure = this.#assumed >= index;
    if (isSure || verdict !== 'yes') this.#known.set(key, verdict);
    this.#assumed = isSure ? outer : Math.min(outer, this.#assumed);
    return verdict;
  }

  #idOf(node: Node): string {
    if (typeof node === 'boolean') return String(node);
    let id = this.#ids.get(node);
    if (id === undefined) this.#ids.set(node, (id = this.#ids.size));
    return String(id);
  }

  /** The same text for the same schemas, in any order. */
  keyOf(premises: readonly Node[]): string {
    return [...new Set(premises.map((node) => this.#idOf(node)))].sort().join();
  }

  #decide(situation: Situation, goal: Node): Verdict {
    const { premises, all: own } = situation;
    if (own.isNever || this.#contradicts(own)) return 'yes';
    if (goal !== false) {
      const key = this.keys.of(goal);
      if (own.nodes.some((node) => this.keys.of(node) === key)) return 'yes';
    }
    if (own.values !== undefined) return this.#decideValues(own.values, premises, goal);
    const direct = typeof goal === 'boolean' ? 'no' : this.#decideKeywords(situation, goal);
    if (direct === 'yes') return 'yes';
    const split = this.#split(situation, goal);
    if (split === 'yes' || (goal !== false && split === undefined && this.#isEmpty(situation))) return 'yes';
    if (typeof goal === 'boolean') return this.#lacksParts(situation) ? 'yes' : 'no';
    return split === 'no' || (split === undefined && direct === 'no') ? 'no' : 'unknown';
  }

  #isEmpty({ premises, level }: Situation): boolean {
    return this.implies(premises, false, { isClosed: false, level }) === 'yes';
  }

  /** True if one of the schemas is the negation of another one. */
  #contradicts({ nodes, negated }: Conjunction): boolean {
    if (negated.length === 0) return false;
    const keys = new Set(negated.map((node) => this.keys.of(node)));
    return nodes.some((node) => keys.has(this.keys.of(node)));
  }

  #decideValues(values: readonly unknown[], premises: readonly Node[], goal: Node): Verdict {
    let isUnknown = false;
    for (const value of values) {
      this.#combinedNodes += 10;
      const accepted = accepts(goal, value, this.patterns);
      if (accepted === true) continue;
      const possible = every(premises.map((node) => accepts(node, value, this.patterns)));
      if (possible === false) continue;
      if (possible === true && accepted === false) return 'no';
      isUnknown = true;
    }
    return isUnknown ? 'unknown' : 'yes';
  }

  /** Decides case by case; undefined if there are no cases. */
  #split({ premises, all: own, level, isClosed }: Situation, goal: Node): Verdict | undefined {
    const [choice] = own.choices;
    if (choice !== undefined) {
      const others = own.nodes.filter((node) => node !== choice.owner).map(flat);
      return all(
        choice.alternatives.map(
          (alternative) => () => this.implies([...others, choice.rest, ...alternative], goal, { isClosed, level }),
        ),
      );
    }
    if (typeof goal === 'boolean' || !hasAlternatives(goal)) return undefined;
    const kinds = singleTypes(own.types);
    if (kinds.length < 2) return undefined;
    return all(kinds.map((kind) => () => this.implies([...premises, ofType(kind)], goal, { isClosed, level })));
  }

  /** True if a required part of the value can't be valid, for all types of it. */
  #lacksParts({ premises, all: own, level }: Situation): boolean {
    let left = own.types;
    const inside = { isClosed: false, level: level + 1 };
    if (left & types.object) {
      for (const name of own.required) {
        const schemas = this.member(own, name);
        if (schemas.length > 0 && this.implies(schemas, false, inside) === 'yes') left &= ~types.object;
      }
    }
    if (left & types.array) {
      for (let index = 0; index < Math.min(own.minItems, maxItems) && left & types.array; index += 1) {
        const schemas = itemSchemas(own, index);
        if (schemas.length > 0 && this.implies(schemas, false, inside) === 'yes') left &= ~types.array;
      }
    }
    if (left === 0) return true;
    return own.negated.some((negated) => {
      const others = premises.length > 0 ? own.nodes.filter((node) => node.not !== negated).map(flat) : [];
      return others.length < own.nodes.length && this.implies(others, negated, { isClosed: false, level }) === 'yes';
    });
  }

  /** The schemas of a member; those of patterns that can't be tested are left out. */
  member({ objects }: Conjunction, name: string): Node[] {
    return objects.flatMap((group) => memberSchemas(group, name, this.patterns) ?? group.properties?.get(name) ?? []);
  }

  #decideKeywords(situation: Situation, goal: SchemaNode): Verdict {
    const { premises, all: own, level, isClosed } = situation;
    const options = { isClosed, level };
    const implies = (node: Node): Verdict => this.implies(premises, node, options);
    return all([
      () => this.#decidePlain(own, goal),
      () => this.#decideOpaque(own, goal),
      // The values of the premises are not listed, or they were decided one by one.
      () => ((goal.const ?? goal.enum) === undefined ? 'yes' : 'no'),
      () => (own.types & types.object ? this.#decideObject(situation, goal) : 'yes'),
      () => (own.types & types.array ? this.#decideArray(situation, goal) : 'yes'),
      ...(goal.allOf ?? []).map((part) => () => implies(part)),
      () => (goal.ref === undefined ? 'yes' : implies(goal.ref)),
      () => (goal.anyOf === undefined ? 'yes' : any(goal.anyOf.map((part) => () => implies(part)))),
      () => (goal.oneOf === undefined ? 'yes' : this.#decideOneOf(situation, goal.oneOf)),
      () => (goal.not === undefined ? 'yes' : this.#decideNot(situation, goal.not)),
      () => this.#decideCondition(situation, goal),
      ...[...(goal.dependentSchemas ?? [])].map(
        ([name, part]) =>
          () =>
            this.implies([...premises, present(goal, name)], part, options),
      ),
    ]);
  }

  #decideOneOf({ premises, level, isClosed }: Situation, parts: readonly Node[]): Verdict {
    return any(
      parts.map((part, index) => () => {
        const first = this.implies(premises, part, { isClosed, level });
        if (first !== 'yes') return first;
        const others = parts.filter((_, other) => other !== index);
        return all(others.map((other) => () => this.#excludes(premises, other, level)));
      }),
    );
  }

  #decideNot({ premises, all: own, level }: Situation, negated: Node): Verdict {
    const key = this.keys.of(negated);
    if (own.negated.some((node) => this.keys.of(node) === key)) return 'yes';
    for (const node of own.negated)
      if (this.implies([negated], node, { isClosed: false, level }) === 'yes') return 'yes';
    return this.#excludes(premises, negated, level);
  }

  /** Whether no value is valid for the premises and the other schema. */
  #excludes(premises: readonly Node[], other: Node, level: number): Verdict {
    const verdict = this.implies([...premises, other], false, { isClosed: false, level });
    if (verdict === 'yes') return 'yes';
    return this.implies(premises, other, { isClosed: false, level }) === 'yes' ? 'no' : 'unknown';
  }

  #decideCondition({ premises, level, isClosed }: Situation, goal: SchemaNode): Verdict {
    if (goal.if === undefined || (goal.then ?? goal.else) === undefined) return 'yes';
    const options = { isClosed, level };
    const condition = goal.if;
    return all([
      () => this.implies([...premises, condition], goal.then ?? true, options),
      () => this.implies([...premises, negationOf(condition)], goal.else ?? true, options),
    ]);
  }

  #decidePlain(own: Conjunction, goal: SchemaNode): Verdict {
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

  #decideOpaque(own: Conjunction, goal: SchemaNode): Verdict {
    for (const [keyword, text] of goal.opaque ?? []) {
      if (keyword === 'format' && (own.types & types.string) === 0) continue;
      if (own.nodes.some(({ opaque }) => opaque?.get(keyword) === text)) continue;
      return keyword === 'format' && !own.nodes.some(({ pattern }) => pattern !== undefined) ? 'no' : 'unknown';
    }
    return 'yes';
  }

  #decideArray({ all: own, level, isClosed }: Situation, goal: SchemaNode): Verdict {
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
      questions.push(() => this.implies(itemSchemas(own, index), prefixItems[index] ?? rest, inside));
    if (own.maxItems > count) questions.push(() => this.implies(itemSchemas(own, count), rest, inside));
    if (!isPlain && goal.items === undefined && goal.unevaluatedItems !== true) questions.push(() => 'unknown');
    if (contains !== undefined) questions.push(() => this.#decideContains(own, goal, contains, level));
    return all(questions);
  }

  #decideContains(own: Conjunction, goal: SchemaNode, contains: Node, level: number): Verdict {
    const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = goal;
    const inside = { isClosed: false, level: level + 1 };
    const others = own.nodes.filter((node) => node.contains !== undefined);
    const isEnough =
      minContains === 0 ||
      others.some(
        (node) =>
          (node.minContains ?? 1) >= minContains && this.implies([node.contains ?? true], contains, inside) === 'yes',
      ) ||
      (own.minItems >= minContains && own.minItems <= maxItems && this.#allItems(own, contains, inside));
    const isFew =
      own.maxItems <= maxContains ||
      others.some(
        (node) =>
          (node.maxContains ?? Number.POSITIVE_INFINITY) <= maxContains &&
          this.implies([contains], node.contains ?? true, inside) === 'yes',
      );
    return isEnough && isFew ? 'yes' : others.length === 0 ? 'no' : 'unknown';
  }

  #allItems(own: Conjunction, goal: Node, inside: { isClosed: boolean; level: number }): boolean {
    for (let index = 0; index < own.minItems; index += 1)
      if (this.implies(itemSchemas(own, index), goal, inside) !== 'yes') return false;
    return true;
  }

  #decideObject(situation: Situation, goal: SchemaNode): Verdict {
    const { all: own } = situation;
    const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY, required = [], dependentRequired } = goal;
    if (!required.every((name) => own.required.has(name))) return 'no';
    if (own.minProperties < minProperties) return 'no';
    const names = this.#closedNames(own);
    if (Math.min(own.maxProperties, names?.length ?? Number.POSITIVE_INFINITY) > maxProperties) return 'no';
    for (const [name, others] of dependentRequired ?? []) {
      const needed = closure(own, name);
      if (!others.every((other) => needed.has(other)) && !this.member(own, name).includes(false)) return 'no';
    }
    return all([() => this.#decideNames(situation, goal, names), () => this.#decideMembers(situation, goal)]);
  }

  /** The only names that members can have; undefined if there may be others. */
  #closedNames({ objects }: Conjunction): string[] | undefined {
    const closed = objects.find(
      (group) => group.additionalProperties === false && (group.patternProperties?.size ?? 0) === 0,
    );
    return closed === undefined ? undefined : [...(closed.properties?.keys() ?? [])];
  }

  #decideNames({ all: own, level }: Situation, goal: SchemaNode, closed: readonly string[] | undefined): Verdict {
    const { propertyNames } = goal;
    if (propertyNames === undefined) return 'yes';
    const ownNames = own.nodes.flatMap((node) => node.propertyNames ?? []);
    if (ownNames.length > 0) {
      const verdict = this.implies([...ownNames, ofType(types.string)], propertyNames, {
        isClosed: false,
        level: level + 1,
      });
      if (verdict === 'yes' || closed === undefined) return verdict;
    }
    if (closed === undefined) return 'no';
    const possible = closed.filter((name) => !this.member(own, name).includes(false));
    const accepted = every(possible.map((name) => accepts(propertyNames, name, this.patterns)));
    return accepted === undefined ? 'unknown' : accepted ? 'yes' : 'no';
  }

  #decideMembers(situation: Situation, goal: SchemaNode): Verdict {
    const { all: own, level, isClosed } = situation;
    const group = goalGroup(goal);
    if (group === undefined) return 'yes';
    if (group === 'dynamic') return 'unknown';
    const inside = { isClosed, level: level + 1 };
    const named = new Set(own.objects.flatMap((each) => [...(each.properties?.keys() ?? [])]));
    const { properties, patternProperties, additionalProperties = true } = group;
    const questions: (() => Verdict)[] = [];
    const isSilent = isClosed && this.#isSilent(situation);
    const mentions = isSilent ? this.mentions(own) : named;
    for (const name of new Set([...named, ...(properties?.keys() ?? [])])) {
      if (isSilent && !mentions.has(name) && this.member(own, name).length === 0) continue;
      questions.push(() => this.#decideMember(situation, group, name));
    }
    for (const [pattern, schema] of patternProperties ?? [])
      if (schema !== true) questions.push(() => this.#decidePattern(own, { pattern, schema }, inside));
    if (additionalProperties !== true) {
      for (const each of own.objects) {
        for (const [pattern, schema] of each.patternProperties ?? []) {
          if (schema === false || patternProperties?.has(pattern) === true) continue;
          questions.push(() => weaken(this.implies([schema], additionalProperties, inside)));
        }
      }
      questions.push(() => this.implies(otherMembers(own), additionalProperties, inside));
    }
    return all(questions);
  }

  #decideMember({ all: own, level, isClosed }: Situation, group: SchemaNode, name: string): Verdict {
    const premises = this.member(own, name);
    if (premises.includes(false)) return 'yes';
    const goals = memberSchemas(group, name, this.patterns);
    if (goals === undefined) return 'unknown';
    return this.impliesAll(premises, goals, { isClosed, level: level + 1 });
  }

  /** Whether all members that match a pattern are valid. Those that are named are decided by name. */
  #decidePattern(
    own: Conjunction,
    goal: { pattern: string; schema: Node },
    inside: { isClosed: boolean; level: number },
  ): Verdict {
    const { pattern, schema } = goal;
    const certain = own.objects.flatMap((group) => group.patternProperties?.get(pattern) ?? []);
    if (certain.length > 0 && this.implies(certain, schema, inside) === 'yes') return 'yes';
    // Any other member may match it: one of another pattern, or one that is not mentioned.
    const others = own.objects.flatMap((group) => [...(group.patternProperties?.values() ?? [])]);
    const kinds = [...others.map((other) => [other]), otherMembers(own)];
    return weaken(all(kinds.map((premises) => () => this.implies(premises, schema, inside))));
  }

  /** True for an object that names members, and does not say what others are: its callers use those that it names. */
  #isSilent({ all: own, level }: Situation): boolean {
    if (own.types !== types.object) return false;
    const isSaid = own.nodes.some(
      (node) =>
        (node.additionalProperties ?? node.unevaluatedProperties ?? node.patternProperties ?? node.propertyNames) !==
        undefined,
    );
    return !isSaid && (level === 0 || this.mentions(own).size > 0);
  }

  /** The members that schemas name, for the value itself. */
  mentions({ nodes }: Conjunction): Set<string> {
    const names = new Set<string>();
    const seen = new Set<Node>();
    for (const node of nodes) addMentions(node, names, seen);
    return names;
  }
}

/** `no` only if it is certain. */
function weaken(verdict: Verdict): Verdict {
  return verdict === 'no' ? 'unknown' : verdict;
}

function all(questions: readonly (() => Verdict)[]): Verdict {
  let verdict: Verdict = 'yes';
  for (const question of questions) {
    const next = question();
    if (next === 'no') return 'no';
    if (next === 'unknown') verdict = 'unknown';
  }
  return verdict;
}

function any(questions: readonly (() => Verdict)[]): Verdict {
  let verdict: Verdict = 'no';
  for (const question of questions) {
    const next = question();
    if (next === 'yes') return 'yes';
    if (next === 'unknown') verdict = 'unknown';
  }
  return verdict;
}

function every(decisions: readonly Decision[]): Decision {
  if (decisions.includes(false)) return false;
  return decisions.includes(undefined) ? undefined : true;
}

/** A node without what is in the nodes beside it. */
function flat(node: SchemaNode): SchemaNode {
  if (node.allOf === undefined && node.ref === undefined) return node;
  return madeFor(node, 'flat', () => {
    const { properties, patternProperties, additionalProperties } = groupOf(node) ?? node;
    const alone = { allOf: undefined, ref: undefined, unevaluatedProperties: undefined, unevaluatedItems: undefined };
    return { ...node, ...alone, properties, patternProperties, additionalProperties };
  });
}

const typeNodes = new Map<number, SchemaNode>();

function ofType(set: number): SchemaNode {
  let node = typeNodes.get(set);
  if (node === undefined) typeNodes.set(set, (node = createNode({ types: set })));
  return node;
}

function present(goal: SchemaNode, name: string): SchemaNode {
  return madeFor(goal, `present ${name}`, () => createNode({ required: [name], types: types.object }));
}

const withAlternatives = new WeakMap<SchemaNode, boolean>();

/** True if a goal can be reached by different ways for different values. */
function hasAlternatives(node: Node): boolean {
  if (typeof node === 'boolean') return false;
  let known = withAlternatives.get(node);
  if (known === undefined) {
    known =
      (node.anyOf ?? node.oneOf ?? node.if ?? node.not) !== undefined ||
      [...(node.allOf ?? []), node.ref ?? true].some(hasAlternatives);
    withAlternatives.set(node, known);
  }
  return known;
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

/** The schemas of the item at an index. */
export function itemSchemas({ lists }: Conjunction, index: number): Node[] {
  return lists.flatMap(({ prefixItems, items }) => prefixItems?.[index] ?? items ?? []);
}

/** The schemas of members that no schema names, and no pattern matches. */
export function otherMembers({ objects }: Conjunction): Node[] {
  return objects.flatMap((group) => group.additionalProperties ?? []);
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
