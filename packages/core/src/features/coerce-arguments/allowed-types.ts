import { isObject } from '../../jsonrpc/message.ts';

/** The types of JSON Schema. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

type Types = ReadonlySet<JsonType>;

const all: Types = new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const);

/** Maximum depth of nested references and alternatives. */
const maxDepth = 16;

/** The type of a value. A whole number is an integer. */
export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as JsonType;
}

/** True if a value of this type may be valid. */
export function allows(types: Types, type: JsonType): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

/** The types that a schema may accept; all of them if that is unknown. Never omits a valid type. */
export function allowedTypes(schema: unknown, root: unknown, depth = 0): Types {
  if (!isObject(schema) || depth > maxDepth) return all;
  // Only some dialects apply keywords beside a reference.
  if (schema.$ref !== undefined) return allowedTypes(resolve(schema.$ref, root), root, depth + 1);
  let types = ownTypes(schema);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    const union = new Set(branches.flatMap((branch) => [...allowedTypes(branch, root, depth + 1)]));
    types = intersect(types, union);
  }
  if (Array.isArray(schema.allOf)) {
    for (const branch of schema.allOf) types = intersect(types, allowedTypes(branch, root, depth + 1));
  }
  return types;
}

function ownTypes({ type, enum: values, const: value }: Record<string, unknown>): Types {
  let types: Types = all;
  if (typeof type === 'string') types = new Set([type as JsonType]);
  else if (Array.isArray(type)) types = new Set(type as JsonType[]);
  if (Array.isArray(values)) types = intersect(types, new Set(values.map(typeOf)));
  if (value !== undefined) types = intersect(types, new Set([typeOf(value)]));
  return types;
}

function intersect(one: Types, other: Types): Types {
  if (one === all) return other;
  if (other === all) return one;
  const common = [...one].filter((type) => allows(other, type));
  return new Set([...common, ...[...other].filter((type) => allows(one, type))]);
}

/**
 * The one schema that checks a value of a type, after following references and alternatives; undefined if there are
 * several, or it is unknown.
 */
export function schemaFor(
  schema: unknown,
  type: JsonType,
  root: unknown,
  depth = 0,
): Record<string, unknown> | undefined {
  if (!isObject(schema) || depth > maxDepth || schema.allOf !== undefined) return undefined;
  const branches = schema.anyOf ?? schema.oneOf;
  const isChoice = branches !== undefined;
  if (isChoice && schema.anyOf !== undefined && schema.oneOf !== undefined) return undefined;
  const isReference = schema.$ref !== undefined;
  if (!isChoice && !isReference) return schema;
  // Keywords beside a choice or a reference apply too: then several schemas check the value.
  if ((isChoice && isReference) || hasStructure(schema)) return undefined;
  if (isReference) return schemaFor(resolve(schema.$ref, root), type, root, depth + 1);
  if (!Array.isArray(branches)) return undefined;
  const fitting = branches.filter((branch) => allows(allowedTypes(branch, root, depth + 1), type));
  return fitting.length === 1 ? schemaFor(fitting[0], type, root, depth + 1) : undefined;
}

function hasStructure(schema: Record<string, unknown>): boolean {
  return ['properties', 'additionalProperties', 'patternProperties', 'items', 'prefixItems'].some(
    (keyword) => schema[keyword] !== undefined,
  );
}

/** The schema that a reference within the document leads to; undefined for any other reference. */
function resolve(ref: unknown, root: unknown): unknown {
  if (ref === '#') return root;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const name = decode(step);
    if (name === undefined || !isObject(found) || !Object.hasOwn(found, name)) return undefined;
    // Its own references have another base URI.
    if (found !== root && found.$id !== undefined) return undefined;
    found = found[name];
  }
  return found;
}

function decode(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
