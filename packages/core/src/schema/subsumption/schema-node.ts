import { stableStringify } from '../../jsonrpc/stable-stringify.ts';
import type { JsonSchema } from '../infer.ts';
import { inspectSchema } from '../inspect.ts';
import { isSchemaObject, keywordOf } from '../keywords.ts';
import { formatPointer } from '../problems.ts';
import { addToGraph, graphOf, isDraft07, resolveReference } from '../references.ts';
import { allTypes, typesNamed } from './type-set.ts';

/** A schema that was read: references are resolved, spellings of older dialects are those of 2020-12. */
export type Node = SchemaNode | boolean;

/** A schema that was read, with the keywords that restrict values. */
export interface SchemaNode {
  /** Its location in the document, as a JSON pointer. */
  readonly pointer: string;
  /** Keywords that don't restrict values, such as `description`. */
  readonly notes: ReadonlyMap<string, unknown>;
  /** Keywords of which only equality is known, such as `format`. */
  readonly opaque?: ReadonlyMap<string, string> | undefined;
  /** Names of members of alternatives that were taken out, so that they still count as named. */
  readonly mentions?: ReadonlySet<string> | undefined;
  readonly types?: number | undefined;
  readonly const?: readonly unknown[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly minContains?: number | undefined;
  readonly maxContains?: number | undefined;
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;
  readonly required?: readonly string[] | undefined;
  readonly dependentRequired?: ReadonlyMap<string, readonly string[]> | undefined;
  readonly properties?: ReadonlyMap<string, Node> | undefined;
  readonly patternProperties?: ReadonlyMap<string, Node> | undefined;
  readonly additionalProperties?: Node | undefined;
  readonly unevaluatedProperties?: Node | undefined;
  readonly propertyNames?: Node | undefined;
  readonly prefixItems?: readonly Node[] | undefined;
  readonly items?: Node | undefined;
  readonly unevaluatedItems?: Node | undefined;
  readonly contains?: Node | undefined;
  readonly allOf?: readonly Node[] | undefined;
  readonly anyOf?: readonly Node[] | undefined;
  readonly oneOf?: readonly Node[] | undefined;
  readonly not?: Node | undefined;
  readonly if?: Node | undefined;
  readonly then?: Node | undefined;
  readonly else?: Node | undefined;
  readonly dependentSchemas?: ReadonlyMap<string, Node> | undefined;
  /** The target of `$ref`; assigned when the whole document was read, because references may be recursive. */
  ref?: Node | undefined;
}

type Draft = { -readonly [Keyword in keyof SchemaNode]: SchemaNode[Keyword] };

const noNotes: ReadonlyMap<string, unknown> = new Map();

/** A node that is in no document. */
export function createNode(keywords: Omit<SchemaNode, 'pointer' | 'notes'>, pointer = ''): SchemaNode {
  return { ...keywords, pointer, notes: noNotes };
}

/** Keywords that don't restrict values. */
export const noteKeywords: ReadonlySet<string> = new Set([
  'title',
  'description',
  'examples',
  'example',
  'default',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
  'markdownDescription',
  'enumNames',
  'enumDescriptions',
  'propertyOrder',
  'errorMessage',
]);

/** Keywords that only name or hold schemas. */
const placeKeywords: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$defs',
  'definitions',
  '$vocabulary',
]);

/** Keywords that are read as they are. */
const plainKeywords: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'required',
  'enum',
]);

/** Keywords that draft-07 does not have. */
const newKeywords: ReadonlySet<string> = new Set([
  'prefixItems',
  'unevaluatedItems',
  'unevaluatedProperties',
  'dependentRequired',
  'dependentSchemas',
  'minContains',
  'maxContains',
  '$dynamicRef',
]);

