import { isObject } from '../../jsonrpc/message.ts';
import { exceeds } from '../../jsonrpc/size.ts';
import { allowedTypes, allows, type JsonType, schemaFor, typeOf } from './allowed-types.ts';

/** Maximum nesting depth of coerced arguments. */
const maxDepth = 16;
/** Maximum number of values checked per call. */
const maxValues = 10_000;
/** Maximum length of a text that is parsed as JSON, in characters. */
const maxJson = 256 * 1024;

/** Arguments after coercion, and the paths of those that were changed. */
export interface Coerced {
  readonly value: unknown;
  readonly changed: readonly string[];
}

interface Walk {
  readonly root: unknown;
  readonly changed: string[];
  left: number;
}

/** Coerces values of an invalid type if the schema allows one interpretation only. Never changes a valid value. */
export function coerce(value: unknown, schema: unknown): Coerced {
  const walk: Walk = { root: schema, changed: [], left: maxValues };
  return { value: coerceValue(walk, value, schema, '', 0), changed: walk.changed };
}

function coerceValue(walk: Walk, value: unknown, schema: unknown, path: string, depth: number): unknown {
  walk.left -= 1;
  if (!isObject(schema) || depth > maxDepth || walk.left < 0) return value;
  const types = allowedTypes(schema, walk.root);
  const type = typeOf(value);
  if (allows(types, type)) return coerceInside(walk, value, schema, path, depth);
  const readings = typeof value === 'string' ? readText(value, types) : [];
  const [only] = readings;
  // A text that is a JSON array becomes that array, not its only item.
  const isRead = readings.length === 1 && (Array.isArray(only) || !types.has('array'));
  if (isRead) {
    walk.changed.push(path);
    return coerceInside(walk, only, schema, path, depth);
  }
  if (readings.length > 0 || !types.has('array') || value === null) return value;
  return wrap(walk, value, schema, path, depth);
}

/** The values that a text may represent, by the allowed types. */
function readText(text: string, types: ReadonlySet<JsonType>): unknown[] {
  const readings: unknown[] = [];
  if (types.has('number') || types.has('integer')) {
    const number = readNumber(text);
    if (number !== undefined && allows(types, typeOf(number))) readings.push(number);
  }
  if (types.has('boolean') && (text === 'true' || text === 'false')) readings.push(text === 'true');
  if (types.has('null') && text === 'null') readings.push(null);
  if (types.has('object') || types.has('array')) {
    const parsed = readJson(text);
    if (parsed !== undefined && types.has(typeOf(parsed))) readings.push(parsed);
  }
  return readings;
}

function readNumber(text: string): number | undefined {
  if (text.length > 40 || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  // A whole number that would be rounded is left alone.
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : undefined;
}

function readJson(text: string): unknown {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[') || text.length > maxJson) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return exceeds(parsed, { length: Number.POSITIVE_INFINITY, depth: maxDepth * 2 }) || hasPrototype(parsed)
      ? undefined
      : parsed;
  } catch {
    return undefined;
  }
}

/** True if a nested member is named `__proto__`, to prevent prototype pollution. */
function hasPrototype(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasPrototype);
  if (!isObject(value)) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototype);
}

/** Wraps a single value into an array if its items may be such values. */
function wrap(walk: Walk, value: unknown, schema: unknown, path: string, depth: number): unknown {
  const array = schemaFor(schema, 'array', walk.root);
  if (array === undefined || array.prefixItems !== undefined || !isObject(array.items)) return value;
  const before = walk.changed.length;
  const item = coerceValue(walk, value, array.items, `${path}[0]`, depth + 1);
  if (!allows(allowedTypes(array.items, walk.root), typeOf(item))) {
    walk.changed.length = before;
    return value;
  }
  walk.changed.push(path);
  return [item];
}

function coerceInside(walk: Walk, value: unknown, schema: unknown, path: string, depth: number): unknown {
  if (Array.isArray(value)) return coerceItems(walk, value, schema, path, depth);
  return isObject(value) ? coerceMembers(walk, value, schema, path, depth) : value;
}

function coerceItems(walk: Walk, value: unknown[], schema: unknown, path: string, depth: number): unknown[] {
  const array = schemaFor(schema, 'array', walk.root);
  if (array === undefined || array.prefixItems !== undefined || !isObject(array.items)) return value;
  let copy: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    if (walk.left < 0) break;
    const coerced = coerceValue(walk, item, array.items, `${path}[${index}]`, depth + 1);
    if (coerced === item) continue;
    copy ??= [...value];
    copy[index] = coerced;
  }
  return copy ?? value;
}

function coerceMembers(
  walk: Walk,
  value: Record<string, unknown>,
  schema: unknown,
  path: string,
  depth: number,
): Record<string, unknown> {
  const object = schemaFor(schema, 'object', walk.root);
  if (object === undefined) return value;
  const { properties, additionalProperties, patternProperties } = object;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    if (walk.left < 0) break;
    // More than one schema may apply to it.
    if (name === '__proto__' || patternProperties !== undefined) continue;
    const isNamed = isObject(properties) && Object.hasOwn(properties, name);
    const member = isNamed ? properties[name] : additionalProperties;
    const coerced = coerceValue(walk, value[name], member, path === '' ? name : `${path}.${name}`, depth + 1);
    if (coerced === value[name]) continue;
    // Spread and then set: a member called __proto__ stays an own one.
    copy ??= { ...value };
    copy[name] = coerced;
  }
  return copy ?? value;
}
