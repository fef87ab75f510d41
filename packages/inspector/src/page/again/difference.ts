import { isRecord, type Json, type Path, sameJson } from '../form/json.ts';

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
