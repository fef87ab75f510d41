/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Path to a value. */
export type Path = readonly (string | number)[];

/** A JSON Schema from an untrusted server. */
export type Schema = Readonly<Record<string, unknown>>;

/** Whether a value is a plain object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Formats a path as a JSON pointer: `/tags/0`; empty for the root. */
export function formatPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Parses a JSON pointer; all steps are strings. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Value at a path; undefined if absent. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let found: unknown = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found as Json | undefined;
}

/** Copies a value with a change at a path; undefined removes it. Missing parents are created. */
export function withValueAt(value: Json | undefined, path: Path, put: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return put;
  if (typeof step === 'number') {
    const list: Json[] = Array.isArray(value) ? [...(value as readonly Json[])] : [];
    const inner = withValueAt(list[step], rest, put);
    if (inner === undefined) list.splice(step, 1);
    else list[step] = inner;
    return list;
  }
  const entries = isRecord(value) ? Object.entries(value as Readonly<Record<string, Json>>) : [];
  const index = entries.findIndex(([name]) => name === step);
  const inner = withValueAt(entries[index]?.[1], rest, put);
  if (inner === undefined) return Object.fromEntries(entries.filter(([name]) => name !== step));
  if (index === -1) entries.push([step, inner]);
  else entries[index] = [step, inner];
  return Object.fromEntries(entries);
}

/** Whether two values are equal, regardless of key order. */
export function jsonEquals(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const left = a as Readonly<Record<string, Json>>;
  const right = b as Readonly<Record<string, Json>>;
  return names.every((name) => Object.hasOwn(right, name) && jsonEquals(left[name], right[name]));
}

/** Returns untrusted strings as they are, and '' for anything else. */
export function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Parses JSON; undefined if the text is invalid. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Parses JSON; returns invalid text as it is. */
export function parseJsonOrText(text: string): Json {
  const value = tryParseJson(text);
  return value === undefined ? text : value;
}

/** Returns plain objects as they are, and {} for anything else. */
export function recordOrEmpty(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** Own property of a record; ignores the prototype. */
export function getOwn(record: Readonly<Record<string, Json>>, name: string): Json | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
