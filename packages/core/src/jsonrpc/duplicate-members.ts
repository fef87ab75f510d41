/** Deeper levels are skipped. */
const maxLevels = 64;

/**
 * Finds duplicate members in the objects of a JSON text. `JSON.parse` keeps the last one, other parsers the first, so a
 * proxy could have checked another message than we would serve. `value` is the parsed text. Returns the names by the
 * index of their message in the batch (0 without a batch); undefined if there are none.
 */
export function findDuplicateMembers(text: string, value: unknown): ReadonlyMap<number, string> | undefined {
  // Most texts are minimal JSON, which leaves no room for a dropped member.
  const isMinimal = minRequestLength(value) === text.length || minLength(value, maxLevels) === text.length;
  return isMinimal ? undefined : search(text, maxLevels);
}

/** True if a part of a message, `level` levels down, has a duplicate member. */
export function hasDuplicateMember(text: string, value: unknown, level: number): boolean {
  const levels = maxLevels - level;
  return minLength(value, levels) !== text.length && search(text, levels) !== undefined;
}

/** True for minimal JSON: no whitespace, no escapes, no duplicate members. */
export function isMinimalJson(text: string, value: unknown, level: number): boolean {
  return minLength(value, maxLevels - level) === text.length;
}

const requestFrame = '{"jsonrpc":"2.0","id":,"method":"","params":}'.length;

/** `minLength` of a plain request, inlined because it runs for every request. */
function minRequestLength(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const { id, method, params } = value as Record<string, unknown>;
  if (typeof method !== 'string' || typeof params !== 'object') return 0;
  return requestFrame + minLength(id, 0) + method.length + minLength(params, maxLevels - 1);
}

/** A lower bound for the length of any JSON text of a value. */
function minLength(value: unknown, levels: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value === 'number') return minDigits(value);
  if (typeof value === 'boolean') return value ? 4 : 5;
  if (value === null) return 4;
  if (levels === 0) return -Infinity;
  if (Array.isArray(value)) return minListLength(value, levels - 1);
  let length = 1;
  for (const name in value as object) {
    length += name.length + 4 + minLength((value as Record<string, unknown>)[name], levels - 1);
  }
  return length === 1 ? 2 : length;
}

function minListLength(list: readonly unknown[], levels: number): number {
  let length = list.length === 0 ? 2 : 1;
  for (const item of list) length += minLength(item, levels) + 1;
  return length;
}

/** Integers that end in three zeros, such as 1e3, and fractions have shorter notations. */
function minDigits(value: number): number {
  if (value >= 0 && value < 10 && Number.isInteger(value)) return 1;
  if (value < 0) return 1 + minDigits(-value);
  if (value % 1000 === 0 || !Number.isSafeInteger(value)) return 1;
  if (value < 100) return 2;
  if (value < 1000) return 3;
  if (value < 10_000) return 4;
  if (value < 100_000) return 5;
  if (value < 1_000_000) return 6;
  if (value < 10_000_000) return 7;
  return String(value).length;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** The member names of an open object; undefined for an array. */
type Level = Set<string> | undefined;

/** Scans valid JSON for duplicate members, down to `most` levels. */
function search(text: string, most: number): ReadonlyMap<number, string> | undefined {
  let found: Map<number, string> | undefined;
  const levels: Level[] = [];
  /** How many open levels are below the scanned ones. */
  let below = 0;
  let message = 0;
  let expectsName = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at + 1);
        if (expectsName && below === 0) {
          const names = levels.at(-1) as Set<string>;
          const name = nameIn(text, at, end);
          if (names.has(name)) (found ??= new Map()).set(message, name);
          names.add(name);
        }
        expectsName = false;
        at = end;
        break;
      }
      case 0x7b: // {
        if (levels.length === most) below += 1;
        else levels.push(new Set());
        expectsName = true;
        break;
      case 0x5b: // [
        if (levels.length === most) below += 1;
        else levels.push(undefined);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (below > 0) below -= 1;
        else levels.pop();
        expectsName = false;
        break;
      case comma:
        expectsName = below === 0 && levels.at(-1) !== undefined;
        if (levels.length === 1 && !expectsName) message += 1;
        break;
    }
  }
  return found;
}

/** The index of a string's closing quote. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (isEscaped(text, end, from)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let backslashes = 0;
  while (at - backslashes > from && text.charCodeAt(at - backslashes - 1) === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}

/** The name between two quotes, unescaped. */
function nameIn(text: string, start: number, end: number): string {
  const written = text.slice(start + 1, end);
  return written.includes('\\') ? (JSON.parse(text.slice(start, end + 1)) as string) : written;
}
