import type { JsonSchema } from '../infer.ts';
import type { PatternCache } from './compile-pattern.ts';
import { LinearPattern } from './linear-pattern.ts';

/** Keywords whose values are not schemas. */
const literals = new Set(['const', 'enum']);

/** The pattern the validator uses for `additionalProperties: false`. */
const never = '(?!)';

/**
 * Replaces the regular expressions of a compiled schema. Returns true if some are costly. Without patterns, the only
 * regular expressions are those the validator makes of names, which are fast.
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

/**
 * A copy of a schema with linear-time matchers for slow patterns; the validator accepts a `RegExp` instead of a text.
 */
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