/** Reads a schema. Throws a `TypeError` if it is malformed, too large, or refers to what is not there. */
export function readSchema(root: JsonSchema): Node {
  inspectSchema(root);
  const reader: Reader = { id: documents++, linked: 0, targets: new Map(), nodes: new Map(), isOld: isDraft07(root) };
  const graph = graphOf(root);
  for (const reference of graph.references) {
    if (reference.from.$ref !== reference.ref) continue;
    const target = resolveReference(reference, graph.targets);
    if (isSchemaObject(target) && !graph.links.has(target))
      addToGraph(graph, target, { at: reference.ref, base: reference.base });
    reader.targets.set(reference.from, target as JsonSchema | boolean);
  }
  const node = read(reader, root, '');
  // What is read may refer to more.
  for (const [schema, from] of reader.nodes) {
    const target = reader.targets.get(schema);
    if (target !== undefined) from.ref = read(reader, target, String(schema.$ref).replace(/^[^#]*#?/, ''));
    else if (typeof schema.$ref === 'string') throw new TypeError(`${from.pointer}/$ref can't be followed`);
  }
  return node;
}

/** The number of documents that were read. */
let documents = 0;

interface Reader {
  /** The number of the document. */
  readonly id: number;
  /** The number of texts with references. */
  linked: number;
  readonly targets: Map<JsonSchema, JsonSchema | boolean>;
  readonly nodes: Map<JsonSchema, Draft>;
  readonly isOld: boolean;
}

function read(reader: Reader, schema: unknown, pointer: string): Node {
  if (!isSchemaObject(schema)) return schema !== false;
  const known = reader.nodes.get(schema);
  if (known !== undefined) return known;
  const notes = new Map<string, unknown>();
  const node: Draft = { pointer, notes };
  reader.nodes.set(schema, node);
  // In draft-07, a reference overrides what stands beside it.
  if (reader.isOld && typeof schema.$ref === 'string') return node;
  const opaque = new Map<string, string>();
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || placeKeywords.has(keyword)) continue;
    if (noteKeywords.has(keyword)) notes.set(keyword, value);
    else if (isOpaque(reader, schema, keyword)) opaque.set(keyword, opaqueText(reader, keyword, value));
    else readKeyword(reader, node, { keyword, value, schema });
  }
  if (isDraft07(schema, reader.isOld) !== reader.isOld) opaque.set('$schema', String(schema.$schema));
  if (opaque.size > 0) node.opaque = opaque;
  return node;
}

function isOpaque(reader: Reader, schema: JsonSchema, keyword: string): boolean {
  if (keyword === 'const' || keyword === '$ref') return false;
  if (reader.isOld && newKeywords.has(keyword)) return true;
  if (keyword === 'additionalItems') return false;
  if (keyword === 'enum') return (schema.enum as unknown[]).length > maxValues;
  return keywordOf(keyword) === undefined || opaqueKeywords.has(keyword);
}

/** A text that is equal only for equal values. What a reference leads to may differ, so such values are never equal. */
function opaqueText(reader: Reader, keyword: string, value: unknown): string {
  const text = stableStringify(value);
  const isLinked = /"\$(?:ref|dynamicRef|recursiveRef)"/.test(text) || text.startsWith('"#');
  // These depend on the keywords beside them.
  if (!isLinked && !keyword.startsWith('unevaluated')) return text;
  reader.linked += 1;
  return `${text} ${reader.linked} of ${reader.id}`;
}

const opaqueKeywords: ReadonlySet<string> = new Set([
  'format',
  'contentSchema',
  '$dynamicRef',
  '$recursiveRef',
  'x-mcp-header',
]);

/** A longer list of values is only compared as a whole. */
const maxValues = 5000;

interface Member {
  readonly keyword: string;
  readonly value: unknown;
  readonly schema: JsonSchema;
}

function readKeyword(reader: Reader, node: Draft, { keyword, value, schema }: Member): void {
  const at = `${node.pointer}/${keyword}`;
  if (plainKeywords.has(keyword)) Object.assign(node, { [keyword]: value });
  else if (keyword === 'type') node.types = typesNamed(value as string | string[]);
  else if (keyword === 'const') node.const = [value];
  else if (keyword === 'uniqueItems') node.uniqueItems = value === true;
  else if (keyword === 'dependentRequired') node.dependentRequired = new Map(Object.entries(value as object));
  else if (keyword === 'dependencies') readDependencies(reader, node, value as Record<string, unknown>);
  else if (keyword === 'items' && Array.isArray(value)) {
    node.prefixItems = value.map((part, index) => read(reader, part, `${at}/${index}`));
    if (schema.additionalItems !== undefined)
      node.items = read(reader, schema.additionalItems, `${node.pointer}/additionalItems`);
  } else if (keyword !== '$ref' && keyword !== 'additionalItems') {
    const holds = keywordOf(keyword)?.holds;
    if (holds === undefined) return;
    const parts = holds.map
      ? readMap(reader, value as Record<string, unknown>, at)
      : Array.isArray(value)
        ? value.map((part, index) => read(reader, part, `${at}/${index}`))
        : read(reader, value, at);
    Object.assign(node, { [keyword]: parts });
  }
}

function readMap(reader: Reader, value: Record<string, unknown>, at: string): ReadonlyMap<string, Node> {
  return new Map(Object.entries(value).map(([name, part]) => [name, read(reader, part, at + formatPointer([name]))]));
}

function readDependencies(reader: Reader, node: Draft, value: Record<string, unknown>): void {
  const all = Object.entries(value);
  const names = all.filter(([, part]) => Array.isArray(part)) as [string, string[]][];
  const schemas = Object.fromEntries(all.filter(([, part]) => !Array.isArray(part)));
  if (names.length > 0) node.dependentRequired = new Map([...(node.dependentRequired ?? []), ...names]);
  if (names.length < all.length) {
    const read = readMap(reader, schemas, `${node.pointer}/dependencies`);
    node.dependentSchemas = new Map([...(node.dependentSchemas ?? []), ...read]);
  }
}

/** The length of a key above which nodes only equal themselves. */
const maxKey = 20_000;

/** The maximum nodes to visit for one key, and for all keys. */
const maxSteps = 50_000;
const maxTotalSteps = 1_000_000;

/** Computes keys: equal keys mean equal schemas, whatever their wording and order. */
export class SchemaKeys {
  readonly #keys = new Map<SchemaNode, string>();
  #ids = 0;
  #steps = 0;
  #totalSteps = 0;
  /** The outermost node that the current key leads back to. */
  #reach = Number.POSITIVE_INFINITY;

  of(node: Node): string {
    this.#steps = 0;
    this.#reach = Number.POSITIVE_INFINITY;
    return this.#key(node, []);
  }

  /** `around` are the nodes that contain or refer to this one. */
  #key(node: Node, around: readonly SchemaNode[]): string {
    if (typeof node === 'boolean') return node ? '{}' : '!';
    const known = this.#keys.get(node);
    if (known !== undefined) return known;
    const level = around.indexOf(node);
    if (level >= 0) {
      this.#reach = Math.min(this.#reach, level);
      return `^${around.length - level}`;
    }
    if (++this.#steps > maxSteps || ++this.#totalSteps > maxTotalSteps) return `#${this.#ids++}`;
    const reach = this.#reach;
    this.#reach = Number.POSITIVE_INFINITY;
    const key = this.#ownKey(node, [...around, node]);
    // A key that leads back to a node around it depends on where it is.
    const isClosed = this.#reach >= around.length;
    if (isClosed) this.#keys.set(node, key);
    this.#reach = isClosed ? reach : Math.min(reach, this.#reach);
    return key;
  }

  #ownKey(node: SchemaNode, around: readonly SchemaNode[]): string {
    const parts: string[] = [];
    for (const [keyword, value] of Object.entries(node)) {
      const part = value === undefined ? undefined : this.#part(keyword, value, around);
      if (part !== undefined) parts.push(part);
    }
    const [first = ''] = parts;
    if (parts.length === 1 && first.startsWith('ref:')) return first.slice('ref:'.length);
    const key = parts.includes('never') ? '!' : `{${parts.sort().join()}}`;
    return key.length > maxKey ? `#${this.#ids++}` : key;
  }

  #part(keyword: string, value: unknown, around: readonly SchemaNode[]): string | undefined {
    const keyOf = (node: Node): string => this.#key(node, around);
    switch (keyword) {
      case 'pointer':
      case 'notes':
      case 'mentions':
        return undefined;
      case 'types':
        return value === allTypes ? undefined : `type:${String(value)}`;
      case 'not':
        return value === true ? 'never' : value === false ? undefined : `not:${keyOf(value as Node)}`;
      case 'const':
      case 'enum':
        return `enum:${[...new Set((value as unknown[]).map(stableStringify))].sort().join()}`;
      case 'required':
        return (value as string[]).length === 0
          ? undefined
          : `required:${JSON.stringify([...new Set(value as string[])].sort())}`;
      case 'uniqueItems':
        return value === true ? 'uniqueItems' : undefined;
      case 'opaque':
      case 'dependentRequired':
        return `${keyword}:${stableStringify(Object.fromEntries(value as Map<string, unknown>))}`;
      case 'anyOf':
      case 'oneOf':
      case 'allOf':
        return `${keyword}:[${(value as Node[]).map(keyOf).sort().join()}]`;
      case 'prefixItems':
        return `${keyword}:[${(value as Node[]).map(keyOf).join()}]`;
      default:
        break;
    }
    if (value instanceof Map) {
      const members = [...(value as Map<string, Node>)].map(([name, part]) => `${JSON.stringify(name)}:${keyOf(part)}`);
      return `${keyword}:{${members.sort().join()}}`;
    }
    if (typeof value === 'object' || keyword === 'ref' || typeof value === 'boolean')
      return `${keyword}:${keyOf(value as Node)}`;
    return `${keyword}:${JSON.stringify(value)}`;
  }
}
