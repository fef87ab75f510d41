/** Zero-width assertions, as bit flags. */
export const Condition = { start: 1, end: 2, boundary: 4, noBoundary: 8 } as const;

/** A part of a regular expression. */
export type Part =
  /** One character; `source` is its regular expression. */
  | { kind: 'character'; source: string }
  /** A zero-width assertion. */
  | { kind: 'condition'; condition: number }
  | { kind: 'sequence'; parts: Part[] }
  | { kind: 'choice'; options: Part[] }
  | { kind: 'repeat'; part: Part; min: number; max: number };

/** Thrown for a regular expression that the automaton does not support, or that is too large. */
export class UnsupportedPattern extends Error {}

const deepest = 50;

interface Reader {
  readonly source: string;
  at: number;
  depth: number;
}

/**
 * Parses a valid regular expression with the flag `u`. Throws `UnsupportedPattern` for lookaround, backreferences and
 * newer syntax.
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

// A character class, a dot, a literal, or an escape.
const character =
  /\[(?:\\[^]|[^\]\\])*\]|[^\\[\](){}*+?|^$]|\\(?:[dDsSwWfnrtv0]|[pP]\{[^}]*\}|c[a-z]|x[0-9a-f]{2}|u\{[0-9a-f]+\}|u[dD][89ab][0-9a-f]{2}\\u[dD][c-f][0-9a-f]{2}|u[0-9a-f]{4}|[\^$\\.*+?()[\]{}|/-])/iuy;

/** The expression above ignores case, but escapes do not. */
const unknownEscape = /^\\[bkFNRTVCXU]/;

function readCharacter(reader: Reader): Part {
  const source = match(reader, character);
  if (source === undefined || unknownEscape.test(source)) throw new UnsupportedPattern();
  return { kind: 'character', source };
}

function readRepeat(reader: Reader, part: Part): Part {
  const written = match(reader, /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
  if (written === undefined) return part;
  const { min, max } = parseBounds(written);
  return { kind: 'repeat', part, min, max };
}

function parseBounds(written: string): { min: number; max: number } {
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
