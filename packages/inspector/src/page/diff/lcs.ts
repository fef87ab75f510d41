/** Indices of an equal pair. */
export type IndexPair = readonly [left: number, right: number];

/** Longest common subsequence of two lists, as index pairs in order. Undefined if they differ in more than `most` entries. */
export function longestCommonSubsequence(
  left: readonly string[],
  right: readonly string[],
  most: number,
): readonly IndexPair[] | undefined {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const middle = myersDiff(left.slice(start, left.length - end), right.slice(start, right.length - end), most);
  return (
    middle && [
      ...Array.from({ length: start }, (_, at): IndexPair => [at, at]),
      ...middle.map(([one, other]): IndexPair => [one + start, other + start]),
      ...Array.from({ length: end }, (_, at): IndexPair => [left.length - end + at, right.length - end + at]),
    ]
  );
}

/** Myers' algorithm: its cost grows with the number of differences, not with the lengths. */
function myersDiff(left: readonly string[], right: readonly string[], most: number): readonly IndexPair[] | undefined {
  if (left.length === 0 || right.length === 0) return left.length + right.length <= most ? [] : undefined;
  const bound = Math.min(most, left.length + right.length);
  const offset = bound + 1;
  const reached = new Int32Array(2 * offset + 1);
  const trace: Int32Array[] = [];
  for (let steps = 0; steps <= bound; steps += 1) {
    trace.push(reached.slice(offset - steps - 1, offset + steps + 2));
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const at = offset + diagonal;
      const below = reached[at + 1] ?? 0;
      const before = reached[at - 1] ?? 0;
      let x = diagonal === -steps || (diagonal !== steps && before < below) ? below : before + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x += 1;
      reached[at] = x;
      if (x >= left.length && x - diagonal >= right.length) return backtrack(trace, left.length, right.length);
    }
  }
  return undefined;
}

function backtrack(trace: readonly Int32Array[], left: number, right: number): readonly IndexPair[] {
  const places: IndexPair[] = [];
  let [x, y] = [left, right];
  for (let steps = trace.length - 1; steps >= 0; steps -= 1) {
    const reached = trace[steps] as Int32Array;
    const diagonal = x - y;
    const at = (each: number): number => reached[each + steps + 1] ?? 0;
    const isDown = diagonal === -steps || (diagonal !== steps && at(diagonal - 1) < at(diagonal + 1));
    const from = isDown ? diagonal + 1 : diagonal - 1;
    const [fromX, fromY] = steps === 0 ? [0, 0] : [at(from), at(from) - from];
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      places.push([x, y]);
    }
    [x, y] = [fromX, fromY];
  }
  return places.reverse();
}
