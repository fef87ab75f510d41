import { isDeepStrictEqual } from 'node:util';
import { type Path, type Syntax, NotEditableError } from './syntax.ts';
import { isRecord } from '../../system/record.ts';

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** Sets a value in a text, and verifies that nothing else changes. */
export function setValue(syntax: Syntax, text: string, path: Path, value: unknown): string {
  const after = syntax.set(text, path, value);
  assertReads(syntax, after, [setIn(syntax.read(text), path, value)]);
  return after;
}

/** Removes a value from a text, and verifies that nothing else changes. */
export function removeValue(syntax: Syntax, text: string, path: Path): string {
  const before = syntax.read(text);
  if (valueAt(before, path) === undefined) return text;
  const after = syntax.remove(text, path);
  // In TOML an implicit table disappears with its last entry.
  const table = path.slice(0, -1);
  const rest = removeIn(before, path);
  const isEmpty = isDeepStrictEqual(valueAt(rest, table), {});
  assertReads(syntax, after, isEmpty ? [rest, removeIn(rest, table)] : [rest]);
  return after;
}

function assertReads(syntax: Syntax, text: string, expected: readonly unknown[]): void {
  // Copied, since the parsers differ in the prototypes of their objects.
  const actual = structuredClone(tryRead(syntax, text));
  if (!expected.some((each) => isDeepStrictEqual(actual, structuredClone(each)))) {
    throw new NotEditableError('it is written in a way that can not be edited safely');
  }
}

function tryRead(syntax: Syntax, text: string): unknown {
  try {
    return syntax.read(text);
  } catch {
    return undefined;
  }
}

function setIn(value: unknown, [key, ...rest]: Path, inner: unknown): unknown {
  if (key === undefined) return inner;
  const record = isRecord(value) ? value : {};
  return { ...record, [key]: setIn(record[key], rest, inner) };
}

function removeIn(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined || !isRecord(value)) return value;
  if (rest.length > 0) return { ...value, [key]: removeIn(value[key], rest) };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}
