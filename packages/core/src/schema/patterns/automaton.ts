import { Condition, parsePattern, type Part, UnsupportedPattern } from './parse.ts';

/** The maximum positions of an automaton. */
const mostPositions = 200;
const maxSteps = mostPositions * 20;

/** A step to a position, under conditions for the place between the two characters. */
export interface Step {
  readonly to: number;
  readonly when: number;
}

/**
 * A regular expression as an automaton without empty moves (Glushkov's): each position is one character of the
 * expression, repeated parts written out.
 */
export interface Automaton {
  readonly sets: readonly CharacterSet[];
  readonly first: readonly Step[];
  /** By position. */
  readonly next: readonly (readonly Step[])[];
  /** By position: the conditions under which a match may end there; mostly none. */
  readonly ends: readonly (readonly number[])[];
  /** The conditions under which the empty text matches. */
  readonly empty: readonly number[];
  /** Every match starts at the start of the text. */
  readonly anchored: boolean;
  /** Deterministic: each character allows at most one next step, so that `RegExp` never backtracks. */
  readonly unambiguous: boolean;
  /** Upper bounds of the paths through it and of the length of a match. */
  readonly ways: number;
  readonly longest: number;
}

/** A part of the expression: its first and last positions, and whether it matches the empty text. */
interface Fragment {
  first: Step[];
  last: Step[];
  empty: number[];
  ways: number;
  longest: number;
}

interface Build {
  readonly sets: CharacterSet[];
  readonly next: Step[][];
  readonly bySource: Map<string, CharacterSet>;
  steps: number;
  unambiguous: boolean;
}

/** Builds the automaton of a regular expression. Throws `UnsupportedPattern` if it has none, or only a large one. */
export function buildAutomaton(source: string): Automaton {
  const build: Build = { sets: [], next: [], bySource: new Map(), steps: 0, unambiguous: true };
  const { first, last, empty, ways, longest } = add(build, parsePattern(source));
  const ends: number[][] = build.sets.map(() => []);
  for (const { to, when } of last) if ((when & Condition.start) === 0) ends[to]?.push(when);
  const { sets, next } = build;
  const begins = first.filter(({ when }) => (when & Condition.end) === 0);
  const isClear = (steps: readonly Step[]): boolean => areDisjoint(steps.map(({ to }) => sets[to] as CharacterSet));
  return {
    sets,
    first: begins,
    next,
    ends,
    empty,
    anchored: [...begins, ...empty.map((when) => ({ when }))].every(({ when }) => (when & Condition.start) !== 0),
    unambiguous: build.unambiguous && isClear(begins) && next.every(isClear),
    ways,
    longest,
  };
}

function add(build: Build, part: Part): Fragment {
  switch (part.kind) {
    case 'character':
      return addCharacter(build, part.source);
    case 'condition':
      return { ...emptyFragment(), empty: [part.condition] };
    case 'sequence':
      return part.parts.reduce<Fragment>((before, one) => sequence(build, before, add(build, one)), emptyFragment());
    case 'choice':
      return part.options.map((option) => add(build, option)).reduce((one, other) => choice(build, one, other));
    case 'repeat':
      return addRepeat(build, part);
  }
}

function emptyFragment(): Fragment {
  return { first: [], last: [], empty: [0], ways: 1, longest: 0 };
}

function addCharacter(build: Build, source: string): Fragment {
  const position = build.sets.length;
  if (position === mostPositions) throw new UnsupportedPattern();
  let set = build.bySource.get(source);
  if (set === undefined) build.bySource.set(source, (set = new CharacterSet(source)));
  build.sets.push(set);
  build.next.push([]);
  const here = { to: position, when: 0 };
  return { first: [here], last: [here], empty: [], ways: 1, longest: 1 };
}

function sequence(build: Build, one: Fragment, other: Fragment): Fragment {
  connect(build, one.last, other.first);
  return {
    first: merge(build, one.first, withConditions(other.first, one.empty)),
    last: merge(build, other.last, withConditions(one.last, other.empty)),
    empty: join(one.empty, other.empty),
    ways: one.ways * other.ways,
    longest: one.longest + other.longest,
  };
}

function choice(build: Build, one: Fragment, other: Fragment): Fragment {
  if (one.empty.length > 0 && other.empty.length > 0) build.unambiguous = false;
  return {
    first: merge(build, one.first, other.first),
    last: merge(build, one.last, other.last),
    empty: [...new Set([...one.empty, ...other.empty])],
    ways: one.ways + other.ways,
    longest: Math.max(one.longest, other.longest),
  };
}

