import { isObject } from '../../jsonrpc/message.ts';
import type { ToolListing, WireSchema } from '../../protocol/listing.ts';
import type { QuirkFix } from './client-quirks.ts';

/** Larger schemas stay as they are. */
const maxNodes = 5000;

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** The row of a tool with schemas that a client accepts. The server checks arguments by its own schema as ever. */
export function fixSchemas(tool: ToolListing, fix: QuirkFix['schema']): ToolListing {
  switch (fix) {
    case 'flatten-top':
      return { ...tool, inputSchema: flattenTop(tool.inputSchema) };
    case 'drop-recursive-output': {
      const { outputSchema, ...rest } = tool;
      return outputSchema !== undefined && inlineReferences(outputSchema) === undefined ? rest : tool;
    }
    case 'drop-old-dialect':
      return mapSchemas(tool, dropOldDialect);
    case 'inline-references':
      return mapSchemas(tool, (schema) => inlineReferences(schema) ?? schema);
    case 'drop-unsupported':
      return mapSchemas(tool, (schema) => dropUnsupported(schema) as WireSchema);
    case undefined:
      return tool;
  }
}

function mapSchemas(tool: ToolListing, map: (schema: WireSchema) => WireSchema): ToolListing {
  const { inputSchema, outputSchema } = tool;
  return {
    ...tool,
    inputSchema: map(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: map(outputSchema) }),
  };
}

/** Joins the properties of alternatives at the top. Only what all need is required. */
function flattenTop(schema: WireSchema): WireSchema {
  const { oneOf, anyOf, allOf, ...rest } = schema;
  const alternatives = [oneOf, anyOf].flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : []));
  const conditions = Array.isArray(allOf) ? (allOf as unknown[]) : [];
  if (oneOf === undefined && anyOf === undefined && allOf === undefined) return schema;
  const properties: Record<string, unknown> = {};
  for (const part of [...alternatives, ...conditions, rest]) {
    if (isObject(part) && isObject(part.properties)) Object.assign(properties, part.properties);
  }
  const required = new Set([rest, ...conditions].flatMap(requiredOf));
  const [first, ...others] = alternatives.map(requiredOf);
  for (const name of first ?? []) if (others.every((each) => each.includes(name))) required.add(name);
  const { additionalProperties, ...kept } = rest;
  return {
    ...kept,
    type: 'object',
    properties,
    ...(required.size > 0 && { required: Array.from(required) }),
    // It would forbid what an alternative allows.
    ...(additionalProperties === true && { additionalProperties }),
  };
}

function requiredOf(schema: unknown): string[] {
  return isObject(schema) && Array.isArray(schema.required) ? (schema.required as string[]) : [];
}

function dropOldDialect(schema: WireSchema): WireSchema {
  const { $schema, ...rest } = schema;
  return $schema === undefined || $schema.startsWith(dialect) ? schema : rest;
}

function dropUnsupported(value: unknown, depth = 0): unknown {
  if (depth > 100) return value;
  if (Array.isArray(value)) return value.map((item) => dropUnsupported(item, depth + 1));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    // Under these, the keys are names of the author.
    if ((key === 'properties' || key === '$defs' || key === 'patternProperties') && isObject(member)) {
      const named = Object.entries(member).map(([name, each]) => [name, dropUnsupported(each, depth + 2)]);
      return [[key, Object.fromEntries(named)]];
    }
    if (key === 'default' || key === 'const' || key === 'enum' || key === 'examples') return [[key, member]];
    if (key === '$schema' || key === 'propertyNames') return [];
    if (key === 'additionalProperties' && isObject(member)) return [];
    return [[key, dropUnsupported(member, depth + 1)]];
  });
  return Object.fromEntries(entries);
}

/** A schema with each local reference replaced by what it refers to. Undefined: it is recursive, too large, or refers to nothing. */
function inlineReferences(schema: WireSchema): WireSchema | undefined {
  let nodes = 0;
  const inline = (value: unknown, path: readonly string[]): unknown => {
    nodes += 1;
    if (nodes > maxNodes || path.length > 50) throw new RangeError('too large');
    if (Array.isArray(value)) return value.map((item) => inline(item, path));
    if (!isObject(value)) return value;
    const { $ref, ...rest } = value;
    if (typeof $ref !== 'string') {
      const kept = Object.entries(value).filter(
        ([key]) => value !== schema || (key !== '$defs' && key !== 'definitions'),
      );
      return Object.fromEntries(kept.map(([key, member]) => [key, inline(member, path)]));
    }
    if (path.includes($ref)) throw new RangeError('recursive');
    const target = inline(resolve(schema, $ref), [...path, $ref]);
    return { ...(target as object), ...(inline(rest, path) as object) };
  };
  try {
    return inline(schema, []) as WireSchema;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function resolve(schema: WireSchema, reference: string): unknown {
  let found: unknown = schema;
  for (const part of reference.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  if (reference.startsWith('#') && isObject(found)) return found;
  throw new RangeError('refers to nothing');
}
