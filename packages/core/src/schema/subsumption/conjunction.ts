import { createNode, type Node, type SchemaNode } from './schema-node.ts';
import { stableStringify } from '../../jsonrpc/stable-stringify.ts';
import { allTypes, numbers, typeOf, types } from './type-set.ts';

/** Alternatives of which at least one applies. */
export interface Choice {
  readonly owner: SchemaNode;
  /** The owner without the alternatives. */
  readonly rest: SchemaNode;
  readonly alternatives: readonly (readonly Node[])[];
}

/** Several schemas that apply to one value, as one: without `allOf` and references. */
export interface Conjunction {
  /** Without those of alternatives. */
  readonly nodes: readonly SchemaNode[];
  types: number;
  /** All possible values, if they are listed. */
  values: readonly unknown[] | undefined;
  low: number;
  lowOpen: boolean;
  high: number;
  highOpen: boolean;
  readonly multiples: Set<number>;
  minLength: number;
  maxLength: number;
  readonly patterns: Set<string>;
  minItems: number;
  maxItems: number;
  unique: boolean;
  minProperties: number;
  maxProperties: number;
  readonly required: Set<string>;
  /** Nodes with `properties`, `patternProperties` or `additionalProperties`. */
  readonly objects: SchemaNode[];
  /** Nodes with `prefixItems` or `items`. */
  readonly lists: SchemaNode[];
  readonly choices: Choice[];
  /** Schemas that don't apply. */
  readonly negated: Node[];
  /** No value is valid. */
  isNever: boolean;
}

const notNodes = new WeakMap<SchemaNode, SchemaNode>();

/** The negation of a schema; always the same node for the same schema. */
export function negationOf(node: Node): Node {
  if (typeof node === 'boolean') return !node;
  let made = notNodes.get(node);
  if (made === undefined) notNodes.set(node, (made = createNode({ not: node }, node.pointer)));
  return made;
}

/** The maximum alternatives that exclude each other; of more, only one has to apply. */
const maxExclusive = 40;

/** Combines schemas. Returns more values than are valid where a keyword is not understood. */
export function combine(premises: readonly Node[]): Conjunction {
  const nodes: SchemaNode[] = [];
  const all: Conjunction = {
    nodes,
    types: allTypes,
    values: undefined,
    low: Number.NEGATIVE_INFINITY,
    lowOpen: false,
    high: Number.POSITIVE_INFINITY,
    highOpen: false,
    multiples: new Set(),
    minLength: 0,
    maxLength: Number.POSITIVE_INFINITY,
    patterns: new Set(),
    minItems: 0,
    maxItems: Number.POSITIVE_INFINITY,
    unique: false,
    minProperties: 0,
    maxProperties: Number.POSITIVE_INFINITY,
    required: new Set(),
    objects: [],
    lists: [],
    choices: [],
    negated: [],
    isNever: false,
  };
  const seen = new Set<Node>();
  const pending = [...premises];
  for (const node of pending) {
    if (node === false) all.isNever = true;
    if (typeof node === 'boolean' || seen.has(node)) continue;
    seen.add(node);
    nodes.push(node);
    add(all, node);
    if (node.allOf !== undefined) pending.push(...node.allOf);
    if (node.ref !== undefined) pending.push(node.ref);
    for (const negated of all.negated) if (seen.has(negated)) all.isNever = true;
  }
  settle(all);
  return all;
}

function add(all: Conjunction, node: SchemaNode): void {
  if (node.types !== undefined) all.types &= node.types;
  for (const list of [node.const, node.enum]) if (list !== undefined) all.values = intersect(all.values, list);
  addNumbers(all, node);
  all.minLength = Math.max(all.minLength, node.minLength ?? 0);
  all.maxLength = Math.min(all.maxLength, node.maxLength ?? Number.POSITIVE_INFINITY);
  if (node.pattern !== undefined) all.patterns.add(node.pattern);
  all.minItems = Math.max(all.minItems, node.minItems ?? 0);
  all.maxItems = Math.min(all.maxItems, node.maxItems ?? Number.POSITIVE_INFINITY);
  if (node.uniqueItems === true) all.unique = true;
  all.minProperties = Math.max(all.minProperties, node.minProperties ?? 0);
  all.maxProperties = Math.min(all.maxProperties, node.maxProperties ?? Number.POSITIVE_INFINITY);
  for (const name of node.required ?? []) all.required.add(name);
  const group = groupOf(node);
  if (group !== undefined) all.objects.push(group);
  if (node.prefixItems !== undefined || node.items !== undefined) all.lists.push(node);
  else if (node.unevaluatedItems !== undefined && isPlainList(node))
    all.lists.push({ ...node, items: node.unevaluatedItems });
  addChoices(all, node);
  if (node.not !== undefined) addNegated(all, node.not, new Set());
}

