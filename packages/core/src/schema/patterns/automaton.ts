import { limits } from '../../limits.ts';
import { areDisjoint, CharacterSet } from './character-set.ts';
import { Condition, type Part, parsePattern, UnsupportedPattern } from './parse.ts';

const mostPositions = limits.schema.patternPositions.value;
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
  /** By position: under which conditions a text may end there; without any condition, and so no end, mostly none. */
  readonly ends: readonly (readonly number[])[];
  /** Under which conditions no character at all will do. */
  readonly empty: readonly number[];
  /** Every match begins where the text does. */
  readonly anchored: boolean;
  /** A character and what came before it leave at most one way to go on, so that nobody ever has to try another. */
  readonly unambiguous: boolean;
  /** In how many ways it can be gone through, and the longest text that it matches, or more. */
  readonly ways: number;
  readonly longest: number;
}

/** A part of the expression: where it can begin and end, and whether it can be passed without a character. */
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

/** Makes the automaton of a regular expression. Throws `Unfit` where there is none, or only a large one. */
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
      return { ...nothing(), empty: [part.condition] };
    case 'sequence':
      return part.parts.reduce<Fragment>((before, one) => sequence(build, before, add(build, one)), nothing());
    case 'choice':
      return part.options.map((option) => add(build, option)).reduce((one, other) => choice(build, one, other));
    case 'repeat':
      return addRepeat(build, part);
  }
}

function nothing(): Fragment {
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
    first: merge(build, one.first, under(other.first, one.empty)),
    last: merge(build, other.last, under(one.last, other.empty)),
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
  let whole = nothing();
  // The last of those that must be there may be the one that goes on for ever.
  const single = max === Infinity ? Math.max(min - 1, 0) : min;
  for (let count = 0; count < single; count += 1) whole = sequence(build, whole, once(build, part));
  if (max === Infinity) return sequence(build, whole, endless(build, part, min === 0));
  let rest = nothing();
  for (let count = min; count < max; count += 1) rest = optional(build, sequence(build, once(build, part), rest));
  return sequence(build, whole, rest);
}

/** A part that is repeated. If it can be empty, there are many ways to repeat it. */
function once(build: Build, part: Part): Fragment {
  const fragment = add(build, part);
  build.steps += 1;
  if (build.steps > maxSteps) throw new UnsupportedPattern();
  if (fragment.empty.length > 0) build.unambiguous = false;
  return fragment;
}

function endless(build: Build, part: Part, mayBeMissing: boolean): Fragment {
  const fragment = once(build, part);
  connect(build, fragment.last, fragment.first);
  const whole = { ...fragment, ways: Infinity, longest: Infinity };
  return mayBeMissing ? optional(build, whole) : whole;
}

function optional(build: Build, fragment: Fragment): Fragment {
  return choice(build, fragment, { ...nothing(), ways: 1 });
}

/** Adds the steps from what one part ends with to what another begins with. */
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

/** A step that is there already would be taken in two ways. */
function push(build: Build, steps: Step[], step: Step): void {
  build.steps += 1;
  if (build.steps > maxSteps) throw new UnsupportedPattern();
  if (steps.some(({ to, when }) => to === step.to && when === step.when)) build.unambiguous = false;
  else steps.push(step);
}

function under(steps: readonly Step[], conditions: readonly number[]): Step[] {
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
