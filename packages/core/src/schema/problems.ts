/** The result of validation. `value` is the validated value, with the transformations of the schema. */
export type Checked = { ok: true; value: unknown } | { ok: false; problems: Problem[] };

/** A validation problem. */
export interface Problem {
  /** JSON pointer into the value; empty for the root. */
  path: string;
  message: string;
}

/** The maximum reported problems of one value. */
const maxShown = 20;
const maxQuoted = 80;

/** The maximum number of faults to collect: more than are shown, since several often have one cause. */
export const maxFaults = 200;

/** Formats problems as lines that a language model can act on, such as `items[0].name: is required`. */
export function formatProblems(problems: readonly Problem[]): string {
  const lines = problems.slice(0, maxShown).map(formatProblem);
  if (problems.length > maxShown) lines.push(`and ${problems.length - maxShown} more`);
  return lines.join('\n');
}

/** Formats one problem on one line. */
export function formatProblem({ path, message }: Problem): string {
  const name = formatPath(path);
  // Some libraries already name the property.
  return name === '' || message.startsWith(`${name} `) ? message : `${name}: ${message}`;
}

/** Formats a JSON pointer as a path: `/items/0/name` becomes `items[0].name`. */
export function formatPath(pointer: string): string {
  return parsePointer(pointer).reduce(appendSegment, '');
}

function appendSegment(path: string, segment: string): string {
  if (/^\d{1,15}$/.test(segment)) return `${path}[${segment}]`;
  if (!/^(?:\p{L}|[_$])(?:\p{L}|\p{N}|[_$-]){0,79}$/u.test(segment)) return `${path}[${quoteShort(segment)}]`;
  return path === '' ? segment : `${path}.${segment}`;
}

/** The segments of a JSON pointer. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The JSON pointer of these segments. */
export function formatPointer(segments: readonly PropertyKey[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** True if `path` is `parent` or below it. */
export function isInsidePath(path: string, parent: string): boolean {
  return path.startsWith(parent) && (path.length === parent.length || path[parent.length] === '/');
}

/** The part of a value at these segments, or undefined. Ignores inherited properties. */
export function valueAtPath(value: unknown, segments: readonly string[]): unknown {
  return segments.reduce<unknown>(
    (node, segment) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, segment)
        ? (node as Record<string, unknown>)[segment]
        : undefined,
    value,
  );
}

/** Quotes a text, truncated to 80 characters: input of a caller is never echoed at length. */
export function quoteShort(text: string): string {
  return text.length <= maxQuoted ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, maxQuoted))}…`;
}
