import { limits } from '../../limits.ts';
import { buildAutomaton } from './automaton.ts';
import { LinearPattern } from './linear-pattern.ts';
import { UnsupportedPattern } from './parse.ts';

/** A regular expression to test texts with, and whether some texts may take it long. */
export interface CompiledPattern {
  readonly regexp: RegExp;
  readonly costly: boolean;
}

/** How many characters `RegExp` may look at to find that there is no match: for the whole text, or at each place of it. */
const maxTotalSteps = 10_000;
const maxStepsPerPosition = 16;

const maxLinear = limits.schema.linearPatterns.value;

/** The regular expressions of one schema. Each is made once; of linear ones, which take memory, there are not many. */
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
 * Makes what tests texts in the place of a regular expression. `RegExp` does where it is sure to be quick, because there
 * is never a second way to try, or only few; where it may not be, a linear one. What neither can do is left to `RegExp`.
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
