/** Whatever JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Where something stands in a value. */
export type Path = readonly (string | number)[];

/** A JSON Schema; all of it is data of a stranger. */
export type Schema = Readonly<Record<string, unknown>>;

/** Whether a value is an object with names, not null and not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A path as a JSON pointer: `/tags/0`; empty for the whole value. */
export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The steps of a JSON pointer, all as texts. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands at a place; undefined where nothing does. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let found: unknown = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found as Json | undefined;
}

/** The same value with something else at a place; undefined takes it away. What is missing on the way is made. */
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

/** Whether two values say the same, whatever the order of their names. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const left = a as Readonly<Record<string, Json>>;
  const right = b as Readonly<Record<string, Json>>;
  return names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]));
}

/** A text of a stranger that should be one; empty where it is something else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
