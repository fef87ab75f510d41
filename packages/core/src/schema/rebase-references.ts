import { isSchemaObject } from './keywords.ts';

/** Keywords whose values are not schemas. */
const literals = new Set(['const', 'enum', 'default', 'examples']);

/** Keywords whose member names are not keywords. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

/** Rebases the local references of a former root schema that now stands at `pointer`. */
export function rebaseReferences(schema: unknown, pointer: string): unknown {
  if (Array.isArray(schema)) return schema.map((part) => rebaseReferences(part, pointer));
  if (!isSchemaObject(schema) || '$id' in schema) return schema;
  return mapMembers(schema, (value, keyword) => {
    if (literals.has(keyword)) return value;
    if (named.has(keyword) && isSchemaObject(value))
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
