import { isRecord, type Json, type Path, sameJson } from '../form/json.ts';
import { commonPlaces } from './lcs.ts';

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

/** One place where two values differ. */
export interface Difference {
  readonly path: Path;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Where two values differ, as deep inside as possible. Entries of lists that have a name are compared by it. */
export function differences(before: Json | undefined, after: Json | undefined, path: Path = []): readonly Difference[] {
  if (sameJson(before, after)) return [];
  if (isRecord(before) && isRecord(after)) {
    const left = before as Readonly<Record<string, Json>>;
    const right = after as Readonly<Record<string, Json>>;
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return names.flatMap((name) => differences(own(left, name), own(right, name), [...path, name]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const left = before as readonly Json[];
    const right = after as readonly Json[];
    const byName = named(left) && named(right);
    if (byName) return differences(indexed(left), indexed(right), path);
    const most = Math.max(left.length, right.length);
    return Array.from({ length: most }, (_, index) => index).flatMap((index) =>
      differences(left[index], right[index], [...path, index]),
    );
  }
  return [{ path, before, after }];
}

function own(record: Readonly<Record<string, Json>>, name: string): Json | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function nameOf(entry: Json): string | undefined {
  if (!isRecord(entry)) return undefined;
  const name = entry.name ?? entry.uri ?? entry.id;
  return typeof name === 'string' ? name : undefined;
}

function named(list: readonly Json[]): boolean {
  const names = list.map(nameOf);
  return !names.includes(undefined) && new Set(names).size === names.length;
}

function indexed(list: readonly Json[]): Json {
  return Object.fromEntries(list.map((entry) => [nameOf(entry) ?? '', entry]));
}

/** A result in which texts that are JSON are what they say: many tools write JSON into their texts, and many resources are JSON. */
export function withReadTexts(result: Json): Json {
  if (!isRecord(result)) return result;
  const { content, contents } = result;
  return {
    ...result,
    ...(Array.isArray(content) && { content: (content as readonly Json[]).map(withReadText) }),
    ...(Array.isArray(contents) && { contents: (contents as readonly Json[]).map(withReadText) }),
  };
}

function withReadText(each: Json): Json {
  if (!isRecord(each) || typeof each.text !== 'string' || !/^\s*[[{]/.test(each.text)) return each;
  try {
    return { ...each, text: JSON.parse(each.text) as Json };
  } catch {
    return each;
  }
}
