import { stableStringify } from '../../jsonrpc/stable-stringify.ts';
import { compilePattern } from '../patterns/compile-pattern.ts';
import { LinearPattern } from '../patterns/linear-pattern.ts';
import { groupOf, isPlainList } from './conjunction.ts';
import type { Node, SchemaNode } from './schema-node.ts';
import { allTypes, typeOf } from './type-set.ts';

/** Yes, no, or undefined if it can't be decided. */
export type Decision = boolean | undefined;

/** Longer texts are not matched. */
const maxTested = 1000;

/** Patterns that every text matches. */
export const openPatterns: ReadonlySet<string> = new Set(['', '.*', '^', '$', '^.*', '.*$']);

/** The maximum steps of all checks; then nothing is decided any more. */
const maxSteps = 500_000;

/** Tests texts against patterns, in linear time, and bounds the work of all checks. */
export class Patterns {
  readonly #compiled = new Map<string, RegExp | undefined>();
  #steps = 0;

  /** Counts a step; false if there were too many. */
  spend(): boolean {
    this.#steps += 1;
    return this.#steps <= maxSteps;
  }

  test(pattern: string, text: string): Decision {
    if (openPatterns.has(pattern)) return true;
    if (text.length > maxTested) return undefined;
    if (!this.#compiled.has(pattern)) {
      const { regexp, costly } = compilePattern(pattern);
      this.#compiled.set(pattern, !costly || regexp instanceof LinearPattern ? regexp : undefined);
    }
    return this.#compiled.get(pattern)?.test(text);
  }
}

/** Whether a schema accepts a value. */
export function accepts(node: Node, value: unknown, patterns: Patterns): Decision {
  if (typeof node === 'boolean') return node;
  if (!patterns.spend()) return undefined;
  const decisions: Decision[] = [];
  for (const decide of [acceptsPlain, acceptsNested, acceptsParts]) {
    const decision = decide(node, value, patterns);
    if (decision === false) return false;
    decisions.push(decision);
  }
  return every(decisions);
}

/** Whether all decisions are true. */
export function every(decisions: Iterable<Decision>): Decision {
  let all: Decision = true;
  for (const decision of decisions) {
    if (decision === false) return false;
    if (decision === undefined) all = undefined;
  }
  return all;
}

function negate(decision: Decision): Decision {
  return decision === undefined ? undefined : !decision;
}

/** The number of true ones; undefined if it is not known whether it is 0, 1 or more. */
function countTrue(decisions: readonly Decision[]): number | undefined {
  const sure = decisions.filter((decision) => decision === true).length;
  return sure < 2 && decisions.includes(undefined) ? undefined : sure;
}

/** The keywords without schemas. */
function acceptsPlain(node: SchemaNode, value: unknown, patterns: Patterns): Decision {
  if ((typeOf(value) & (node.types ?? allTypes)) === 0) return false;
  for (const list of [node.const, node.enum]) {
    if (list === undefined) continue;
    if (!textsOf(list).has(stableStringify(value))) return false;
  }
  const isUnknown =
    node.opaque !== undefined && (typeof value === 'string' || node.opaque.size > (node.opaque.has('format') ? 1 : 0));
  const decision = acceptsSize(node, value, patterns);
  return decision === true && isUnknown ? undefined : decision;
}

const listedTexts = new WeakMap<readonly unknown[], ReadonlySet<string>>();

function textsOf(list: readonly unknown[]): ReadonlySet<string> {
  let texts = listedTexts.get(list);
  if (texts === undefined) listedTexts.set(list, (texts = new Set(list.map(stableStringify))));
  return texts;
}

