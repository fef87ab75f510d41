import type { Literal, Stretch } from './align.ts';
import { codeOf } from './units.ts';

/**
 * Whether the steps of a template can lead to the end of a URI, as far as one walk over it tells: false is certain, true is
 * for `align` to confirm. It follows the lowest and the highest position at which each step can end.
 */
export function canReachEnd(steps: readonly (Literal | Stretch)[], units: readonly number[]): boolean {
  let low = 0;
  let high = 0;
  for (const step of steps) {
    if ('units' in step) {
      const { length } = step.units;
      low = positionOf(step.units, units, { from: low, to: Math.min(high, units.length - length) }) + length;
      if (low < length) return false;
      high = Math.min(high + length, units.length);
      continue;
    }
    const { lead, stops } = step;
    const start = lead === '' ? high : units.lastIndexOf(codeOf(lead), high) + 1;
    if (lead === '') low += 1;
    else if (start <= low) continue;
    high = Math.max(high, nextStop(stops, units, start));
    if (low > high) return false;
  }
  return high === units.length;
}

/** The first position within a span where a literal stands; -1 where there is none. */
function positionOf(
  literal: readonly number[],
  units: readonly number[],
  { from, to }: { from: number; to: number },
): number {
  for (let at = from; at <= to; at++) {
    if (literal.every((unit, index) => units[at + index] === unit)) return at;
  }
  return -1;
}

function nextStop(stops: string, units: readonly number[], from: number): number {
  const [first = 0, second = first, third = first] = Array.from(stops, codeOf);
  if (stops === '') return units.length;
  for (let at = from; at < units.length; at++) {
    const unit = units[at];
    if (unit === first || unit === second || unit === third) return at;
  }
  return units.length;
}
