/** Keys from the top of a file to a place in it. */
export type Path = readonly string[];

/** A scalar value with its position. */
export interface Leaf {
  path: readonly (string | number)[];
  value: unknown;
  start: number;
  end: number;
}

/** A language that configuration files are written in. Texts have no byte order mark. */
export interface Syntax {
  /** Parses the text; undefined if it is empty. Throws `ConfigSyntaxError`. */
  read(text: string): unknown;
  /** Sets a value and changes nothing else. Missing parents are created. */
  set(text: string, path: Path, value: unknown): string;
  /** Removes a value and changes nothing else. */
  remove(text: string, path: Path): string;
  leaves(text: string): Leaf[];
}

/** A syntax error in a file. */
export class ConfigSyntaxError extends Error {
  constructor(
    readonly line: number,
    readonly column: number,
    problem: string,
  ) {
    super(`line ${line}, column ${column}: ${problem}`);
  }
}

/** A text that parses but can't be edited. */
export class NotEditableError extends Error {}

/** The maximum depth of a configuration file. */
const maxDepth = 100;

/** The same language, in which files that are nested too deeply are malformed. */
export function withDepthLimit({ read, set, remove, leaves }: Syntax): Syntax {
  return {
    read: (text) => {
      const value = reportDepth(() => read(text));
      if (isDeeper(value, maxDepth)) throw tooDeep();
      return value;
    },
    set: (text, path, value) => reportDepth(() => set(text, path, value)),
    remove: (text, path) => reportDepth(() => remove(text, path)),
    leaves: (text) => reportDepth(() => leaves(text)),
  };
}

/** The parsers are recursive, up to a stack overflow. */
function reportDepth<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

function tooDeep(): ConfigSyntaxError {
  return new ConfigSyntaxError(1, 1, `what begins here is nested deeper than ${maxDepth} levels`);
}

/** Whether a value is nested deeper than `levels`. Recurses no further than that. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** Replaces the characters from `start` to `end`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Applies edits that don't overlap. Those at the same place keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let done = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return result + text.slice(done);
}

/** How the lines of a text end. */
export function lineEnding(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** The indentation of the line that contains `offset`. */
export function indentationAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

/** True if only blanks precede `offset` on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The end of a line, before its line break. */
export function lineStop(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  if (feed === -1) return text.length;
  return feed > offset && text[feed - 1] === '\r' ? feed - 1 : feed;
}

/** The end of the last text before `offset` that is not blank. Unusual blanks, such as U+00A0, are text. */
export function contentEnd(text: string, offset: number): number {
  let end = offset;
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

/** Line and column of an offset, both from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const start = lineStart(text, offset);
  return { line: text.slice(0, start).split('\n').length, column: offset - start + 1 };
}