function intersect(known: readonly unknown[] | undefined, list: readonly unknown[]): readonly unknown[] {
  const unique = new Map(list.map((value) => [stableStringify(value), value]));
  return known === undefined ? [...unique.values()] : known.filter((value) => unique.has(stableStringify(value)));
}

function addNumbers(all: Conjunction, node: SchemaNode): void {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = node;
  if (minimum !== undefined && minimum > all.low) [all.low, all.lowOpen] = [minimum, false];
  if (exclusiveMinimum !== undefined && exclusiveMinimum >= all.low) [all.low, all.lowOpen] = [exclusiveMinimum, true];
  if (maximum !== undefined && maximum < all.high) [all.high, all.highOpen] = [maximum, false];
  if (exclusiveMaximum !== undefined && exclusiveMaximum <= all.high)
    [all.high, all.highOpen] = [exclusiveMaximum, true];
  if (multipleOf !== undefined) all.multiples.add(multipleOf);
}

function addChoices(all: Conjunction, node: SchemaNode): void {
  const { anyOf, oneOf, dependentSchemas } = node;
  if (anyOf !== undefined) {
    all.choices.push({ owner: node, rest: without(node, 'anyOf'), alternatives: anyOf.map((one) => [one]) });
  }
  if (oneOf !== undefined) {
    const isExclusive = oneOf.length <= maxExclusive;
    const alternatives = oneOf.map((one, index) =>
      isExclusive ? [one, ...oneOf.filter((_, other) => other !== index).map(negationOf)] : [one],
    );
    all.choices.push({ owner: node, rest: without(node, 'oneOf'), alternatives });
  }
  if (node.if !== undefined && (node.then ?? node.else) !== undefined) {
    const alternatives = [
      [node.if, node.then ?? true],
      [negationOf(node.if), node.else ?? true],
    ];
    all.choices.push({ owner: node, rest: without(node, 'if'), alternatives });
  }
  if (dependentSchemas !== undefined && dependentSchemas.size === 1) {
    const [[name, part] = ['', true]] = dependentSchemas;
    const alternatives = [[absent(node, name)], [present(node, name), part]];
    all.choices.push({ owner: node, rest: without(node, 'dependentSchemas'), alternatives });
  }
}

const madeNodes = new WeakMap<SchemaNode, Map<string, SchemaNode>>();

/** Creates a node for another one, the same each time. */
export function madeFor(node: SchemaNode, key: string, make: () => SchemaNode): SchemaNode {
  let known = madeNodes.get(node);
  if (known === undefined) madeNodes.set(node, (known = new Map()));
  let made = known.get(key);
  if (made === undefined) known.set(key, (made = make()));
  return made;
}

function absent(node: SchemaNode, name: string): SchemaNode {
  return madeFor(node, `absent ${name}`, () => createNode({ properties: new Map([[name, false]]) }));
}

function present(node: SchemaNode, name: string): SchemaNode {
  return madeFor(node, `present ${name}`, () => createNode({ required: [name] }));
}

function without(node: SchemaNode, keyword: 'anyOf' | 'oneOf' | 'if' | 'dependentSchemas'): SchemaNode {
  return madeFor(node, keyword, () => {
    const mentions = new Set<string>(node.mentions);
    const parts = keyword === 'if' ? [node.if, node.then, node.else] : node[keyword];
    for (const part of parts instanceof Map ? parts.values() : (parts as Node[]))
      addMentions(part, mentions, new Set());
    const rest = { ...node, mentions, allOf: undefined, ref: undefined, [keyword]: undefined };
    // Without its alternatives, it can't tell what they evaluate.
    if (node.unevaluatedProperties !== undefined) rest.unevaluatedProperties = undefined;
    if (node.unevaluatedItems !== undefined) rest.unevaluatedItems = undefined;
    return rest;
  });
}

