import { literalKeywords } from '../keyword-sets.ts';
import type { JsonSchema } from '../infer.ts';
import { buildAutomaton } from './automaton.ts';
import { LinearPattern } from './linear-pattern.ts';
import { UnsupportedPattern } from './parse.ts';

/** A compiled pattern, and whether some texts may make it slow. */
export interface CompiledPattern {
  readonly regexp: RegExp;
  readonly costly: boolean;
}

/** The maximum steps `RegExp` may need to fail: in total, or per position of the text. */
const maxTotalSteps = 10_000;
const maxStepsPerPosition = 16;

/** The maximum linear patterns of a schema. */
const maxLinear = 50;

/** The compiled patterns of one schema. Limits the number of linear ones, which take memory. */
export class PatternCache {
  readonly #byText = new Map<string, CompiledPattern>();
  #linear = 0;

  of(text: string): CompiledPattern {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    let made = compilePattern(text);
    if (made.regexp instanceof LinearPattern && ++this.#linear > maxLinear) {
      made = { regexp: new RegExp(text, 'u'), costly: true };
    }
    this.#byText.set(text, made);
    return made;
  }
}

/**
 * Compiles a pattern without catastrophic backtracking (ReDoS): to `RegExp` if it needs little or no backtracking, else
 * to a linear-time matcher. Patterns that the matcher does not support stay with `RegExp` and a time limit.
 */
export function compilePattern(text: string): CompiledPattern {
  try {
    const automaton = buildAutomaton(text);
    const { anchored, unambiguous, ways, longest } = automaton;
    const isFast = anchored
      ? unambiguous || ways * longest <= maxTotalSteps
      : (unambiguous ? 1 : ways) * longest <= maxStepsPerPosition;
    return isFast
      ? { regexp: new RegExp(text, 'u'), costly: false }
      : { regexp: new LinearPattern(text, automaton), costly: true };
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { regexp: new RegExp(text, 'u'), costly: true };
    throw error;
  }
}

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
      else made[name] = literalKeywords.has(name) ? value : copy(value);
    }
    return made;
  }

  return copy(schema) as JsonSchema;
}
