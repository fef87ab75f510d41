import { type Effort, effort, spend } from './resolve-schema.ts';
import { isRecord, type Json } from './json.ts';
import { resolved } from './resolve-schema.ts';

// What must be there may want itself, and may be many.
const deepest = 3;
const mostValues = 1000;

/** What a form begins with: what must be there and has a default or only one value. What need not be there is left to the server. */
export function firstValue(
  given: unknown,
  root: unknown,
  depth = 0,
  values: Effort = effort(mostValues),
): Json | undefined {
  if (!spend(values)) return undefined;
  const schema = resolved(given, root);
  if (schema.default !== undefined) return schema.default as Json;
  if ('const' in schema) return schema.const as Json;
  if (!isRecord(schema.properties) || depth > deepest) return depth === 0 ? {} : undefined;
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  const entries = required.flatMap((name) => {
    const property = isRecord(schema.properties) ? schema.properties[name] : undefined;
    const value = property === undefined ? undefined : firstValue(property, root, depth + 1, values);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** What a form begins with that has nobody behind it who fills in defaults: all of them are there. */
export function withDefaults(given: unknown): Json {
  const schema = resolved(given, given);
  const first = firstValue(given, given);
  if (!isRecord(schema.properties) || !isRecord(first)) return first ?? {};
  const defaults = Object.entries(schema.properties).flatMap(([name, property]) => {
    const { default: byDefault } = resolved(property, given);
    return byDefault === undefined ? [] : [[name, byDefault as Json] as const];
  });
  return { ...Object.fromEntries(defaults), ...(first as Record<string, Json>) };
}

/** What a new entry of a list or map begins with. */
export function newEntry(given: unknown, root: unknown, depth = 0): Json {
  const first = firstValue(given, root, 1);
  if (first !== undefined) return first;
  const { type, enum: values, anyOf, oneOf } = resolved(given, root);
  if (Array.isArray(values) && values.length > 0) return values[0] as Json;
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches) && branches.length > 0 && depth < deepest) return newEntry(branches[0], root, depth + 1);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    case 'null':
      return null;
    default:
      return '';
  }
}