/** Adds the names of the members that a schema names, for the value itself. */
export function addMentions(node: Node | undefined, names: Set<string>, seen: Set<Node>): void {
  if (node === undefined || typeof node === 'boolean' || seen.has(node)) return;
  seen.add(node);
  for (const name of node.mentions ?? []) names.add(name);
  for (const name of node.properties?.keys() ?? []) names.add(name);
  for (const name of node.required ?? []) names.add(name);
  for (const [name, others] of node.dependentRequired ?? []) for (const each of [name, ...others]) names.add(each);
  for (const name of node.dependentSchemas?.keys() ?? []) names.add(name);
  const parts = [node.allOf, node.anyOf, node.oneOf, node.dependentSchemas?.values()].flatMap((list) => [
    ...(list ?? []),
  ]);
  for (const part of [...parts, node.ref, node.not, node.if, node.then, node.else]) addMentions(part, names, seen);
}

/** A negation that says which types or members there can't be is applied; others are only noted. */
function addNegated(all: Conjunction, node: Node, seen: Set<Node>): void {
  if (node === true) all.isNever = true;
  if (typeof node === 'boolean' || seen.has(node)) return;
  seen.add(node);
  const used = Object.entries(node).filter(([keyword, value]) => value !== undefined && !ownMembers.has(keyword));
  const only = used.length === 1 ? used[0]?.[0] : undefined;
  if (only === undefined && used.length === 0) all.isNever = true;
  else if (only === 'types') all.types &= ~(node.types ?? 0);
  else if (only === 'anyOf') for (const part of node.anyOf ?? []) addNegated(all, part, seen);
  else if (only === 'ref') addNegated(all, node.ref ?? false, seen);
  else if (only === 'required' && node.required?.length === 1) {
    all.types &= types.object;
    all.objects.push(absent(node, node.required[0] as string));
  } else all.negated.push(node);
}

const ownMembers: ReadonlySet<string> = new Set(['pointer', 'notes', 'mentions']);

/** The node that says what the members may be; undefined if it doesn't, or can't without alternatives. */
export function groupOf(node: SchemaNode): SchemaNode | undefined {
  if (node.unevaluatedProperties !== undefined && node.additionalProperties === undefined) {
    const group = staticGroup(node);
    if (group !== undefined) return group;
  }
  const { properties, patternProperties, additionalProperties } = node;
  return (properties ?? patternProperties ?? additionalProperties) === undefined ? undefined : node;
}

/** `unevaluatedProperties` as `additionalProperties`, where no alternative can evaluate members. */
function staticGroup(node: SchemaNode): SchemaNode | undefined {
  const parts: SchemaNode[] = [];
  const pending: Node[] = [node];
  for (const part of pending) {
    if (typeof part === 'boolean' || parts.includes(part)) continue;
    const { anyOf, oneOf, not, dependentSchemas, opaque } = part;
    const isDynamic = anyOf ?? oneOf ?? not ?? part.if ?? dependentSchemas ?? opaque?.get('$dynamicRef');
    const evaluatesAll = part.additionalProperties ?? (part === node ? undefined : part.unevaluatedProperties);
    if (isDynamic !== undefined || evaluatesAll !== undefined || parts.length > 50) return undefined;
    parts.push(part);
    pending.push(...(part.allOf ?? []), ...(part.ref === undefined ? [] : [part.ref]));
  }
  return madeFor(node, 'group', () => ({
    ...createNode({}, node.pointer),
    properties: new Map(
      parts
        .flatMap((part) =>
          [...(part.properties?.keys() ?? [])].map(
            (name) => [name, part === node ? (node.properties?.get(name) ?? true) : true] as const,
          ),
        )
        .reverse(),
    ),
    patternProperties: new Map(
      parts
        .flatMap((part) =>
          [...(part.patternProperties?.keys() ?? [])].map(
            (name) => [name, part === node ? (node.patternProperties?.get(name) ?? true) : true] as const,
          ),
        )
        .reverse(),
    ),
    additionalProperties: node.unevaluatedProperties,
  }));
}

