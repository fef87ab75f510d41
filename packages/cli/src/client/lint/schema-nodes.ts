import { isRecord } from '../../system/record.ts';

/** A schema inside a schema, and where it is. */
export interface SchemaNode {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly path: string;
}

/** Keywords whose value is a schema, a list of schemas, or an object of schemas. */
const holdsOne = [
  'items',
  'additionalProperties',
  'additionalItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
];
const holdsList = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'];
const holdsNamed = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Maximum number of nodes to visit. */
const maxNodes = 10_000;

/** A schema and all schemas in it. Does not follow references. */
export function schemaNodes(schema: unknown, path: string): SchemaNode[] {
  const nodes: SchemaNode[] = [];
  const queue: { value: unknown; path: string }[] = [{ value: schema, path }];
  for (const { value, path: at } of queue) {
    if (!isRecord(value)) continue;
    if (nodes.push({ schema: value, path: at }) >= maxNodes) break;
    for (const key of holdsOne) if (Object.hasOwn(value, key)) queue.push({ value: value[key], path: `${at}.${key}` });
    for (const key of holdsList) {
      const list = Object.hasOwn(value, key) ? value[key] : undefined;
      if (Array.isArray(list))
        for (const [index, each] of list.entries()) queue.push({ value: each, path: `${at}.${key}[${index}]` });
    }
    for (const key of holdsNamed) {
      const named = Object.hasOwn(value, key) ? value[key] : undefined;
      if (isRecord(named))
        for (const [name, each] of Object.entries(named)) queue.push({ value: each, path: `${at}.${key}.${name}` });
    }
  }
  return nodes;
}

/** Resolves a reference within a schema, such as `#/$defs/a`; undefined if its target does not exist. */
export function resolvePointer(root: unknown, reference: string): unknown {
  let value = root;
  for (const part of reference.split('/').slice(1)) {
    const key = unescapePart(part);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function unescapePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}
