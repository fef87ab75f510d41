import { isRecord, type Json } from '../../shared/json.ts';
import { type Budget, createBudget, resolveSchema, spendBudget } from './resolve-schema.ts';

// Required properties may be recursive and numerous.
const maxDepth = 3;
const maxValues = 1000;

/** Initial value of a form: required properties with a default or a single possible value. The server fills in the rest. */
export function initialValue(
  given: unknown,
  root: unknown,
  depth = 0,
  budget: Budget = createBudget(maxValues),
): Json | undefined {
  if (!spendBudget(budget)) return undefined;
  const schema = resolveSchema(given, root);
  if (schema.default !== undefined) return schema.default as Json;
  if ('const' in schema) return schema.const as Json;
  if (!isRecord(schema.properties) || depth > maxDepth) return depth === 0 ? {} : undefined;
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  const entries = required.flatMap((name) => {
    const property = isRecord(schema.properties) ? schema.properties[name] : undefined;
    const value = property === undefined ? undefined : initialValue(property, root, depth + 1, budget);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Initial value with all defaults, for forms whose receiver does not fill them in. */
export function withDefaults(given: unknown): Json {
  const schema = resolveSchema(given, given);
  const first = initialValue(given, given);
  if (!isRecord(schema.properties) || !isRecord(first)) return first ?? {};
  const defaults = Object.entries(schema.properties).flatMap(([name, property]) => {
    const { default: byDefault } = resolveSchema(property, given);
    return byDefault === undefined ? [] : [[name, byDefault as Json] as const];
  });
  return { ...Object.fromEntries(defaults), ...(first as Record<string, Json>) };
}

/** Initial value of a new entry of a list or map. */
export function newEntryValue(given: unknown, root: unknown, depth = 0): Json {
  const first = initialValue(given, root, 1);
  if (first !== undefined) return first;
  const { type, enum: values, anyOf, oneOf } = resolveSchema(given, root);
  if (Array.isArray(values) && values.length > 0) return values[0] as Json;
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches) && branches.length > 0 && depth < maxDepth)
    return newEntryValue(branches[0], root, depth + 1);
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
