/** How large a JSON value may be. */
export interface Bounds {
  /** Its length as text, in characters. */
  readonly length: number;
  /** How deep it may be nested: 1 for a list or an object without others in it. */
  readonly depth: number;
}

/** True where a JSON value is longer as text, or nested deeper, than it may be. Looks no further than it must. */
export function exceeds(value: unknown, { length, depth }: Bounds): boolean {
  return left(value, length, depth) < 0;
}

/** About how long a JSON value is as text; undefined where that is more, or it is nested deeper, than it may be. */
export function lengthWithin(value: unknown, { length, depth }: Bounds): number | undefined {
  const rest = left(value, length, depth);
  return rest < 0 ? undefined : length - rest;
}

/** What is left of a length after a value: negative where it was not enough. */
function left(value: unknown, length: number, depth: number): number {
  if (typeof value === 'string') return length - value.length - 2;
  if (typeof value !== 'object' || value === null) return length - 4;
  if (depth === 0) return -1;
  let rest = length - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && rest >= 0; index++) rest = left(value[index], rest - 1, depth - 1);
    return rest;
  }
  for (const name in value) {
    rest = left((value as Record<string, unknown>)[name], rest - name.length - 4, depth - 1);
    if (rest < 0) return rest;
  }
  return rest;
}

/** What a list or object takes in memory, and each member of it, beside their contents. */
const objectBytes = 64;
const memberBytes = 16;

/** About how many bytes a JSON value takes in memory; short lists and objects take far more than their text. */
export function bytesOf(value: unknown): number {
  let bytes = 0;
  // A list of its own, because a value may be nested deeper than functions can be called.
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') bytes += memberBytes + next.length;
    if (typeof next !== 'object' || next === null) continue;
    bytes += objectBytes;
    if (Array.isArray(next)) {
      bytes += memberBytes * next.length;
      for (const member of next) waiting.push(member);
      continue;
    }
    for (const name in next) {
      bytes += memberBytes + name.length;
      waiting.push((next as Record<string, unknown>)[name]);
    }
  }
  return bytes;
}

/** How long a value is as JSON; infinite where it is nested too deeply to be written. */
export function jsonLength(value: unknown): number {
  try {
    return (JSON.stringify(value) as string | undefined)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
