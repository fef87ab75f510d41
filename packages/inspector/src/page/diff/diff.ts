import { getOwn, isRecord, type Json, jsonEquals, parseJsonOrText, type Path } from '../../shared/json.ts';

/** A line of a diff, or a number of collapsed equal lines. */
export type DiffLine =
  | { readonly is: 'both' | 'removed' | 'added'; readonly text: string }
  | { readonly is: 'more'; readonly count: number };

/** With more changed lines than this a line diff is not readable. */
const maxChangedLines = 1000;
/** Equal lines to show around a change. */
const contextLines = 2;

/** Diffs two texts by line; undefined if they have too little in common. */
export function diffLines(before: string, after: string): readonly DiffLine[] | undefined {
  const [left, right] = [before.split('\n'), after.split('\n')];
  const common = longestCommonSubsequence(left, right, maxChangedLines);
  if (common === undefined) return undefined;
  const lines: DiffLine[] = [];
  let [x, y] = [0, 0];
  for (const [toX, toY] of [...common, [left.length, right.length] as const]) {
    for (; x < toX; x += 1) lines.push({ is: 'removed', text: left[x] ?? '' });
    for (; y < toY; y += 1) lines.push({ is: 'added', text: right[y] ?? '' });
    if (x < left.length) lines.push({ is: 'both', text: left[x] ?? '' });
    [x, y] = [toX + 1, toY + 1];
  }
  return collapseEqualLines(lines);
}

/** Collapses equal lines, except for context around changes. */
function collapseEqualLines(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ is }, at) => {
    if (is !== 'both') isNear.fill(1, Math.max(0, at - contextLines), at + contextLines + 1);
  });
  const shown: DiffLine[] = [];
  lines.forEach((line, at) => {
    const last = shown.at(-1);
    if (isNear[at] === 1) shown.push(line);
    else if (last?.is === 'more') shown[shown.length - 1] = { is: 'more', count: last.count + 1 };
    else shown.push({ is: 'more', count: 1 });
  });
  return shown;
}

/** One path at which two values differ. */
export interface Difference {
  readonly path: Path;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Finds the deepest paths at which two values differ. List entries with names are matched by name. */
export function diffJson(before: Json | undefined, after: Json | undefined, path: Path = []): readonly Difference[] {
  if (jsonEquals(before, after)) return [];
  if (isRecord(before) && isRecord(after)) {
    const left = before as Readonly<Record<string, Json>>;
    const right = after as Readonly<Record<string, Json>>;
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return names.flatMap((name) => diffJson(getOwn(left, name), getOwn(right, name), [...path, name]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const left = before as readonly Json[];
    const right = after as readonly Json[];
    const byName = hasUniqueNames(left) && hasUniqueNames(right);
    if (byName) return diffJson(indexByName(left), indexByName(right), path);
    const most = Math.max(left.length, right.length);
    return Array.from({ length: most }, (_, index) => index).flatMap((index) =>
      diffJson(left[index], right[index], [...path, index]),
    );
  }
  return [{ path, before, after }];
}

function entryName(entry: Json): string | undefined {
  if (!isRecord(entry)) return undefined;
  const name = entry.name ?? entry.uri ?? entry.id;
  return typeof name === 'string' ? name : undefined;
}

function hasUniqueNames(list: readonly Json[]): boolean {
  const names = list.map(entryName);
  return !names.includes(undefined) && new Set(names).size === names.length;
}

function indexByName(list: readonly Json[]): Json {
  return Object.fromEntries(list.map((entry) => [entryName(entry) ?? '', entry]));
}

/** Parses texts of a result that are JSON, as many tools and resources return JSON as text. */
export function parseJsonTexts(result: Json): Json {
  if (!isRecord(result)) return result;
  const { content, contents } = result;
  return {
    ...result,
    ...(Array.isArray(content) && { content: (content as readonly Json[]).map(parseJsonText) }),
    ...(Array.isArray(contents) && { contents: (contents as readonly Json[]).map(parseJsonText) }),
  };
}

function parseJsonText(each: Json): Json {
  if (!isRecord(each) || typeof each.text !== 'string' || !/^\s*[[{]/.test(each.text)) return each;
  return { ...each, text: parseJsonOrText(each.text) };
}

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
  const pairs: IndexPair[] = [];
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
      pairs.push([x, y]);
    }
    [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}