function addRepeat(build: Build, { part, min, max }: Extract<Part, { kind: 'repeat' }>): Fragment {
  let whole = emptyFragment();
  // The last required repetition becomes the unbounded one.
  const single = max === Infinity ? Math.max(min - 1, 0) : min;
  for (let count = 0; count < single; count += 1) whole = sequence(build, whole, addOnce(build, part));
  if (max === Infinity) return sequence(build, whole, addUnbounded(build, part, min === 0));
  let rest = emptyFragment();
  for (let count = min; count < max; count += 1) rest = optional(build, sequence(build, addOnce(build, part), rest));
  return sequence(build, whole, rest);
}

/** One repetition. A part that can be empty is ambiguous. */
function addOnce(build: Build, part: Part): Fragment {
  const fragment = add(build, part);
  build.steps += 1;
  if (build.steps > maxSteps) throw new UnsupportedPattern();
  if (fragment.empty.length > 0) build.unambiguous = false;
  return fragment;
}

function addUnbounded(build: Build, part: Part, mayBeMissing: boolean): Fragment {
  const fragment = addOnce(build, part);
  connect(build, fragment.last, fragment.first);
  const whole = { ...fragment, ways: Infinity, longest: Infinity };
  return mayBeMissing ? optional(build, whole) : whole;
}

function optional(build: Build, fragment: Fragment): Fragment {
  return choice(build, fragment, { ...emptyFragment(), ways: 1 });
}

/** Connects the last positions of one part with the first of the next. */
function connect(build: Build, last: readonly Step[], first: readonly Step[]): void {
  for (const { to: from, when: after } of last) {
    const next = build.next[from] as Step[];
    for (const { to, when: before } of first) {
      const when = after | before;
      // Between two characters is neither the start nor the end.
      if (!isPossible(when) || (when & (Condition.start | Condition.end)) !== 0) continue;
      push(build, next, { to, when });
    }
  }
}

function merge(build: Build, one: readonly Step[], other: readonly Step[]): Step[] {
  const merged = [...one];
  for (const step of other) push(build, merged, step);
  return merged;
}

/** Adds a step; a duplicate makes the expression ambiguous. */
function push(build: Build, steps: Step[], step: Step): void {
  build.steps += 1;
  if (build.steps > maxSteps) throw new UnsupportedPattern();
  if (steps.some(({ to, when }) => to === step.to && when === step.when)) build.unambiguous = false;
  else steps.push(step);
}

function withConditions(steps: readonly Step[], conditions: readonly number[]): Step[] {
  return conditions.flatMap((condition) =>
    steps.map(({ to, when }) => ({ to, when: when | condition })).filter(({ when }) => isPossible(when)),
  );
}

function join(one: readonly number[], other: readonly number[]): number[] {
  const joined = one.flatMap((first) => other.map((second) => first | second));
  return [...new Set(joined)].filter(isPossible);
}

function isPossible(when: number): boolean {
  const both = Condition.boundary | Condition.noBoundary;
  return (when & both) !== both;
}

const ascii = 128;

/** The set of characters that one part of a regular expression matches. */
export class CharacterSet {
  /** Whether it may contain characters beyond ASCII. */
  readonly goesBeyond: boolean;
  /** A bit set of its ASCII characters. */
  readonly bits: readonly number[];
  readonly #regexp: RegExp;

  constructor(source: string) {
    this.#regexp = new RegExp(`^(?:${source})$`, 'u');
    this.goesBeyond = /^(?:\.|\[\^)|[^\0-\x7f]|\\[uxpPsSDW]/.test(source);
    const bits = [0, 0, 0, 0];
    for (let code = 0; code < ascii; code += 1) {
      if (this.#regexp.test(String.fromCharCode(code)))
        bits[code >> 5] = (bits[code >> 5] as number) | (1 << (code & 31));
    }
    this.bits = bits;
  }

  has(code: number): boolean {
    if (code < ascii) return ((this.bits[code >> 5] as number) & (1 << (code & 31))) !== 0;
    return this.goesBeyond && this.#regexp.test(String.fromCodePoint(code));
  }
}

/** True if the sets are certainly disjoint. */
function areDisjoint(sets: readonly CharacterSet[]): boolean {
  const seen = [0, 0, 0, 0];
  let goesBeyond = false;
  for (const set of sets) {
    if (goesBeyond && set.goesBeyond) return false;
    goesBeyond ||= set.goesBeyond;
    for (const [index, bits] of set.bits.entries()) {
      if (((seen[index] as number) & bits) !== 0) return false;
      seen[index] = (seen[index] as number) | bits;
    }
  }
  return true;
}
