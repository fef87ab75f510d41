/** What has to be true of a place in a text: bits that can be joined. */
export const Condition = { start: 1, end: 2, boundary: 4, noBoundary: 8 } as const;

/** A part of a regular expression. */
export type Part =
  /** One character. `source` is a regular expression for it. */
  | { kind: 'character'; source: string }
  /** No character, but a condition for the place. */
  | { kind: 'condition'; condition: number }
  | { kind: 'sequence'; parts: Part[] }
  | { kind: 'choice'; options: Part[] }
  | { kind: 'repeat'; part: Part; min: number; max: number };

/** Thrown where a regular expression has something that an automaton can't do, or too much of what it can. */
export class UnsupportedPattern extends Error {}

const deepest = 50;

interface Reader {
  readonly source: string;
  at: number;
  depth: number;
}

/**
 * Reads a regular expression with the flag `u`, of which it is known that it is one. Throws `Unfit` for what looks
 * around or back, and for what is newer than this reader.
 */
export function parsePattern(source: string): Part {
  const reader = { source, at: 0, depth: 0 };
  const part = readChoice(reader);
  if (reader.at < source.length) throw new UnsupportedPattern();
  return part;
}

function readChoice(reader: Reader): Part {
  reader.depth += 1;
  if (reader.depth > deepest) throw new UnsupportedPattern();
  const options = [readSequence(reader)];
  while (take(reader, '|')) options.push(readSequence(reader));
  reader.depth -= 1;
  return options.length === 1 ? (options[0] as Part) : { kind: 'choice', options };
}

function readSequence(reader: Reader): Part {
  const parts: Part[] = [];
  for (;;) {
    const next = reader.source[reader.at];
    if (next === undefined || next === '|' || next === ')') break;
    parts.push(readRepeat(reader, readOne(reader)));
  }
  return parts.length === 1 ? (parts[0] as Part) : { kind: 'sequence', parts };
}

function readOne(reader: Reader): Part {
  if (take(reader, '^')) return { kind: 'condition', condition: Condition.start };
  if (take(reader, '$')) return { kind: 'condition', condition: Condition.end };
  if (take(reader, '\\b')) return { kind: 'condition', condition: Condition.boundary };
  if (take(reader, '\\B')) return { kind: 'condition', condition: Condition.noBoundary };
  if (take(reader, '(')) return readGroup(reader);
  return readCharacter(reader);
}

function readGroup(reader: Reader): Part {
  const kind = match(reader, /\?(?::|<(?![=!])[^>]*>)/y);
  if (kind === undefined && reader.source[reader.at] === '?') throw new UnsupportedPattern();
  const part = readChoice(reader);
  if (!take(reader, ')')) throw new UnsupportedPattern();
  return part;
}

// A class, a dot, a character as it is, or an escape: of a kind, of a property, by number or of a sign.
const character =
  /\[(?:\\[^]|[^\]\\])*\]|[^\\[\](){}*+?|^$]|\\(?:[dDsSwWfnrtv0]|[pP]\{[^}]*\}|c[a-z]|x[0-9a-f]{2}|u\{[0-9a-f]+\}|u[dD][89ab][0-9a-f]{2}\\u[dD][c-f][0-9a-f]{2}|u[0-9a-f]{4}|[\^$\\.*+?()[\]{}|/-])/iuy;

/** Kinds and properties are told apart by case, which the expression above is not. */
const unknownEscape = /^\\[bkFNRTVCXU]/;

function readCharacter(reader: Reader): Part {
  const source = match(reader, character);
  if (source === undefined || unknownEscape.test(source)) throw new UnsupportedPattern();
  return { kind: 'character', source };
}

function readRepeat(reader: Reader, part: Part): Part {
  const written = match(reader, /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
  if (written === undefined) return part;
  const { min, max } = bounds(written);
  return { kind: 'repeat', part, min, max };
}

function bounds(written: string): { min: number; max: number } {
  if (written.startsWith('*')) return { min: 0, max: Infinity };
  if (written.startsWith('+')) return { min: 1, max: Infinity };
  if (written.startsWith('?')) return { min: 0, max: 1 };
  const [min = '', max] = written.replace(/[{}?]/g, '').split(',');
  return { min: Number(min), max: max === undefined ? Number(min) : max === '' ? Infinity : Number(max) };
}

function take(reader: Reader, text: string): boolean {
  if (!reader.source.startsWith(text, reader.at)) return false;
  reader.at += text.length;
  return true;
}

function match(reader: Reader, sticky: RegExp): string | undefined {
  sticky.lastIndex = reader.at;
  const found = sticky.exec(reader.source)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}
