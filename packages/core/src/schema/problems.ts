import { limits } from '../limits.ts';

/** The outcome of a check. `value` is the checked value, with whatever the schema turned it into. */
export type Checked = { ok: true; value: unknown } | { ok: false; problems: Problem[] };

/** One thing that is wrong with a value. */
export interface Problem {
  /** JSON pointer to the place in the value; empty for the value as a whole. */
  path: string;
  message: string;
}

const maxShown = limits.schema.problems.value;
const maxQuoted = 80;

/** So many faults are looked for: more than are ever shown, since several often have one cause. */
export const mostFaults = 200;

/** Writes problems as plain lines that a language model can act on, such as `items[0].name: is required`. */
export function formatProblems(problems: readonly Problem[]): string {
  const lines = problems.slice(0, maxShown).map(formatProblem);
  if (problems.length > maxShown) lines.push(`and ${problems.length - maxShown} more`);
  return lines.join('\n');
}

/** Writes one problem on one line. */
export function formatProblem({ path, message }: Problem): string {
  const name = formatPath(path);
  // Some libraries name the property themselves.
  return name === '' || message.startsWith(`${name} `) ? message : `${name}: ${message}`;
}

/** Turns a JSON pointer into the way people write a path: `/items/0/name` becomes `items[0].name`. */
export function formatPath(pointer: string): string {
  return parsePointer(pointer).reduce(appendSegment, '');
}

function appendSegment(path: string, segment: string): string {
  if (/^\d{1,15}$/.test(segment)) return `${path}[${segment}]`;
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]{0,79}$/u.test(segment)) return `${path}[${quoteShort(segment)}]`;
  return path === '' ? segment : `${path}.${segment}`;
}

/** The names and indexes that a JSON pointer is made of. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The JSON pointer that is made of these names and indexes. */
export function formatPointer(segments: readonly PropertyKey[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** True for a path and whatever lies below it. */
export function isInsidePath(path: string, parent: string): boolean {
  return path.startsWith(parent) && (path.length === parent.length || path[parent.length] === '/');
}

/** The part of a value that these names and indexes lead to, or undefined. Inherited properties are not parts. */
export function valueAtPath(value: unknown, segments: readonly string[]): unknown {
  return segments.reduce<unknown>(
    (node, segment) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, segment)
        ? (node as Record<string, unknown>)[segment]
        : undefined,
    value,
  );
}

/** A text in quotes, cut where it gets long: what a caller sent is never echoed at length. */
export function quoteShort(text: string): string {
  return text.length <= maxQuoted ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, maxQuoted))}…`;
}
