import { elongationAt, instantNear } from './elongation.ts';
import { type Phase, phases } from './phase.ts';

const quarterMs = (29.530588861 / 4) * 24 * 60 * 60 * 1000;

/** The next new moons, full moons and quarters from a date on. */
export function comingPhases(date: Date, count: number): { phase: Phase; date: Date }[] {
  const elongation = elongationAt(date);
  const first = Math.floor(elongation / 90) + 1;
  const coming: { phase: Phase; date: Date }[] = [];
  let guess = date.getTime() + (first - elongation / 90) * quarterMs;
  for (let each = first; each < first + count; each++) {
    const instant = instantNear(new Date(guess), (each % 4) * 90);
    coming.push({ phase: phases[(each % 4) * 2] as Phase, date: instant });
    guess = instant.getTime() + quarterMs;
  }
  return coming;
}
