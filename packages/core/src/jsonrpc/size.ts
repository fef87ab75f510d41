/** Limits on the size of a JSON value. */
export interface Bounds {
  /** The length of its JSON text, in characters. */
  readonly length: number;
  /** The nesting depth: 1 for an array or object without nested ones. */
  readonly depth: number;
}

/** True if a JSON value exceeds the limits. Stops as early as possible. */
export function exceeds(value: unknown, { length, depth }: Bounds): boolean {
  return subtractLength(value, length, depth) < 0;
}

/** The approximate length of a JSON value as text; undefined if it exceeds the limits. */
export function lengthWithin(value: unknown, { length, depth }: Bounds): number | undefined {
  const rest = subtractLength(value, length, depth);
  return rest < 0 ? undefined : length - rest;
}

/** The remaining length after a value; negative if the value exceeds it. */
function subtractLength(value: unknown, length: number, depth: number): number {
  if (typeof value === 'string') return length - value.length - 2;
  if (typeof value !== 'object' || value === null) return length - 4;
  if (depth === 0) return -1;
  let rest = length - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && rest >= 0; index++)
      rest = subtractLength(value[index], rest - 1, depth - 1);
    return rest;
  }
  for (const name in value) {
    rest = subtractLength((value as Record<string, unknown>)[name], rest - name.length - 4, depth - 1);
    if (rest < 0) return rest;
  }
  return rest;
}

/** Approximate heap overhead of an object or array, and of each member. */
const objectBytes = 64;
const memberBytes = 16;

/** Estimates the heap size of a JSON value. Short arrays and objects take far more than their text. */
export function bytesOf(value: unknown): number {
  let bytes = 0;
  // Iterative, because a value may be nested deeper than the call stack allows.
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') bytes += memberBytes + next.length;
    if (typeof next !== 'object' || next === null) continue;
    bytes += objectBytes;
    if (Array.isArray(next)) {
      bytes += memberBytes * next.length;
      for (const member of next) pending.push(member);
      continue;
    }
    for (const name in next) {
      bytes += memberBytes + name.length;
      pending.push((next as Record<string, unknown>)[name]);
    }
  }
  return bytes;
}

/** The length of a value as JSON; infinite if it is nested too deeply to be serialized. */
export function jsonLength(value: unknown): number {
  try {
    return (JSON.stringify(value) as string | undefined)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
