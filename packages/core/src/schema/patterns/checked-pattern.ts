import { limits } from '../../limits.ts';
import { automatonOf } from './automaton.ts';
import { LinearPattern } from './linear-pattern.ts';
import { Unfit } from './parse.ts';

/** A regular expression to test texts with, and whether some texts may take it long. */
export interface CheckedPattern {
  readonly regexp: RegExp;
  readonly costly: boolean;
}

/** How many characters `RegExp` may look at to find that there is no match: for the whole text, or at each place of it. */
const mostInAll = 10_000;
const mostPerPlace = 16;

const mostLinear = limits.schema.linearPatterns.value;

/** The regular expressions of one schema. Each is made once; of linear ones, which take memory, there are not many. */
export class CheckedPatterns {
  readonly #byText = new Map<string, CheckedPattern>();
  #linear = 0;

  of(text: string): CheckedPattern {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    let made = checkedPattern(text);
    if (made.regexp instanceof LinearPattern && ++this.#linear > mostLinear) {
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
export function checkedPattern(text: string): CheckedPattern {
  try {
    const automaton = automatonOf(text);
    const { anchored, unambiguous, ways, longest } = automaton;
    const isQuick = anchored
      ? unambiguous || ways * longest <= mostInAll
      : (unambiguous ? 1 : ways) * longest <= mostPerPlace;
    return isQuick
      ? { regexp: new RegExp(text, 'u'), costly: false }
      : { regexp: new LinearPattern(text, automaton), costly: true };
  } catch (error) {
    if (error instanceof Unfit) return { regexp: new RegExp(text, 'u'), costly: true };
    throw error;
  }
}
