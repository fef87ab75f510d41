import { exceeds } from '../jsonrpc/size.ts';
import type { JsonSchema } from './infer.ts';
import { isInherited, isNames, isSchemaObject, keywordOf, typeNames } from './keywords.ts';

/** The maximum nesting depth of a schema. */
export const maxDepth = 64;
/** Up to this size, with all references expanded, a check needs no time limit. */
export const maxUntimed = 500;
/** The maximum subschemas among them that apply to each item or property of a value. */
export const maxRepeated = 50;
/** The maximum property names and `enum` values that are compared without a time limit. */
export const maxListed = 1000;

/** The cost of each subschema, so that the limits on number and depth hold. */
const schemaCost = Math.ceil(maxListed / Math.min(maxDepth, maxUntimed, maxRepeated));

/** Values nested deeper than this, such as defaults, need the full inspection. */
const plainBounds = { length: Number.POSITIVE_INFINITY, depth: 16 };

/**
 * Fast path of `inspectSchema`: true for a small, valid schema of common keywords without findings. It runs for every
 * schema at start-up, so it is one function that allocates nothing. False means unknown.
 */
export function isSimpleSchema(schema: JsonSchema): boolean {
  return remainingBudget(schema, maxListed) >= 0;
}

/** The remaining budget; negative if it is exceeded, or the schema is not simple. */
function remainingBudget(schema: JsonSchema, before: number): number {
  let left = before - schemaCost;
  if (left < 0 || '~standard' in schema) return -1;
  for (const keyword in schema) {
    const value = schema[keyword];
    // The most common keywords need no lookup, so a server that has no others makes no table of them.
    if (keyword === 'type' ? typeNames.has(value) : keyword === 'description' && typeof value === 'string') continue;
    if (value === undefined) continue;
    if (keyword === 'properties') {
      if (!isSchemaObject(value)) return -1;
      for (const name in value) {
        const member = value[name];
        left -= 1;
        if (isInherited(name)) return -1;
        if (isSchemaObject(member)) left = remainingBudget(member, left);
        else if (typeof member !== 'boolean') return -1;
      }
    } else if (keyword === 'items' || keyword === 'additionalProperties') {
      if (isSchemaObject(value)) left = remainingBudget(value, left);
      else if (typeof value !== 'boolean') return -1;
    } else if (keyword === 'required' && isNames(value)) {
      left -= value.length;
      for (const name of value) if (isInherited(name)) return -1;
    } else if (keyword === 'enum' && Array.isArray(value)) {
      left -= value.length;
      if (exceeds(value, plainBounds)) return -1;
    } else {
      const known = keywordOf(keyword);
      const isPlain = known === undefined || (known.holds === undefined && !known.analyzed && known.fits(value));
      if (!isPlain || exceeds(value, plainBounds)) return -1;
    }
    if (left < 0) return -1;
  }
  return left;
}
