import type { JsonSchema } from '../infer.ts';
import type { PatternCache } from './compile-pattern.ts';
import { LinearPattern } from './linear-pattern.ts';

/** Values of these are compared and not read as schemas. */
const literals = new Set(['const', 'enum']);

/** What the validator uses where an object may have no further properties. */
const never = '(?!)';

/**
 * Checks the regular expressions that a compiled schema uses, and puts others in their place. True if some are costly.
 * A schema without patterns has some, too: the validator makes them of names, and those are quick.
 */
export function replacePatterns(variables: unknown[], patterns: PatternCache | undefined): boolean {
  if (patterns === undefined) return false;
  let costly = false;
  for (const [index, variable] of variables.entries()) {
    if (!(variable instanceof RegExp) || variable.source === never) continue;
    const checked = patterns.of(variable.source);
    variables[index] = checked.regexp;
    costly ||= checked.costly;
  }
  return costly;
}

/** A copy of a schema in which patterns that may be slow are linear ones: the validator takes a `RegExp` for a text. */
export function withLinearPatterns(schema: JsonSchema, patterns: PatternCache | undefined): JsonSchema {
  if (patterns === undefined) return schema;
  const copies = new Map<object, object>();

  function patternOf(text: string): unknown {
    const { regexp } = (patterns as PatternCache).of(text);
    return regexp instanceof LinearPattern ? regexp : text;
  }

  function copy(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node;
    const known = copies.get(node);
    if (known !== undefined) return known;
    if (Array.isArray(node)) {
      const list: unknown[] = [];
      copies.set(node, list);
      for (const item of node) list.push(copy(item));
      return list;
    }
    const made: Record<string, unknown> = {};
    copies.set(node, made);
    for (const [name, value] of Object.entries(node)) {
      if (name === 'pattern' && typeof value === 'string') made[name] = patternOf(value);
      else made[name] = literals.has(name) ? value : copy(value);
    }
    return made;
  }

  return copy(schema) as JsonSchema;
}
