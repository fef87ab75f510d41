import { commonPlaces } from '../sessions/alignment.ts';

/** A line of two texts that are compared, or so many that both have and that are left out. */
export type DifferentLine =
  | { readonly is: 'same' | 'went' | 'came'; readonly text: string }
  | { readonly is: 'skipped'; readonly count: number };

/** So many lines that both have stand before and after those that differ. */
const around = 2;
const mostLines = 5000;
const mostDifferent = 200;

/** How two texts of several lines differ, line by line; undefined where they are no such texts, or differ too much. */
export function lineDifference(before: unknown, after: unknown): readonly DifferentLine[] | undefined {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  const [left, right] = [before.split('\n'), after.split('\n')];
  if (Math.max(left.length, right.length) < 2 || Math.max(left.length, right.length) > mostLines) return undefined;
  const places = commonPlaces(left, right, mostDifferent);
  // Where no line is the same, one text below the other is easier to read.
  return places === undefined || places.length === 0 ? undefined : withoutLongRuns(linesOf(left, right, places));
}

function linesOf(
  left: readonly string[],
  right: readonly string[],
  places: readonly (readonly [number, number])[],
): DifferentLine[] {
  const lines: DifferentLine[] = [];
  let [x, y] = [0, 0];
  for (const [one, other] of [...places, [left.length, right.length] as const]) {
    for (; x < one; x += 1) lines.push({ is: 'went', text: left[x] ?? '' });
    for (; y < other; y += 1) lines.push({ is: 'came', text: right[y] ?? '' });
    if (one < left.length) lines.push({ is: 'same', text: left[one] ?? '' });
    [x, y] = [one + 1, other + 1];
  }
  return lines;
}

function withoutLongRuns(lines: readonly DifferentLine[]): readonly DifferentLine[] {
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ is }) => is !== 'same');
  const kept: DifferentLine[] = [];
  for (const [at, line] of lines.entries()) {
    const last = kept.at(-1);
    if (isNear(at)) kept.push(line);
    else if (last?.is === 'skipped') kept[kept.length - 1] = { is: 'skipped', count: last.count + 1 };
    else kept.push({ is: 'skipped', count: 1 });
  }
  return kept;
}
