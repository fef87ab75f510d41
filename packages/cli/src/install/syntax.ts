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

/** No configuration of a client has so many levels. */
const deepest = 100;

/** The same language, in which files that are nested too deeply are malformed. */
export function withDepthLimit({ read, set, remove, leaves }: Syntax): Syntax {
  return {
    read: (text) => {
      const value = bounded(() => read(text));
      if (isDeeper(value, deepest)) throw tooDeep();
      return value;
    },
    set: (text, path, value) => bounded(() => set(text, path, value)),
    remove: (text, path) => bounded(() => remove(text, path)),
    leaves: (text) => bounded(() => leaves(text)),
  };
}

/** The parsers call themselves for each level, until there is no room for more. */
function bounded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

function tooDeep(): Malformed {
  return new Malformed(1, 1, `what begins here is nested deeper than ${deepest} levels`);
}

/** True where a value is nested deeper than so many levels. Looks no further. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
