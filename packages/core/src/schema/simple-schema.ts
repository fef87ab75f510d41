import { exceeds } from '../jsonrpc/size.ts';
import { limits } from '../limits.ts';
import type { JsonSchema } from './infer.ts';
import { isInherited, isSchemaObject, keywords, typeNames } from './keywords.ts';

const { depth, untimed, untimedRepeated, untimedListed } = limits.schema;

/** What the schemas of one tool may weigh in all: as many names and values as are compared without a time limit. */
const budget = untimedListed.value;

/** What each schema weighs, so that no limit to their number can be passed, nor that to their depth. */
const schemaCost = Math.ceil(budget / Math.min(depth.value, untimed.value, untimedRepeated.value));

/** A value that is nested deeper, such as a default, is looked at closely. */
const plainBounds = { length: Number.POSITIVE_INFINITY, depth: 16 };

/**
 * True for a small schema of usual keywords in which nothing is wrong, and nothing has to be known before values are checked
 * with it. Most are, and every schema of every tool is looked at when a server starts: so this is one function that makes
 * no garbage. Of all others it knows nothing.
 */
export function isSimpleSchema(schema: JsonSchema): boolean {
  return remainingBudget(schema, budget) >= 0;
}

/** What is left of the room; below 0 where it is too small, or the schema not simple. */
function remainingBudget(schema: JsonSchema, before: number): number {
  let left = before - schemaCost;
  if (left < 0 || '~standard' in schema) return -1;
  for (const keyword in schema) {
    const value = schema[keyword];
    // What stands in almost every schema is not looked up.
    if (keyword === 'type' ? typeNames.has(value) : keyword === 'description' && typeof value === 'string') continue;
    const known = keywords.get(keyword);
    if (value === undefined) continue;
    if (known === undefined) {
      if (exceeds(value, plainBounds)) return -1;
      continue;
    }
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
    } else if (known.holds !== undefined || !known.fits(value)) {
      return -1;
    } else if (keyword === 'required') {
      left -= (value as string[]).length;
      for (const name of value as string[]) if (isInherited(name)) return -1;
    } else if (keyword === 'enum') {
      left -= (value as unknown[]).length;
      if (exceeds(value, plainBounds)) return -1;
    } else if (known.telling || exceeds(value, plainBounds)) {
      return -1;
    }
    if (left < 0) return -1;
  }
  return left;
}
