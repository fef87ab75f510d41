import { commonPlaces } from '../sessions/alignment.ts';

/** A line of two texts: it is in both, went, or came; or a number of lines that both have, and that are not shown. */
export type DifferenceLine =
  | { readonly is: 'both' | 'went' | 'came'; readonly text: string }
  | { readonly is: 'more'; readonly count: number };

/** Where more lines than this differ, nobody reads them line by line. */
const mostChanged = 1000;
/** So many lines around a difference are shown that both texts have. */
const around = 2;

/** What differs between two texts, line by line; undefined where they have too little in common for that. */
export function lineDifference(before: string, after: string): readonly DifferenceLine[] | undefined {
  const [left, right] = [before.split('\n'), after.split('\n')];
  const common = commonPlaces(left, right, mostChanged);
  if (common === undefined) return undefined;
  const lines: DifferenceLine[] = [];
  let [x, y] = [0, 0];
  for (const [toX, toY] of [...common, [left.length, right.length] as const]) {
    for (; x < toX; x += 1) lines.push({ is: 'went', text: left[x] ?? '' });
    for (; y < toY; y += 1) lines.push({ is: 'came', text: right[y] ?? '' });
    if (x < left.length) lines.push({ is: 'both', text: left[x] ?? '' });
    [x, y] = [toX + 1, toY + 1];
  }
  return folded(lines);
}

/** Leaves out what both have, but for a little around each difference. */
function folded(lines: readonly DifferenceLine[]): readonly DifferenceLine[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ is }, at) => {
    if (is !== 'both') isNear.fill(1, Math.max(0, at - around), at + around + 1);
  });
  const shown: DifferenceLine[] = [];
  lines.forEach((line, at) => {
    const last = shown.at(-1);
    if (isNear[at] === 1) shown.push(line);
    else if (last?.is === 'more') shown[shown.length - 1] = { is: 'more', count: last.count + 1 };
    else shown.push({ is: 'more', count: 1 });
  });
  return shown;
}
