/** Start and end of an activity. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Maps a time to a position from 0 to 1. */
export type TimeAxis = (at: number) => number;

// An idle pause takes at most this share of the busy time.
const maxPauseShare = 0.04;
const minPauseMs = 2;

/** Creates an axis that shortens idle pauses. */
export function createTimeAxis(stretches: readonly TimeRange[]): TimeAxis {
  const steps = stretches.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  steps.sort((a, b) => a.at - b.at || b.by - a.by);
  const gaps = findGaps(steps);
  const busy = gaps.reduce((sum, { ms, isPause }) => sum + (isPause ? 0 : ms), 0);
  const most = Math.max(minPauseMs, busy * maxPauseShare);
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

/** Each moment with the time since the previous one, and whether it was idle. */
function findGaps(steps: readonly { at: number; by: number }[]): { at: number; ms: number; isPause: boolean }[] {
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
