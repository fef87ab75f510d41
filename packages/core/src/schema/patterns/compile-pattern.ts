import { limits } from '../../limits.ts';
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

const maxLinear = limits.schema.linearPatterns.value;

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
 * Compiles a pattern: to `RegExp` if it needs little or no backtracking, else to a linear-time matcher. Patterns that
 * the matcher does not support stay with `RegExp`.
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
