/** From when to when something went on. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where moments are drawn, from 0 to 1. */
export type Axis = (at: number) => number;

// A pause in which nothing goes on is drawn at most as this part of the time in which something does.
const longestPause = 0.04;
const leastPause = 2;

/** An axis for stretches of time on which pauses are short, so that what happens can be seen. */
export function axisFor(stretches: readonly Stretch[]): Axis {
  const steps = stretches.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  steps.sort((a, b) => a.at - b.at || b.by - a.by);
  const gaps = gapsOf(steps);
  const busy = gaps.reduce((sum, { ms, isPause }) => sum + (isPause ? 0 : ms), 0);
  const most = Math.max(leastPause, busy * longestPause);
  const moments: number[] = [];
  const places: number[] = [];
  let place = 0;
  for (const { at, ms, isPause } of gaps) {
    place += isPause ? Math.min(ms, most) : ms;
    moments.push(at);
    places.push(place);
  }
  const whole = place || 1;
  return (at) => {
    const index = moments.findLastIndex((moment) => moment <= at);
    if (index === -1) return 0;
    const here = places[index] ?? 0;
    const room = (places[index + 1] ?? here) - here;
    return Math.min(1, (here + Math.min(at - (moments[index] ?? 0), room)) / whole);
  };
}

/** Each moment with the time since the one before, and whether something went on in between. */
function gapsOf(steps: readonly { at: number; by: number }[]): { at: number; ms: number; isPause: boolean }[] {
  const gaps: { at: number; ms: number; isPause: boolean }[] = [];
  let running = 0;
  let before = steps[0]?.at ?? 0;
  for (const { at, by } of steps) {
    if (gaps.length === 0 || at !== before) gaps.push({ at, ms: at - before, isPause: running === 0 });
    before = at;
    running += by;
  }
  return gaps;
}