function acceptsSize(node: SchemaNode, value: unknown, patterns: Patterns): Decision {
  if (typeof value === 'number') {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
    if (value < (minimum ?? value) || value > (maximum ?? value)) return false;
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return false;
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return false;
    if (multipleOf === undefined) return true;
    return Number.isSafeInteger(value) && Number.isSafeInteger(multipleOf) ? value % multipleOf === 0 : undefined;
  }
  if (typeof value === 'string') {
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = node;
    // What a character is beyond ASCII is for the validator to say.
    const isCounted = value.length <= maxTested && /^[ -~]*$/.test(value);
    if (isCounted && (value.length < minLength || value.length > maxLength)) return false;
    const isLong = isCounted || (minLength === 0 && maxLength === Number.POSITIVE_INFINITY) ? true : undefined;
    return every([isLong, pattern === undefined ? true : patterns.test(pattern, value)]);
  }
  if (Array.isArray(value)) {
    if (value.length < (node.minItems ?? 0) || value.length > (node.maxItems ?? value.length)) return false;
    return node.uniqueItems !== true || new Set(value.map(stableStringify)).size === value.length;
  }
  if (typeof value !== 'object' || value === null) return true;
  const names = Object.keys(value);
  if (names.length < (node.minProperties ?? 0) || names.length > (node.maxProperties ?? names.length)) return false;
  if (!(node.required ?? []).every((name) => Object.hasOwn(value, name))) return false;
  return [...(node.dependentRequired ?? [])].every(
    ([name, others]) => !Object.hasOwn(value, name) || others.every((other) => Object.hasOwn(value, other)),
  );
}

/** The keywords with schemas for the value itself. */
function acceptsNested(node: SchemaNode, value: unknown, patterns: Patterns): Decision {
  const decide = (part: Node): Decision => accepts(part, value, patterns);
  const all = [...(node.allOf ?? []).map(decide), decide(node.ref ?? true), negate(decide(node.not ?? false))];
  if (node.anyOf !== undefined) all.push(negate(every(node.anyOf.map((part) => negate(decide(part))))));
  if (node.oneOf !== undefined) {
    const count = countTrue(node.oneOf.map(decide));
    all.push(count === undefined ? undefined : count === 1);
  }
  if (node.if !== undefined && (node.then ?? node.else) !== undefined) {
    const condition = decide(node.if);
    const outcomes = [decide(node.then ?? true), decide(node.else ?? true)];
    all.push(condition === undefined ? (every(outcomes) === true ? true : undefined) : outcomes[condition ? 0 : 1]);
  }
  for (const [name, part] of node.dependentSchemas ?? [])
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, name)) all.push(decide(part));
  return every(all);
}

/** The keywords with schemas for parts of the value. */
function acceptsParts(node: SchemaNode, value: unknown, patterns: Patterns): Decision {
  if (Array.isArray(value)) return acceptsItems(node, value, patterns);
  if (typeof value !== 'object' || value === null) return true;
  const group = groupOf(node);
  const all: Decision[] = [];
  for (const [name, part] of Object.entries(value)) {
    if (group !== undefined)
      for (const schema of memberSchemas(group, name, patterns) ?? [undefined])
        all.push(schema === undefined ? undefined : accepts(schema, part, patterns));
    if (node.propertyNames !== undefined) all.push(accepts(node.propertyNames, name, patterns));
  }
  const { unevaluatedProperties } = node;
  const isStatic = group !== undefined && group !== node;
  const isKnown = (unevaluatedProperties ?? true) === true || node.additionalProperties !== undefined || isStatic;
  all.push(isKnown ? true : undefined);
  return every(all);
}

/** The schemas that a node has for a member; undefined if a pattern is too slow to be tested. */
export function memberSchemas(group: SchemaNode, name: string, patterns: Patterns): Node[] | undefined {
  const own = group.properties?.get(name);
  const found: Node[] = own === undefined ? [] : [own];
  for (const [pattern, schema] of group.patternProperties ?? []) {
    const isMatch = patterns.test(pattern, name);
    if (isMatch === undefined) return undefined;
    if (isMatch) found.push(schema);
  }
  if (found.length === 0 && group.additionalProperties !== undefined) found.push(group.additionalProperties);
  return found;
}

function acceptsItems(node: SchemaNode, value: readonly unknown[], patterns: Patterns): Decision {
  const { prefixItems = [], unevaluatedItems, contains } = node;
  const isPlain = unevaluatedItems === undefined || isPlainList(node);
  const rest = node.items ?? (isPlain ? unevaluatedItems : undefined) ?? true;
  const all = value.map((item, index) => accepts(prefixItems[index] ?? rest, item, patterns));
  if (!isPlain && node.items === undefined && unevaluatedItems !== true) all.push(undefined);
  if (contains !== undefined) {
    const decisions = value.map((item) => accepts(contains, item, patterns));
    const sure = decisions.filter((decision) => decision === true).length;
    const possible = sure + decisions.filter((decision) => decision === undefined).length;
    const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = node;
    if (possible < minContains || sure > maxContains) return false;
    all.push(sure >= minContains && possible <= maxContains ? true : undefined);
  }
  return every(all);
}