/** True if `unevaluatedItems` means `items`. */
export function isPlainList(node: SchemaNode): boolean {
  const { allOf, anyOf, oneOf, not, ref, contains, dependentSchemas, opaque } = node;
  return (
    (allOf ?? anyOf ?? oneOf ?? not ?? ref ?? contains ?? node.if ?? dependentSchemas ?? opaque?.get('$dynamicRef')) ===
    undefined
  );
}

/** Draws conclusions from the keywords of one type. */
function settle(all: Conjunction): void {
  for (const { alternatives } of all.choices)
    all.types &= alternatives.reduce(
      (set, parts) => set | parts.reduce((own, part) => own & possibleTypes(part, 0), allTypes),
      0,
    );
  settleValues(all);
  if ((all.types & numbers) !== 0) settleNumbers(all);
  if (all.minLength > all.maxLength) all.types &= ~types.string;
  for (const { prefixItems = [], items } of all.lists) {
    const closed = prefixItems.indexOf(false);
    const most = closed >= 0 ? closed : items === false ? prefixItems.length : Number.POSITIVE_INFINITY;
    all.maxItems = Math.min(all.maxItems, most);
  }
  if (all.minItems > all.maxItems) all.types &= ~types.array;
  if ((all.types & types.object) !== 0) settleObjects(all);
  settleValues(all);
  if (all.types === 0) all.isNever = true;
}

function settleValues(all: Conjunction): void {
  if (all.values === undefined && (all.types & ~(types.null | types.boolean)) === 0) {
    all.values = [...(all.types & types.null ? [null] : []), ...(all.types & types.boolean ? [true, false] : [])];
  }
  if (all.values === undefined) return;
  all.values = all.values.filter((value) => (typeOf(value) & all.types) !== 0);
  all.types &= all.values.reduce<number>((set, value) => set | typeOf(value), 0);
  if (all.values.length === 0) all.isNever = true;
}

function settleNumbers(all: Conjunction): void {
  for (const multiple of all.multiples) if (Number.isInteger(multiple)) all.types &= ~types.fraction;
  if ((all.types & numbers) === types.integer) {
    if (Number.isFinite(all.low))
      [all.low, all.lowOpen] = [all.lowOpen ? Math.floor(all.low) + 1 : Math.ceil(all.low), false];
    if (Number.isFinite(all.high))
      [all.high, all.highOpen] = [all.highOpen ? Math.ceil(all.high) - 1 : Math.floor(all.high), false];
  }
  if (all.low > all.high || (all.low === all.high && (all.lowOpen || all.highOpen))) all.types &= ~numbers;
}

function settleObjects(all: Conjunction): void {
  for (const name of all.required)
    for (const { dependentRequired } of all.nodes)
      for (const other of dependentRequired?.get(name) ?? []) all.required.add(other);
  for (const group of all.objects)
    for (const name of all.required) if (group.properties?.get(name) === false) all.types &= ~types.object;
  all.minProperties = Math.max(all.minProperties, all.required.size);
  if (all.minProperties > all.maxProperties) all.types &= ~types.object;
}

/** The types of values that a schema allows at first sight. */
function possibleTypes(node: Node, depth: number): number {
  if (typeof node === 'boolean') return node ? allTypes : 0;
  let set = node.types ?? allTypes;
  for (const list of [node.const, node.enum])
    if (list !== undefined) set &= list.reduce<number>((own, value) => own | typeOf(value), 0);
  if (depth > 4) return set;
  for (const part of [...(node.allOf ?? []), node.ref ?? true]) set &= possibleTypes(part, depth + 1);
  return set;
}

/** The schemas of the item at an index. */
export function itemSchemas({ lists }: Conjunction, index: number): Node[] {
  return lists.flatMap(({ prefixItems, items }) => prefixItems?.[index] ?? items ?? []);
}

/** The schemas of members that no schema names, and no pattern matches. */
export function otherMembers({ objects }: Conjunction): Node[] {
  return objects.flatMap((group) => group.additionalProperties ?? []);
}

const typeNodes = new Map<number, SchemaNode>();

/** A node that allows these types. */
export function ofType(set: number): SchemaNode {
  let node = typeNodes.get(set);
  if (node === undefined) typeNodes.set(set, (node = createNode({ types: set })));
  return node;
}
