import { codeOf } from './units.ts';

/** Text that must match literally. */
export interface Literal {
  readonly units: readonly number[];
}

/** A run of text that variables are read from. */
export interface TextSpan {
  /** The required separator before the text; with one, the whole part may be absent. */
  readonly lead: string;
  /** The characters that the text can't contain unescaped. */
  readonly stops: string;
  /** How many characters the text can have. */
  readonly limit: number;
}

/** For every position: where a step that starts there ends, and how many optional parts are filled from there on. */
interface Plan {
  readonly ends: Int32Array;
  readonly filled: Int32Array;
}

const none = -1;

/**
 * Finds where each step ends, in time proportional to the URI times the template. Steps are planned last to first, for
 * all positions together, so that no choice is tried twice. The best division fills most of the optional parts; among
 * equals, the one that gives most text to the leftmost step.
 */
export function align(steps: readonly (Literal | TextSpan)[], units: readonly number[]): number[] | undefined {
  let filled = positions(units);
  filled[units.length] = 0;
  const plans: Int32Array[] = [];
  for (const step of steps.toReversed()) {
    const plan = 'units' in step ? planLiteral(step, units, filled) : planStretch(step, units, filled);
    plans.unshift(plan.ends);
    filled = plan.filled;
  }
  if (filled[0] === none) return undefined;
  const found: number[] = [];
  for (const ends of plans) found.push(ends[found.at(-1) ?? 0] ?? none);
  return found;
}

function positions(units: readonly number[]): Int32Array {
  return new Int32Array(units.length + 1).fill(none);
}

function planLiteral(literal: Literal, units: readonly number[], next: Int32Array): Plan {
  const plan: Plan = { ends: positions(units), filled: positions(units) };
  for (let at = 0; at < plan.ends.length; at++) {
    if (!matchesAt(literal.units, units, at)) continue;
    const end = at + literal.units.length;
    plan.ends[at] = end;
    plan.filled[at] = next[end] ?? none;
  }
  return plan;
}

function matchesAt(wanted: readonly number[], units: readonly number[], at: number): boolean {
  for (let index = 0; index < wanted.length; index++) {
    if (units[at + index] !== wanted[index]) return false;
  }
  return true;
}

function planStretch(stretch: TextSpan, units: readonly number[], next: Int32Array): Plan {
  const plan: Plan = { ends: positions(units), filled: positions(units) };
  const { lead } = stretch;
  const leadCode = lead === '' ? none : codeOf(lead);
  const textEnds = bestTextEnds(stretch, units, next);
  for (let at = 0; at < plan.ends.length; at++) {
    const led = leadCode === none || units[at] === leadCode;
    const end = led ? (textEnds[at + lead.length] ?? none) : none;
    const present = end === none ? none : (next[end] ?? none) + 1;
    const absent = lead === '' ? none : (next[at] ?? none);
    plan.ends[at] = absent > present ? at : end;
    plan.filled[at] = Math.max(absent, present);
  }
  return plan;
}

/** The best end of the text for every start: the maximum of `next` over a window that slides to the left. */
function bestTextEnds({ lead, stops, limit }: TextSpan, units: readonly number[], next: Int32Array): Int32Array {
  const ends = positions(units);
  const stopCodes = Array.from(stops, codeOf);
  // Ends still in the window, each filling more than those nearer to the start: from `best`, the farthest, up to `size`.
  const candidates = positions(units);
  let best = 0;
  let size = 0;
  const offer = (end: number) => {
    const gain = next[end] ?? none;
    if (gain === none) return;
    while (size > best && (next[candidates[size - 1] ?? 0] ?? none) < gain) size--;
    candidates[size++] = end;
  };
  for (let start = units.length; start >= 0; start--) {
    const unit = units[start];
    const allowed = unit !== undefined && !stopCodes.includes(unit);
    if (!allowed) best = size;
    if (lead !== '') offer(start);
    else if (allowed) offer(start + 1);
    while (best < size && (candidates[best] ?? 0) > start + limit) best++;
    ends[start] = best < size ? (candidates[best] ?? none) : none;
  }
  return ends;
}
