/** Keys from the top of a file to a place in it. */
export type Path = readonly string[];

/** A value that contains no others, and where it stands. */
export interface Leaf {
  path: readonly (string | number)[];
  value: unknown;
  start: number;
  end: number;
}

/** A language that configuration files are written in. Texts have no byte order mark. */
export interface Syntax {
  /** What the text says; `undefined` if nothing. Throws `Malformed`. */
  read(text: string): unknown;
  /** Puts a value in its place and touches nothing else. What is missing on the way is made. */
  set(text: string, path: Path, value: unknown): string;
  /** Takes out what stands there and touches nothing else. */
  remove(text: string, path: Path): string;
  leaves(text: string): Leaf[];
}

/** A text that is not what its file's name promises. */
export class Malformed extends Error {
  constructor(
    readonly line: number,
    readonly column: number,
    problem: string,
  ) {
    super(`line ${line}, column ${column}: ${problem}`);
  }
}

/** A text that can be read but has something else where our entry belongs. */
export class Unfit extends Error {}
