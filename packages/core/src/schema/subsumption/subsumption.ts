import { addMentions, type Conjunction, combine, groupOf, itemSchemas, madeFor, ofType } from './conjunction.ts';
import { decideKeywords } from './decide-keywords.ts';
import { maxItems } from './decide-parts.ts';
import { accepts, every, memberSchemas, Patterns } from './literal.ts';
import { all, type Position, type Prover, type Situation, type Verdict } from './prover.ts';
import { type Node, SchemaKeys, type SchemaNode } from './schema-node.ts';
import { singleTypes, types } from './type-set.ts';

/** The maximum questions to decide before everything else is unknown. */
const maxQuestions = 6000;
/** The maximum schemas to combine for them. */
const maxCombined = 400_000;
/** The maximum nesting of questions. */
const maxNesting = 250;

interface Question {
  readonly index: number;
  /** How far into the value it is. */
  readonly level: number;
}

/**
 * Decides whether all values that are valid for some schemas are valid for another one. It is sound: "yes" is proven. "no" is
 * likely, "unknown" is the answer to everything that takes too long or needs knowledge of formats and patterns.
 */
export class Subsumption implements Prover {
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
  impliesAll(premises: readonly Node[], goals: readonly Node[], position: Position): Verdict {
    return all(goals.map((goal) => () => this.implies(premises, goal, position)));
  }

  /** Whether all values that are valid for the premises are valid for the goal. */
  implies(premises: readonly Node[], goal: Node, position: Position): Verdict {
    if (goal === true || premises.includes(goal)) return 'yes';
    const { isClosed, level } = position;
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
    // Alternatives of the goal mostly match those of the premises, one by one.
    const isMatched = own.choices.length > 0 && hasAlternatives(goal);
    const early = isMatched ? this.#split(situation, goal) : undefined;
    if (early === 'yes') return 'yes';
    const direct = typeof goal === 'boolean' ? 'no' : decideKeywords(this, situation, goal);
    if (direct === 'yes') return 'yes';
    const split = isMatched ? early : this.#split(situation, goal);
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

  /** The members that schemas name, for the value itself. */
  mentions({ nodes }: Conjunction): Set<string> {
    const names = new Set<string>();
    const seen = new Set<Node>();
    for (const node of nodes) addMentions(node, names, seen);
    return names;
  }
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
