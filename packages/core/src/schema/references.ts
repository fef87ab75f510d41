import type { JsonSchema } from './infer.ts';
import { literalKeywords, mapKeywords } from './keyword-sets.ts';
import { type SchemaKeyword, isSchemaObject, keywordOf, malformed } from './keywords.ts';
import { formatPointer, parsePointer, quoteShort, valueAtPath } from './problems.ts';

const dialect = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** Whether a schema is draft-07; without `$schema` it inherits the dialect of its parent. */
export function isDraft07({ $schema }: JsonSchema, around = false): boolean {
  return typeof $schema === 'string' ? dialect.test($schema) : around;
}

const besideRef = new Set(['$ref', '$schema', 'definitions', '$defs']);

/** Whether draft-07 reads this keyword of a schema: beside a `$ref`, only definitions. */
export function isKeywordRead({ $ref }: JsonSchema, keyword: string): boolean {
  return typeof $ref !== 'string' || besideRef.has(keyword);
}

/** A `$ref` in a schema. */
export interface Reference {
  readonly from: JsonSchema;
  readonly ref: string;
  /** The base URI. */
  readonly base: string;
  /** Its location, as a JSON pointer from the root. */
  readonly at: string;
}

/** Resolves a reference. The target must be in the same document: nothing is ever fetched. */
export function resolveReference(reference: Reference, targets: ReadonlyMap<string, JsonSchema>): unknown {
  const { ref, base, at } = reference;
  const [, document = '', fragment = ''] = /^([^#]*)#?(.*)$/s.exec(ref) ?? [];
  const address = document === '' ? base : addressOf(document, base);
  const root = targets.get(address);
  if (root === undefined) {
    throw new TypeError(
      `${at}/$ref leads to another document, ${quoteShort(ref)}, and those are not fetched: ` +
        'copy what is needed into $defs and refer to it as "#/$defs/…"',
    );
  }
  if (fragment === '') return root;
  const pointer = fragment.startsWith('/') ? parsePointer(decodeFragment(fragment)) : undefined;
  if (pointer !== undefined && isHidden(root, pointer)) {
    throw new TypeError(
      `${at}/$ref leads to ${quoteShort(ref)}, which stands beside a $ref, where draft-07 does not look: move it to "definitions"`,
    );
  }
  const target = pointer ? valueAtPath(root, pointer) : targets.get(`${address}#${decodeFragment(fragment)}`);
  if (target === undefined) throw new TypeError(`${at}/$ref leads to ${quoteShort(ref)}, which is not there`);
  return target;
}

/** True if draft-07 ignores a part of the path. */
function isHidden(root: JsonSchema, pointer: readonly string[]): boolean {
  let node: unknown = root;
  return (
    isDraft07(root) &&
    pointer.some((segment) => {
      const hides = isSchemaObject(node) && !isKeywordRead(node, segment);
      node = valueAtPath(node, [segment]);
      return hides;
    })
  );
}

function addressOf(document: string, base: string): string {
  return URL.canParse(document, base) ? new URL(document, base).href : document;
}

/** Decodes a percent-encoded fragment. */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The schemas that a schema applies to the same value, and to parts of it. */
export interface Links {
  readonly inPlace: JsonSchema[];
  readonly inside: JsonSchema[];
}

/** The schemas of a document and their links. */
export interface Graph {
  readonly links: Map<JsonSchema, Links>;
  /** Root and embedded schemas by URI, and anchors by `uri#anchor`. */
  readonly targets: Map<string, JsonSchema>;
  readonly references: Reference[];
}

const rootAddress = 'schema://root/';

/** Builds the graph of a well-formed schema, without following its references. */
export function graphOf(root: JsonSchema): Graph {
  const graph: Graph = { links: new Map(), targets: new Map([[rootAddress, root]]), references: [] };
  addToGraph(graph, root, { at: '#', base: rootAddress });
  return graph;
}

/** Adds a schema and its subschemas. */
export function addToGraph(graph: Graph, schema: JsonSchema, { at, base }: Pick<Reference, 'at' | 'base'>): void {
  const links: Links = { inPlace: [], inside: [] };
  graph.links.set(schema, links);
  const own = ownAddress(graph, schema, { at, base });
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const ref = schema[keyword];
    if (typeof ref === 'string') graph.references.push({ from: schema, ref, base: own, at });
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const known = keywordOf(keyword);
    if (known?.holds === undefined) continue;
    for (const [step, child] of childrenOf(value, known.holds)) {
      if (known.applies === 'in place') links.inPlace.push(child);
      if (known.applies === 'inside') links.inside.push(child);
      addToGraph(graph, child, { at: `${at}/${keyword}${step}`, base: own });
    }
  }
}

function childrenOf(value: unknown, holds: SchemaKeyword): [step: string, child: JsonSchema][] {
  if (!holds.map && isSchemaObject(value)) return [['', value]];
  return Object.entries(Object(value)).flatMap(([name, child]) =>
    isSchemaObject(child) ? [[formatPointer([name]), child]] : [],
  );
}

/** Registers the URI and anchors of a schema, and returns the base URI of its references. */
function ownAddress({ targets }: Graph, schema: JsonSchema, { at, base }: Pick<Reference, 'at' | 'base'>): string {
  const { $id, $anchor, $dynamicAnchor } = schema;
  let own = base;
  if (typeof $id === 'string') {
    if (!URL.canParse($id, base)) throw malformed(`${at}/$id`, $id, 'an address');
    const address = new URL($id, base);
    const { hash } = address;
    address.hash = '';
    // In draft-07, an $id with only a fragment is an anchor.
    if (hash.length > 1) targets.set(`${address.href}${hash}`, schema);
    else targets.set((own = address.href), schema);
  }
  if (typeof $anchor === 'string') targets.set(`${own}#${$anchor}`, schema);
  if (typeof $dynamicAnchor === 'string') targets.set(`${own}#${$dynamicAnchor}`, schema);
  return own;
}

/**
 * The number of schemas that a check of `root` visits with all references expanded: small for a tree, exponential for
 * repeated forks, `Infinity` for recursion.
 */
export function expansion(root: JsonSchema, { links }: Graph, ways: (links: Links) => readonly JsonSchema[]): number {
  const waysFrom = new Map([...links].map(([schema, own]) => [schema, ways(own)]));
  const incoming = new Map<JsonSchema, number>();
  for (const target of [...waysFrom.values()].flat()) incoming.set(target, (incoming.get(target) ?? 0) + 1);
  const order = [...links.keys()].filter((schema) => !incoming.has(schema));
  for (const schema of order) {
    for (const target of waysFrom.get(schema) ?? []) {
      const left = (incoming.get(target) ?? 0) - 1;
      incoming.set(target, left);
      if (left === 0) order.push(target);
    }
  }
  if (order.length < links.size) return Infinity;
  const sizes = new Map<JsonSchema, number>();
  for (const schema of order.reverse()) {
    const parts = waysFrom.get(schema) ?? [];
    sizes.set(
      schema,
      parts.reduce((sum, part) => sum + (sizes.get(part) ?? 0), 1),
    );
  }
  return sizes.get(root) ?? Infinity;
}

/** Rebases the local references of a former root schema that is now at `pointer`. */
export function rebaseReferences(schema: unknown, pointer: string): unknown {
  if (Array.isArray(schema)) return schema.map((part) => rebaseReferences(part, pointer));
  if (!isSchemaObject(schema) || '$id' in schema) return schema;
  return mapMembers(schema, (value, keyword) => {
    if (literalKeywords.has(keyword)) return value;
    if (mapKeywords.has(keyword) && isSchemaObject(value))
      return mapMembers(value, (member) => rebaseReferences(member, pointer));
    if ((keyword === '$ref' || keyword === '$dynamicRef') && typeof value === 'string' && /^#(\/|$)/.test(value)) {
      return `#${encodeURI(pointer)}${value.slice(1)}`;
    }
    return rebaseReferences(value, pointer);
  });
}

function mapMembers(
  object: Readonly<Record<string, unknown>>,
  map: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}
